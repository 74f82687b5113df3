import { DEFAULT_SETTINGS, daysRemaining, type Subscription } from '@milepost/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { keepPartitions } from '../../tracks/partitions.ts';
import { dropOldPositions } from './retention.ts';

const DAY = 86_400_000;

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
});

const vehicle = (name: string) => addNamedVehicle(server, owner.accountId, name);

describe('subscriptions', () => {
  const list = async (as = call): Promise<Subscription[]> => (await as('GET', '/subscription')).body;

  it('[R7.16] [R3.06] [R4.19] are one per vehicle, with the remaining days of 364', async () => {
    const truck = await vehicle('Truck 1');
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        createdDate: expect.any(String),
        daysRemaining: 364,
        device: { id: truck.id, imei: truck.imei, deviceName: 'Truck 1' },
      },
    ]);
    await sql`update subscription set created_at = now() - interval '100 days 1 hour' where imei = ${truck.imei}`.execute(
      server.context.db.system,
    );
    expect(await list()).toMatchObject([{ daysRemaining: 264 }]);
    expect((await call('GET', `/device/${truck.id}`)).body).toMatchObject({ daysRemaining: 264 });
  });

  it('[R9.04] [R4.19] have between 0 and 364 days left, whenever they began', () => {
    expect([daysRemaining(0, 364 * DAY - 1), daysRemaining(0, 364 * DAY), daysRemaining(0, 9999 * DAY)]).toEqual([
      1, 0, 0,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), fc.integer({ min: -1e13, max: 1e13 }), (created, now) => {
        const days = daysRemaining(created, now);
        expect(days).toBeGreaterThanOrEqual(0);
        expect(days).toBeLessThanOrEqual(364);
        expect(daysRemaining(created, now + DAY)).toBeLessThanOrEqual(days);
      }),
    );
  });

  it('[R7.17] [R4.19] accept the specified call, which no client can use to extend one', async () => {
    const truck = await vehicle('Truck 2');
    await sql`update subscription set created_at = now() - interval '360 days' where imei = ${truck.imei}`.execute(
      server.context.db.system,
    );
    const [before] = await list();
    for (const days of [9999, 364, -5, 0]) {
      const answer = await call('PATCH', `/subscription-update/${before?.id}`, {
        daysRemaining: days,
        createdDate: 'now',
      });
      expect([answer.status, answer.body]).toEqual([200, before]);
    }
    expect(await call('PATCH', `/subscription-update/${before?.id}`, { daysRemaining: 'many' })).toMatchObject({
      status: 400,
    });
    // Not even by deleting the vehicle and adding it again; and the database refuses it in any request.
    await call('DELETE', `/device/${truck.id}`);
    expect(await list()).toEqual([]);
    await call('POST', '/device', { imei: truck.imei, deviceName: 'Truck 2 again' });
    expect(await list()).toMatchObject([{ id: before?.id, daysRemaining: 4 }]);
    const { db } = server.context;
    const lengthen = db.asAccount(owner.accountId, trx => sql`update subscription set created_at = now()`.execute(trx));
    await expect(lengthen).rejects.toThrow(/permission denied/);
  });
});

describe('settings', () => {
  it('are the defaults until someone changes them, and say who and when', async () => {
    expect((await call('GET', '/settings')).body).toEqual({ settings: DEFAULT_SETTINGS });
    const change = { timeZone: 'Europe/Madrid', distanceUnit: 'km', keepPositionsDays: 90 };
    const { body } = await call('PATCH', '/settings', change);
    const changed = { at: expect.any(String), by: owner.userName };
    expect(body).toEqual({
      settings: { ...DEFAULT_SETTINGS, ...change },
      changed: { timeZone: changed, distanceUnit: changed, keepPositionsDays: changed },
    });
    const back = await call('PATCH', '/settings', { distanceUnit: 'mi', timeZone: null });
    expect(back.body).toMatchObject({ settings: { ...DEFAULT_SETTINGS, keepPositionsDays: 90 } });
    expect(Object.keys((back.body as { changed: object }).changed)).toEqual(['keepPositionsDays']);
    const audited = await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'changes'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
    expect(audited.map(({ action }) => action)).toEqual(['settings.changed', 'settings.changed']);
    expect(audited[0]?.changes).toContainEqual({ field: 'timeZone', from: 'America/Chicago', to: 'Europe/Madrid' });
  });

  it('refuse invalid values by field, and unknown settings', async () => {
    for (const [name, value] of Object.entries({
      timeZone: 'Mars/Olympus',
      language: 'tlh',
      firstWeekday: 8,
      currency: 'euro',
      keepPositionsDays: 1,
      offlineAfterMinutes: 1.5,
    })) {
      expect(await call('PATCH', '/settings', { [name]: value })).toMatchObject({
        status: 400,
        body: { errors: [{ field: name }] },
      });
    }
    expect((await call('PATCH', '/settings', { operator: true, __proto__: { x: 1 } })).body).toMatchObject({
      changed: {},
    });
  });

  it('can be read by everyone, and changed with the right to do so', async () => {
    const driver = callerOf(server, await signedIn(server, { accountId: owner.accountId, role: 'driver' }));
    expect((await driver('GET', '/settings')).status).toBe(200);
    expect((await driver('GET', '/settings/changes')).status).toBe(403);
    expect((await driver('PATCH', '/settings', { currency: 'EUR' })).status).toBe(403);
  });
});

describe('retention', () => {
  const NOW = Date.UTC(2026, 10, 20, 12);
  const stored = async (id: string) => {
    const rows = await server.context.db.system
      .selectFrom('position')
      .select('fix_at')
      .where('vehicle_id', '=', Number(id))
      .orderBy('fix_at')
      .execute();
    return rows.map(({ fix_at }) => Math.round((NOW - fix_at.getTime()) / DAY));
  };
  const keep = (days: number | null, as = call) => as('PATCH', '/settings', { keepPositionsDays: days });
  const store = (id: string, ...daysAgo: number[]) =>
    storePositions(
      server,
      owner.accountId,
      Number(id),
      daysAgo.map(days => receivedPosition(NOW - days * DAY)),
    );

  it('deletes positions older than the account’s limit, including the last position, and writes it to the audit log', async () => {
    const [truck, gone] = [await vehicle('Truck 3'), await vehicle('Long gone')];
    await store(truck.id, 100, 31, 29, 1);
    await store(gone.id, 60);
    const stranger = await signedIn(server);
    const theirs = await addNamedVehicle(server, stranger.accountId, 'Theirs');
    await storePositions(server, stranger.accountId, Number(theirs.id), [receivedPosition(NOW - 500 * DAY)]);
    await keep(30);
    expect((await dropOldPositions(server.context, server.live, NOW)).get(owner.accountId)).toBe(3);
    expect([await stored(truck.id), await stored(gone.id), await stored(theirs.id)]).toEqual([[29, 1], [], [500]]);
    expect((await call('GET', '/position/latest')).body).toMatchObject([{ deviceName: 'Truck 3' }]);
    expect((await call('GET', `/device/${gone.id}`)).body).toMatchObject({ live: { lat: null, fixAt: null } });
    const audited = await server.context.db.system
      .selectFrom('audit_entry')
      .select(['user_name', 'via', 'changes'])
      .where('account_id', '=', owner.accountId)
      .where('action', '=', 'positions.dropped')
      .execute();
    expect(audited).toMatchObject([{ user_name: null, via: 'system', changes: [{ field: 'positions', from: 3 }] }]);
    await keep(null);
    await store(truck.id, 0);
    const later = await dropOldPositions(server.context, server.live, NOW + 400 * DAY);
    expect(later.has(owner.accountId)).toBe(false);
    expect(await stored(truck.id)).toEqual([29, 1, 0]);
  });

  it('drops whole months if every account has a limit, and never one that is kept', async () => {
    const alone = await startHttpServer();
    const { db, log } = alone.context;
    const person = await signedIn(alone);
    const truck = await addNamedVehicle(alone, person.accountId, 'Truck');
    const partitions = await keepPartitions(db.pool, log, () => NOW);
    const at = [NOW - 70 * DAY, NOW - 40 * DAY, NOW].map(time => receivedPosition(time));
    await partitions.cover(at.map(position => ({ position })));
    await storePositions(alone, person.accountId, Number(truck.id), at);
    const months = async () => {
      const { rows } = await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'position'::regclass order by 1`.execute(
        db.system,
      );
      return rows.map(({ name }) => name);
    };
    expect(await months()).toEqual(
      expect.arrayContaining(['position_2026_09', 'position_2026_10', 'position_2026_11']),
    );
    await keep(35, callerOf(alone, person));
    await dropOldPositions(alone.context, alone.live, NOW);
    const left = await months();
    expect(left).not.toContain('position_2026_09');
    expect(left).toEqual(expect.arrayContaining(['position_2026_10', 'position_2026_11', 'position_other']));
    const { rows } = await sql<{ n: string }>`select count(*) as n from position`.execute(db.system);
    expect(rows).toEqual([{ n: '1' }]);
    partitions.stop();
    await alone.close();
  });
});

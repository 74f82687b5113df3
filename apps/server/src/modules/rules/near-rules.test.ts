import { RULE_OTHERS_IN_FOLDERS_MAX, type Rule } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import { comparedOf, drives, HOUR, MINUTE, ruleFleet, stands, TIMEOUT_MS, tour } from '../../../testing/rule-fleet.ts';
import { storePositions } from '../../../testing/stored-positions.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
const fleet = () => ruleFleet(server);

describe('[R7.37] rules about the distance to another vehicle', () => {
  const nearby = async () => {
    const it = await fleet();
    const { accountId } = it.owner;
    const { id: otherId } = await addVehicle(server.context, accountId);
    const folder = async (name: string) => ((await it.call('POST', '/folder', { name })).body as { id: string }).id;
    const folders = [await folder('Trailers'), await folder('Cranes')] as const;
    const move = async (folderId: string | null, id = otherId) => {
      expect((await it.call('PATCH', `/device/${id}`, { folderId })).status).toBe(200);
      await server.context.feed.settled();
      await server.directory.settled();
    };
    await move(folders[0]);
    const catchUp = async (kill = true) => {
      const manager = kill ? await it.open() : null;
      for (let i = 0; i < 2; i++) await manager?.catchUp(accountId, [otherId, it.vehicleId], TIMEOUT_MS);
    };
    const storeOther = (positions: readonly ReceivedPosition[]) =>
      storePositions(server, accountId, otherId, positions);
    const others = { otherIds: [String(otherId)] };
    const terms = [
      { trigger: { kind: 'near', meters: 250, minutes: 0, ...others } },
      { trigger: { kind: 'near', meters: 250, minutes: 20, ...others } },
      { trigger: { kind: 'apart', meters: 400, minutes: 0, ...others } },
      { trigger: { kind: 'apart', meters: 400, minutes: 10, ...others } },
      { trigger: { kind: 'near', meters: 250, minutes: 0, otherFolderIds: [folders[0]] } },
    ];
    return { ...it, otherId, folders, move, catchUp, storeOther, terms };
  };
  /** Waits between the yard and the customer, nearer to the customer, and goes there when the other has left. */
  const partner = (fromMs: number) => [
    ...stands(fromMs - HOUR, fromMs + 2 * HOUR, 5900),
    ...drives(fromMs + 2 * HOUR, 5900, 300),
    ...stands(fromMs + 2 * HOUR + 10 * MINUTE, fromMs + 4 * HOUR, 300),
  ];

  it('alert live what a test finds, to the millisecond, whoever reports first and whatever is late', {
    timeout: 120_000,
  }, async () => {
    const order = fc.array(fc.constantFrom('own', 'other', 'both'), { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 5, max: 80 }), async (steps, size) => {
        const it = await nearby();
        const leaves = Date.now() - 9 * HOUR;
        const since = leaves - 5 * HOUR;
        await it.store(stands(leaves - 4 * HOUR, leaves - 4 * HOUR + 1, 0));
        await it.storeOther(stands(leaves - 4 * HOUR, leaves - 4 * HOUR + 1, 5900));
        const rules: Rule[] = [];
        for (const terms of it.terms) rules.push(await it.rule(terms, since));
        const [own, other] = [tour(leaves), partner(leaves)];
        for (const step of steps) {
          if (step !== 'other') await it.store(own.splice(0, size));
          if (step !== 'own') await it.storeOther(other.splice(0, size));
          await it.catchUp();
        }
        await it.store(own);
        await it.storeOther(other);
        await it.catchUp();
        await it.catchUp();
        const { tested, told } = await comparedOf(it, rules, it.terms, since);
        expect(tested.length).toBeGreaterThan(3);
        // What was only thought while the other one's reports were missing has ended, and is told as an alert of then.
        const found = told.filter(row => tested.some(each => each.opened_at.getTime() === row.opened_at.getTime()));
        expect(found).toEqual(tested);
        expect(told.filter(row => !found.includes(row) && row.closed_at === null)).toEqual([]);
      }),
      { numRuns: 2 },
    );
  });

  it('alert nobody of what another vehicle reports late, and name only vehicles of the account', async () => {
    const it = await nearby();
    const leaves = Date.now() - 9 * HOUR;
    await it.store(stands(leaves - 2 * HOUR, leaves - 2 * HOUR + 1, 0));
    const [near] = it.terms;
    await it.rule(near as object, leaves - HOUR);
    await it.store(tour(leaves));
    await it.catchUp();
    expect(await it.alerts()).toEqual([]);
    const receivedAt = epochMs(Date.now());
    await it.storeOther(partner(leaves).map(position => ({ ...position, receivedAt })));
    await it.catchUp();
    await it.catchUp();
    const all = await it.alerts();
    expect(all.length).toBeGreaterThan(0);
    expect(all.map(({ acknowledgedAt, late }) => [late, acknowledgedAt !== null])).toEqual(all.map(() => [true, true]));
    const foreign = await fleet();
    const trigger = { kind: 'near', meters: 250, minutes: 0, otherIds: [String(foreign.vehicleId)] };
    const answer = await it.call('POST', '/alert-rule', { name: 'Foreign', trigger });
    expect(answer.body).toMatchObject({ errors: [{ field: 'trigger.otherIds', code: 'unknown-vehicle' }] });
  });

  it('follow who is in a folder: a vehicle that is moved out of it is no longer meant, and one that is moved in is', async () => {
    const it = await nearby();
    const leaves = Date.now() - 2 * HOUR;
    await it.store(stands(leaves - 2 * HOUR, leaves - 2 * HOUR + 1, 0));
    await it.storeOther(stands(leaves - 2 * HOUR, leaves + 2 * HOUR, 5900));
    await it.move(it.folders[1]);
    const trigger = { kind: 'near', meters: 250, minutes: 0, otherFolderIds: [it.folders[0]] };
    const rule = await it.rule({ trigger }, leaves - HOUR);
    const all = tour(leaves);
    const isBefore = ({ fixAt }: ReceivedPosition) => fixAt < leaves + 30 * MINUTE;
    await it.store(all.filter(isBefore));
    await it.catchUp();
    expect(await it.alerts()).toEqual([]);
    // The same journey again, with the other one in the folder.
    await it.move(it.folders[0]);
    await it.call('PATCH', `/alert-rule/${rule.id}`, { repeatMinutes: 1 });
    await server.context.db.system
      .updateTable('rule')
      .set({ since: new Date(leaves - HOUR) })
      .execute();
    await server.context.feed.settled();
    await it.catchUp();
    expect(await it.alerts()).toMatchObject([{ closedAt: null, rule: { other: { deviceId: String(it.otherId) } } }]);
    await it.move(it.folders[1]);
    await it.store(all.filter(position => !isBefore(position)).slice(0, 3));
    await it.catchUp();
    expect(await it.alerts()).toMatchObject([{ closedAt: expect.any(String) }]);
  });

  it('refuse folders with more vehicles than can be looked at, and folders of others', async () => {
    const it = await nearby();
    const { accountId } = it.owner;
    for (let nth = 0; nth < RULE_OTHERS_IN_FOLDERS_MAX; nth++) {
      const { id } = await addVehicle(server.context, accountId);
      const row = { folder_id: Number(it.folders[0]) };
      await server.context.db.system.updateTable('vehicle').set(row).where('id', '=', id).execute();
    }
    await server.context.feed.settled();
    await server.directory.settled();
    const foreign = await nearby();
    for (const [folder, code] of [
      [it.folders[0], 'too-many-in-folders'],
      [foreign.folders[0], 'unknown-folder'],
    ]) {
      const trigger = { kind: 'near', meters: 250, minutes: 0, otherFolderIds: [folder] };
      const answer = await it.call('POST', '/alert-rule', { name: 'Crowd', trigger });
      expect(answer.body).toMatchObject({ errors: [{ field: 'trigger.otherIds', code }] });
    }
  });

  it('[R6.04] name the other vehicle, but to nobody who doesn’t see it: in the list, in the past, and when they acknowledge it', async () => {
    const it = await nearby();
    const { accountId } = it.owner;
    await it.move(it.folders[1], it.vehicleId);
    const rule = await it.rule(it.terms[0] as object);
    const name = server.directory.findById(it.otherId)?.name ?? '';
    const id = await addAlert(server, accountId, it.vehicleId, {
      ...{ kind: 'rule', severity: 'info', event: null, rule_id: Number(rule.id) },
      rule: JSON.stringify({ name: rule.name, action: null, geofence: null, other: { id: it.otherId, name } }) as never,
    });
    const limited = async (folders: string[]) => {
      const someone = await signedIn(server, { accountId, role: 'dispatcher' });
      await limit(server.context, someone, { folders });
      return someone;
    };
    const [both, one] = [await limited([...it.folders]), await limited([it.folders[1]])];
    const other = { deviceId: String(it.otherId), name };
    for (const [reader, told] of [
      [it.owner, other],
      [both, other],
      [one, null],
    ] as const) {
      const call = callerOf(server, reader);
      expect((await call('GET', '/alert')).body).toMatchObject({ alerts: [{ id, rule: { other: told } }] });
      const past = await call('GET', `/fleet/at?at=${new Date().toISOString()}`);
      expect(past.body).toMatchObject({ alerts: { alerts: [{ id, rule: { other: told } }] } });
    }
    expect((await callerOf(server, one)('POST', '/alert/acknowledge', { ids: [id] })).body).toMatchObject({
      alerts: [{ rule: { other: null } }],
    });
  });
});

import type { GeofenceShape, listInside, listVisits, RouteAnswer } from '@milepost/contract';
import { degrees, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { itHolds } from '../../../../testing/few-and-many.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { addVehicle } from '../../../../testing/ingest.ts';
import { callerOf, limit } from '../../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import type { ReceivedPosition } from '../../../tracks/stored-position.ts';
import { type DailyFigures, openDailyFigures } from '../../history/days/daily-figures.ts';
import { dropOldPositions } from '../../tenancy/retention.ts';
import { openVisits } from './visits.ts';

type Visits = RouteAnswer<typeof listVisits>;
type Inside = RouteAnswer<typeof listInside>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIMEOUT_MS = 20_000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** Meters east of the yard; a degree of longitude is 82.85 km there. */
const east = (meters: number) => degrees(-87.68 + meters / 82_850);
const circle = (meters: number, radiusM: number): GeofenceShape => ({
  kind: 'circle',
  center: [east(meters), 41.9],
  radiusM,
});
const YARD = circle(0, 150);
const CUSTOMER = circle(6000, 120);

const stands = (fromMs: number, toMs: number, meters: number): ReceivedPosition[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / (5 * MINUTE)) }, (_, i) =>
    receivedPosition(fromMs + i * 5 * MINUTE, { lon: east(meters) }),
  );
/** At 20 m/s, with a fix every 20 seconds. */
const drives = (fromMs: number, from: number, to: number): ReceivedPosition[] =>
  Array.from({ length: Math.floor(Math.abs(to - from) / 400) + 1 }, (_, i) =>
    receivedPosition(fromMs + i * 20_000, {
      lon: east(from + i * 400 * Math.sign(to - from)),
      speed: metresPerSecond(20),
      ignition: true,
    }),
  );
/** Leaves the yard, is an hour at the customer's, and comes back. */
const tour = (leavesMs: number): ReceivedPosition[] => [
  ...stands(leavesMs - HOUR, leavesMs, 0),
  ...drives(leavesMs, 0, 6000),
  ...stands(leavesMs + 6 * MINUTE, leavesMs + HOUR, 6000),
  ...drives(leavesMs + HOUR, 6000, 0),
  ...stands(leavesMs + HOUR + 6 * MINUTE, leavesMs + 2 * HOUR, 0),
];

interface Fleet {
  readonly owner: SignedIn;
  readonly vehicleId: number;
  call: ReturnType<typeof callerOf>;
  fence(shape: GeofenceShape, more?: object): Promise<string>;
  store(positions: readonly ReceivedPosition[], id?: number): Promise<void>;
}

async function fleet(): Promise<Fleet> {
  const owner = await signedIn(server);
  const { id: vehicleId } = await addVehicle(server.context, owner.accountId);
  await server.directory.settled();
  const call = callerOf(server, owner);
  let made = 0;
  return {
    owner,
    vehicleId,
    call,
    fence: async (shape, more = {}) => {
      const answer = await call('POST', '/geofence', { name: `Place ${++made}`, shape, ...more });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      await server.context.feed.settled();
      return (answer.body as { id: string }).id;
    },
    store: (positions, id = vehicleId) => storePositions(server, owner.accountId, id, positions),
  };
}

/** Once everything is counted. */
const visits = ({ call }: Pick<Fleet, 'call'>, query: Record<string, string>): Promise<Visits> =>
  vi.waitFor(
    async () => {
      const answer = await call('GET', `/visit?${new URLSearchParams(query)}`);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      const body = answer.body as Visits;
      expect(body.counting).toBe(0);
      return body;
    },
    { timeout: TIMEOUT_MS },
  );
const inside = async ({ call }: Pick<Fleet, 'call'>, query = ''): Promise<Inside> =>
  (await call('GET', `/visit/inside${query}`)).body as Inside;
const lately = (nowMs: number) => ({ from: iso(nowMs - 29 * DAY), to: iso(nowMs + DAY) });
const iso = (ms: number) => new Date(ms).toISOString();
const told = ({ visits: all }: Visits) =>
  all.map(({ geofenceId, entry, exit }) => [geofenceId, entry.at, exit?.at ?? null]);

describe('[R7.38] visits', () => {
  it('are counted as positions come, with the moments of the crossings, and say who is inside now', async () => {
    const it = await fleet();
    const [yard, customer] = [await it.fence(YARD), await it.fence(CUSTOMER)];
    const now = Date.now();
    const leaves = now - 3 * HOUR;
    await it.store(tour(leaves).filter(({ fixAt }) => fixAt < leaves));
    expect((await visits(it, lately(now))).visits).toHaveLength(1);
    // It was there from the first that is known: nobody knows that it entered.
    expect((await inside(it)).inside).toMatchObject([{ geofenceId: yard, isAtLeast: true }]);
    expect((await inside(it)).last).toEqual([]);
    await it.store(tour(leaves).filter(({ fixAt }) => fixAt >= leaves && fixAt < leaves + HOUR));
    const during = await visits(it, lately(now));
    expect(told(during)).toEqual([
      [customer, expect.any(String), null],
      [yard, iso(leaves - HOUR), expect.any(String)],
    ]);
    const [there, home] = during.visits;
    // 120 m before 6,000 m, and 150 m after 0, at 20 m/s.
    expect(Date.parse(there?.entry.at ?? '')).toBeCloseTo(leaves + (5880 / 20) * 1000, -3.5);
    expect(Date.parse(home?.exit?.at ?? '')).toBeCloseTo(leaves + (150 / 20) * 1000, -3.5);
    expect(home?.entry).toMatchObject({ after: null, confidence: 0.5 });
    expect((await inside(it)).inside).toEqual([
      {
        geofenceId: customer,
        deviceId: String(it.vehicleId),
        since: there?.entry.at,
        isAtLeast: false,
        confidence: expect.any(Number),
      },
    ]);
    expect((await inside(it)).last).toEqual([
      { geofenceId: yard, deviceId: String(it.vehicleId), at: home?.exit?.at, kind: 'exit' },
      { geofenceId: customer, deviceId: String(it.vehicleId), at: there?.entry.at, kind: 'enter' },
    ]);
    // Of single vehicles, for pages that know of the others; nobody has been there of those that don't exist.
    expect(await inside(it, `?vehicles=${it.vehicleId},1999999999`)).toEqual(await inside(it));
    expect(await inside(it, '?vehicles=1999999999')).toMatchObject({ inside: [], last: [], vehicles: 1 });
    const { rows: announced } = await server.context.db.pool.query(
      `select thing, vehicle_id from change where account_id = $1 and kind = 'visit' order by id`,
      [it.owner.accountId],
    );
    expect(announced.at(-1)).toEqual({ thing: String(it.vehicleId), vehicle_id: it.vehicleId });
    await it.store(tour(leaves).filter(({ fixAt }) => fixAt >= leaves + HOUR));
    const after = await visits(it, lately(now));
    expect(told(after).map(([id, , out]) => [id, out === null])).toEqual([
      [yard, true],
      [customer, false],
      [yard, false],
    ]);
    expect((await visits(it, { ...lately(now), geofenceId: customer })).visits).toHaveLength(1);
    const first = await visits(it, { ...lately(now), limit: '2' });
    expect(first.hasMore).toBe(true);
    const rest = await visits(it, { ...lately(now), limit: '2', after: first.visits[1]?.id ?? '' });
    expect([...first.visits, ...rest.visits]).toEqual(after.visits);
  });

  it('are corrected by positions that come late', async () => {
    const it = await fleet();
    const customer = await it.fence(CUSTOMER);
    const now = Date.now();
    const all = tour(now - 26 * HOUR);
    const gone = (position: ReceivedPosition) => position.lon !== all[0]?.lon;
    await it.store([...all.filter(position => !gone(position)), ...stands(now - 23 * HOUR, now - HOUR, 0)]);
    expect((await visits(it, lately(now))).visits).toEqual([]);
    await it.store(all.filter(gone));
    expect(told(await visits(it, lately(now)))).toEqual([[customer, expect.any(String), expect.any(String)]]);
  });

  it('of a new or changed geofence are counted over the last weeks; of one that is off or deleted, no more', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(YARD);
    await it.store([...tour(now - 50 * HOUR), ...tour(now - 26 * HOUR), ...stands(now - 23 * HOUR, now - HOUR, 0)]);
    expect((await visits(it, lately(now))).visits).toHaveLength(3);
    const customer = await it.fence(CUSTOMER);
    const query = { ...lately(now), geofenceId: customer };
    expect((await visits(it, query)).visits).toHaveLength(2);
    await it.call('PATCH', `/geofence/${customer}`, { shape: circle(60_000, 120) });
    await server.context.feed.settled();
    expect((await visits(it, query)).visits).toEqual([]);
    await it.call('PATCH', `/geofence/${customer}`, { shape: circle(0, 400) });
    await server.context.feed.settled();
    expect((await visits(it, query)).visits).toHaveLength(3);
    expect((await inside(it)).inside).toHaveLength(2);
    await it.call('PATCH', `/geofence/${customer}`, { isOn: false });
    await server.context.feed.settled();
    expect((await visits(it, query)).visits).toHaveLength(2);
    expect((await inside(it)).inside).toHaveLength(1);
    await it.call('DELETE', `/geofence/${customer}`);
    expect((await it.call('GET', `/visit?${new URLSearchParams(query)}`)).status).toBe(404);
    expect((await visits(it, lately(now))).visits).toHaveLength(3);
  });

  it('begin on the first day that counts for a geofence, where the vehicle has been for long', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(circle(90_000, 100));
    await it.store(stands(now - 9 * DAY, now, 0));
    await visits(it, lately(now));
    const yard = await it.fence(YARD);
    await visits(it, lately(now));
    const day = new Date(now - 3 * DAY).toISOString().slice(0, 10);
    const { system } = server.context.db;
    await sql`
      update geofence_version set since_day = ${day}, version = nextval('geofence_version_number')
      where geofence_id = ${yard}`.execute(system);
    await it.call('PATCH', `/geofence/${yard}`, { name: 'Yard' });
    await server.context.feed.settled();
    const { visits: all } = await visits(it, lately(now));
    expect(all).toMatchObject([{ geofenceId: yard, entry: { after: null }, exit: null }]);
    expect(all[0]?.entry.at.slice(0, 10)).toBe(day);
  });

  it('of a new vehicle are counted without a look at each day on which nothing came', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(YARD);
    await it.store([...tour(now - 25 * DAY), ...tour(now - 2 * DAY)]);
    const { system } = server.context.db;
    const { manager } = openDailyFigures(server.context, {
      ...{ directory: server.directory, live: server.live },
      visits: await openVisits(server.context, { ...server.organisation, placeOf: () => null }, 0),
    });
    for (let steps = 1; ; steps++) {
      await manager.look();
      const fold = await system
        .selectFrom('visit_fold')
        .select('late')
        .where('vehicle_id', '=', it.vehicleId)
        .execute();
      if (fold.length > 0 && fold[0]?.late === null) {
        // One day a step: those with fixes, the last one, and the step that begins.
        expect(steps).toBeLessThanOrEqual(6);
        break;
      }
      expect(steps).toBeLessThan(40);
    }
    const { visits: all } = await visits(it, lately(now));
    expect(all).toHaveLength(3);
  });

  it('of a new geofence are counted again where positions come late for a day that was counted already', async () => {
    const it = await fleet();
    const now = Date.now();
    const tours = [5, 4, 3, 2].map(day => tour(now - day * DAY));
    const gone = (position: ReceivedPosition) => position.lon !== east(0);
    const { manager } = openDailyFigures(server.context, {
      ...{ directory: server.directory, live: server.live },
      visits: await openVisits(server.context, { ...server.organisation, placeOf: () => null }, 0),
    });
    const catchUp = () => manager.catchUp(it.owner.accountId, [it.vehicleId], TIMEOUT_MS);
    await it.fence(YARD);
    await it.store([...(tours[0] ?? []).filter(position => !gone(position)), ...tours.slice(1).flat()]);
    await catchUp();
    await it.fence(CUSTOMER);
    for (let i = 0; i < 31; i++) await manager.look();
    await it.store((tours[0] ?? []).filter(gone));
    await manager.look();
    await catchUp();
    await manager.stop();
    const { visits: all } = await visits(it, lately(now));
    const byGeofence = Map.groupBy(all, ({ geofenceId }) => geofenceId);
    expect([...byGeofence.values()].map(of => of.length)).toEqual([5, 4]);
  });

  it('are those of the vehicles that a geofence is for, also when a vehicle changes its folder', async () => {
    const it = await fleet();
    const now = Date.now();
    const { id: folder } = (await it.call('POST', '/folder', { name: 'North' })).body as { id: string };
    const yard = await it.fence(YARD, { vehicles: { folderIds: [folder], deviceIds: [] } });
    await it.store(tour(now - 3 * HOUR));
    expect((await visits(it, lately(now))).visits).toEqual([]);
    await it.call('PATCH', `/folder/assign/${folder}`, { devices: [String(it.vehicleId)] });
    await server.context.feed.settled();
    expect(told(await visits(it, lately(now))).map(([id]) => id)).toEqual([yard, yard]);
    await it.call('PATCH', `/device/${it.vehicleId}`, { folderId: null });
    await server.context.feed.settled();
    expect(told(await visits(it, lately(now)))).toEqual([[yard, expect.any(String), expect.any(String)]]);
  });

  it('of vehicles outside their folders are not shown to limited users', async () => {
    const it = await fleet();
    await it.fence(YARD);
    const now = Date.now();
    await it.store(stands(now - HOUR, now, 0));
    const viewer = await signedIn(server, { accountId: it.owner.accountId, role: 'viewer' });
    const theirs = { call: callerOf(server, viewer) };
    expect((await visits(theirs, lately(now))).visits).toHaveLength(1);
    const { id: folder } = (await it.call('POST', '/folder', { name: 'South' })).body as { id: string };
    await limit(server.context, viewer, { folders: [folder] });
    expect(await visits(theirs, lately(now))).toMatchObject({ visits: [], vehicles: 0 });
    expect((await inside(theirs)).inside).toEqual([]);
    await it.call('PATCH', `/folder/assign/${folder}`, { devices: [String(it.vehicleId)] });
    await server.context.feed.settled();
    expect((await inside(theirs)).inside).toHaveLength(1);
  });

  it('are deleted with the positions', async () => {
    const it = await fleet();
    await it.fence(YARD);
    const now = Date.now();
    await it.store([...tour(now - 10 * DAY), ...stands(now - 2 * DAY, now - DAY, 0)]);
    expect((await visits(it, lately(now))).visits).toHaveLength(2);
    await it.call('PATCH', '/settings', { keepPositionsDays: 7 });
    await dropOldPositions(server.context, server.live);
    // Where it was when the positions begin, and still is.
    expect((await visits(it, lately(now))).visits.map(({ exit }) => exit)).toEqual([null]);
  });
});

const same = '[R7.38] visits are the same whatever came late, was changed in between, or killed the server';
itHolds(same, { few: 4, many: 40 }, async numRuns => {
  const nowMs = Date.now();
  const base = nowMs - 6 * DAY;
  const positions = [0, 1, 2, 4].flatMap(day => tour(base + day * DAY + 7 * HOUR));
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ what: fc.constant('store' as const), part: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('kill' as const) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('stop' as const) }) },
    { weight: 6, arbitrary: fc.record({ what: fc.constant('look' as const), ms: fc.constantFrom(0, 1, 300) }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('fence' as const), east: fc.constantFrom(0, 3000, 6000) }) },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constant('change' as const), radiusM: fc.constantFrom(80, 200, 700) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 24 }),
      fc.nat(),
      fc.nat(9),
      async (steps, seed, lastPart) => {
        const it = await fleet();
        const ids = [await it.fence(YARD)];
        const parts = Map.groupBy(positions, ({ fixAt }) => Math.floor(hashOf(fixAt, seed) * 10));
        let runner: DailyFigures | null = null;
        const open = async () => {
          runner ??= openDailyFigures(server.context, {
            ...{ directory: server.directory, live: server.live },
            visits: await openVisits(
              server.context,
              { ...server.organisation, placeOf: () => null },
              seed % 2 === 0 ? 0 : 50,
            ),
          });
          return runner.manager;
        };
        const look = async (ms: number): Promise<unknown> =>
          ms === 0 ? (await open()).look() : (await open()).catchUp(it.owner.accountId, [it.vehicleId], ms);
        const stored = new Set<number>();
        const store = async (part: number) => {
          if (!stored.has(part)) await it.store(parts.get(part) ?? []);
          stored.add(part);
        };
        for (const each of steps) {
          if (each.what === 'store') await store(each.part);
          else if (each.what === 'kill') runner = null;
          else if (each.what === 'look') await look(each.ms);
          else if (each.what === 'fence') ids.push(await it.fence(circle(each.east, 150)));
          else if (each.what === 'change') {
            await it.call('PATCH', `/geofence/${ids.at(-1)}`, { shape: circle(3000, each.radiusM) });
          } else {
            await (await open()).stop();
            runner = null;
          }
        }
        // The last one alone, so that counting again ends before the present.
        for (let part = 0; part < 10; part++) if (part !== lastPart) await store(part);
        await look(TIMEOUT_MS);
        await look(TIMEOUT_MS);
        if (!stored.has(lastPart)) {
          const isEarly = ({ fixAt }: ReceivedPosition): boolean => fixAt < base + 2 * DAY;
          const last = parts.get(lastPart) ?? [];
          await it.store(last.filter(position => !isEarly(position)));
          await look(TIMEOUT_MS);
          await look(TIMEOUT_MS);
          await it.store(last.filter(isEarly));
        }
        await server.context.feed.settled();
        const { system } = server.context.db;
        const rows = async () => {
          // Twice: what came late is noted first, and counted then.
          for (let i = 0; i < 4; i++) await look(TIMEOUT_MS);
          const fold = await system
            .selectFrom('visit_fold')
            .select(['late', 'added'])
            .where('vehicle_id', '=', it.vehicleId)
            .executeTakeFirst();
          expect(fold).toEqual({ late: null, added: null });
          return system
            .selectFrom('visit')
            .selectAll()
            .where('vehicle_id', '=', it.vehicleId)
            .orderBy('geofence_id')
            .orderBy('in_known_at')
            .execute();
        };
        const counted = await rows();
        await (await open()).stop();
        runner = null;
        for (const table of ['visit', 'visit_day', 'visit_fold'] as const) {
          await system.deleteFrom(table).where('vehicle_id', '=', it.vehicleId).execute();
        }
        expect(counted).toEqual(await rows());
        expect(counted.length).toBeGreaterThan(4);
        await (await open()).stop();
      },
    ),
    { numRuns },
  );
});

/** 0 to 1, the same for the same numbers. */
const hashOf = (value: number, seed: number): number => {
  const mixed = Math.sin((value / 1000) * 12.9898 + seed) * 43758.5453;
  return mixed - Math.floor(mixed);
};

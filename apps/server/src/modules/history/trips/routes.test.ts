import { listLegs, listStops, listTrips, type RouteAnswer, type readFleetDay } from '@milepost/contract';
import { degrees, fromKilometresPerHour, metres } from '@milepost/units';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { addVehicle } from '../../../../testing/ingest.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { dropOldPositions } from '../../tenancy/retention.ts';

type Trips = RouteAnswer<typeof listLegs>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestHttpServer;
let owner: SignedIn;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
});
afterAll(() => server.close());

const iso = (ms: number) => new Date(ms).toISOString();
const get = async <T>(path: string, query: Record<string, string>, { token } = owner): Promise<T> => {
  const answer = await server.call('GET', `${path}?${new URLSearchParams(query)}`, { token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as T;
};
/** Once everything is counted. */
const trips = (id: number, fromMs: number, toMs: number, me = owner): Promise<Trips> =>
  vi.waitFor(
    async () => {
      const path = listLegs.path.replace('{id}', String(id));
      const answer = await get<Trips>(path, { from: iso(fromMs), to: iso(toMs) }, me);
      expect(answer.isBehind).toBe(false);
      return answer;
    },
    { timeout: 30_000 },
  );

async function makeVehicle(): Promise<number> {
  const { id } = await addVehicle(server.context, owner.accountId);
  await server.directory.settled();
  return id;
}

/** Drives with one fix a minute and parks; a kilometer a minute. */
const drive = (fromMs: number, minutes: number, rfid: string | null = null, afterKm = 0) =>
  Array.from({ length: minutes + 1 }, (_, i) =>
    receivedPosition(fromMs + i * MINUTE, {
      lon: degrees(-87.68 + (afterKm + Math.min(i, minutes - 1)) / 82.85),
      speed: fromKilometresPerHour(i < minutes ? 60 : 0),
      ignition: i < minutes,
      odometer: metres(1_000_000 + i * 1000),
      rfid,
    }),
  );

it('lists trips and stops with their places, drivers and figures', async () => {
  const id = await makeVehicle();
  const { id: driverId } = await server.context.db.system
    .insertInto('driver')
    .values({ account_id: owner.accountId, name: 'Ada Park', card: 'A1B2' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.context.feed.settled();
  const calendar = server.figures.calendar(owner.accountId);
  const midnight = calendar.startOf(calendar.dayOf(Date.now()) - 2);
  const start = midnight + 8 * HOUR;
  await storePositions(server, owner.accountId, id, [
    receivedPosition(start - HOUR, { odometer: metres(1_000_000) }),
    ...drive(start, 60, 'A1B2'),
    ...drive(start + 3 * HOUR, 30, null, 59),
  ]);
  const { legs } = await trips(id, midnight, midnight + DAY);
  expect(legs.map(({ kind, from }) => [kind, from])).toEqual([
    ['gap', iso(midnight)],
    ['stop', iso(start - HOUR)],
    ['trip', iso(start)],
    ['stop', iso(start + HOUR)],
    ['trip', iso(start + 3 * HOUR)],
    ['stop', iso(start + 3 * HOUR + 30 * MINUTE)],
  ]);
  expect(legs[2]).toMatchObject({
    to: iso(start + HOUR),
    isUnderWay: false,
    movingS: 3600,
    odometerM: 60_000,
    maxSpeedMps: expect.closeTo(60 / 3.6, 5),
    start: { at: iso(start - HOUR), address: expect.stringContaining('Chicago') },
    end: { at: iso(start + HOUR), lon: expect.closeTo(-87.68 + 59 / 82.85, 5) },
    fuel: { start: 64.5, end: 64.5 },
    cards: [{ card: 'A1B2', driver: { id: String(driverId), name: 'Ada Park' } }],
  });
  expect(legs[4]).toMatchObject({ cards: [] });

  const query = { deviceId: String(id), from: iso(midnight), to: iso(midnight + DAY) };
  const counted = { isBehind: false, countedTo: expect.any(String) };
  expect(await get(listTrips.path, query)).toEqual({ ...counted, trips: [legs[2], legs[4]] });
  expect(await get(listStops.path, query)).toEqual({ ...counted, stops: [legs[1], legs[3], legs[5]] });
});

it('of a day add up to its figures exactly; a trip over midnight is whole and counts in both days', async () => {
  const id = await makeVehicle();
  const calendar = server.figures.calendar(owner.accountId);
  const today = calendar.dayOf(Date.now());
  const midnight = calendar.startOf(today - 2);
  await storePositions(server, owner.accountId, id, drive(midnight - 33.3 * MINUTE, 71));
  const { legs } = await trips(id, midnight - DAY, midnight + DAY);
  const over = legs.filter(({ kind }) => kind === 'trip');
  expect(over).toHaveLength(1);
  expect(over[0]?.days.map(({ date }) => date)).toEqual([calendar.dateOf(today - 3), calendar.dateOf(today - 2)]);
  // Whole, whichever of its days is asked for.
  for (const from of [midnight - DAY, midnight]) {
    const asked = await trips(id, from, from + DAY);
    expect(asked.legs.find(({ kind }) => kind === 'trip')).toEqual(over[0]);
  }
  for (const date of [calendar.dateOf(today - 3), calendar.dateOf(today - 2)]) {
    const { vehicles } = await get<RouteAnswer<typeof readFleetDay>>('/api/v1/fleet/day', { date });
    const figures = vehicles.find(({ deviceId }) => deviceId === String(id));
    const parts = legs.flatMap(({ days }) => days.filter(day => day.date === date));
    for (const name of ['movingS', 'idlingS', 'stoppedS', 'fixes'] as const) {
      expect([name, parts.reduce((sum, part) => sum + part[name], 0)]).toEqual([name, figures?.[name]]);
    }
    const millimetres = parts.reduce((sum, { distanceM }) => sum + Math.round(distanceM * 1000), 0);
    expect(millimetres / 1000).toBe(figures?.distanceM);
  }
});

it('of today go on until now, and change with positions that come late', async () => {
  const id = await makeVehicle();
  const now = Date.now();
  await storePositions(server, owner.accountId, id, drive(now - 20 * MINUTE, 21).slice(0, -2));
  const [before] = (await trips(id, now - HOUR, now + DAY)).legs.slice(-1);
  expect(before).toMatchObject({ kind: 'trip', isUnderWay: true, from: iso(now - 20 * MINUTE) });
  await storePositions(server, owner.accountId, id, drive(now - 50 * MINUTE, 20));
  const { legs } = await trips(id, now - HOUR, now + DAY);
  expect(legs.filter(({ kind }) => kind === 'trip').map(({ from }) => from)).toEqual([
    iso(now - 50 * MINUTE),
    iso(now - 20 * MINUTE),
  ]);
});

it('a stop has begun when the vehicle came, days ago', async () => {
  const id = await makeVehicle();
  const calendar = server.figures.calendar(owner.accountId);
  const midnight = calendar.startOf(calendar.dayOf(Date.now()) - 5);
  await storePositions(server, owner.accountId, id, [
    ...drive(midnight, 30),
    ...[6, 12, 24, 36, 48, 60, 72].map(hours =>
      receivedPosition(midnight + hours * HOUR, { lon: degrees(-87.68 + 29 / 82.85) }),
    ),
  ]);
  const asked = await trips(id, midnight + 50 * HOUR, midnight + 51 * HOUR);
  expect(asked.legs).toHaveLength(1);
  expect(asked.legs[0]).toMatchObject({ kind: 'stop', from: iso(midnight + 30 * MINUTE) });
  expect(asked.legs[0]?.days.length).toBeGreaterThanOrEqual(4);
});

it('of a driver are those on which they drove themselves', async () => {
  const id = await makeVehicle();
  const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
  const { system } = server.context.db;
  const ann = { account_id: owner.accountId, name: 'Ann', card: 'CARD1', user_id: driver.userId };
  const { id: driverId } = await system.insertInto('driver').values(ann).returning('id').executeTakeFirstOrThrow();
  await system.insertInto('driver').values({ account_id: owner.accountId, name: 'Bo', card: 'CARD2' }).execute();
  await system.updateTable('vehicle').set({ usual_driver_id: driverId }).where('id', '=', id).execute();
  await server.context.feed.settled();
  await Promise.all([server.directory.settled(), server.organisation.roster.settled()]);
  const calendar = server.figures.calendar(owner.accountId);
  const midnight = calendar.startOf(calendar.dayOf(Date.now()) - 1);
  const [bo, me] = [midnight + 8 * HOUR, midnight + 12 * HOUR];
  await storePositions(server, owner.accountId, id, [...drive(bo, 60, 'CARD2'), ...drive(me, 60, 'CARD1', 59)]);

  const driven = ({ legs }: Trips) =>
    legs.filter(({ kind }) => kind === 'trip').map(({ from, cards }) => [from, cards.map(({ card }) => card)]);
  expect(driven(await trips(id, midnight, midnight + DAY))).toEqual([
    [iso(bo), ['CARD2']],
    [iso(me), ['CARD1']],
  ]);
  const mine = await trips(id, midnight, midnight + DAY, driver);
  expect(driven(mine)).toEqual([[iso(me), ['CARD1']]]);
  // Nor any place, time or distance of the other's.
  expect(mine.legs.reduce((sum, { distanceM }) => sum + distanceM, 0)).toBeCloseTo(59_000, -3);
});

it('are deleted with the positions, and refuse a period that is too long', async () => {
  const id = await makeVehicle();
  const now = Date.now();
  await storePositions(server, owner.accountId, id, drive(now - 10 * DAY, 20));
  expect((await trips(id, now - 11 * DAY, now)).legs.some(({ kind }) => kind === 'trip')).toBe(true);
  const path = listLegs.path.replace('{id}', String(id));
  const long = new URLSearchParams({ from: iso(now - 40 * DAY), to: iso(now) });
  expect((await server.call('GET', `${path}?${long}`, { token: owner.token })).body).toMatchObject({
    code: 'range-too-long',
  });
  await server.context.db.system
    .insertInto('account_setting')
    .values({ account_id: owner.accountId, name: 'keepPositionsDays', value: '7' })
    .execute();
  await dropOldPositions(server.context, server.live);
  const rows = await server.context.db.system
    .selectFrom('trip_part')
    .select('kind')
    .where('vehicle_id', '=', id)
    .where('kind', '=', 'trip')
    .execute();
  expect(rows).toEqual([]);
});

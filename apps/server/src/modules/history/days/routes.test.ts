import { type RouteAnswer, type readFleetDay, readVehicleDay } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { addVehicle } from '../../../../testing/ingest.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { dropOldPositions } from '../../tenancy/retention.ts';

type FleetDay = RouteAnswer<typeof readFleetDay>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let server: TestHttpServer;
let owner: SignedIn;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
});
afterAll(() => server.close());

const get = async <T>(path: string, query: Record<string, string> = {}, { token } = owner): Promise<T> => {
  const answer = await server.call('GET', `${path}?${new URLSearchParams(query)}`, { token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as T;
};

/** Drives for an hour with one fix a minute, and parks. */
const drive = (fromMs: number, rfid: string | null = null) =>
  Array.from({ length: 61 }, (_, i) =>
    receivedPosition(fromMs + i * MINUTE, {
      lon: degrees(-87.68 + Math.min(i, 59) / 82.85),
      speed: fromKilometresPerHour(i < 60 ? 60 : 0),
      ignition: i < 60,
      rfid,
    }),
  );

async function makeVehicle(): Promise<number> {
  const { id } = await addVehicle(server.context, owner.accountId);
  await server.directory.settled();
  return id;
}

async function bothRoutes(id: number, date: string | undefined, me = owner) {
  // A call waits a moment for what is not counted yet; if that is not enough, it says so.
  const { vehicles, ...asked } = await vi.waitFor(
    async () => {
      const answer = await get<FleetDay>('/api/v1/fleet/day', date === undefined ? {} : { date }, me);
      expect(answer.vehicles.find(({ deviceId }) => deviceId === String(id))?.isBehind).toBe(false);
      return answer;
    },
    { timeout: 35_000 },
  );
  const path = readVehicleDay.path.replace('{id}', String(id));
  const { segments: _, ...day } = await get<RouteAnswer<typeof readVehicleDay>>(
    path,
    { from: asked.from, to: asked.until },
    me,
  );
  return { asked, day, fleet: vehicles.find(({ deviceId }) => deviceId === String(id)) };
}

it('[R2.11] the fleet’s day has of every vehicle what its own day says, of the past and of today', async () => {
  const id = await makeVehicle();
  const now = Date.now();
  const calendar = server.figures.calendar(owner.accountId);
  const yesterday = calendar.dayOf(now) - 1;
  const start = calendar.startOf(yesterday) + 8 * 60 * MINUTE;
  await storePositions(server, owner.accountId, id, drive(start));
  const past = await bothRoutes(id, calendar.dateOf(yesterday));
  expect(past.asked).toMatchObject({ zone: 'America/Chicago', date: calendar.dateOf(yesterday) });
  expect(past.day).toMatchObject({ movingS: 3600, stops: 1, fixes: 61 });
  expect(past.fleet).toMatchObject({ ...past.day, isBehind: false });
  expect(past.fleet).toMatchObject({
    firstMoveAt: new Date(start).toISOString(),
    lastStopAt: new Date(start + 60 * MINUTE).toISOString(),
  });

  await storePositions(server, owner.accountId, id, [
    receivedPosition(now - 2 * MINUTE, { ignition: true }),
    receivedPosition(now - MINUTE, { ignition: true }),
  ]);
  const today = await bothRoutes(id, undefined);
  expect(today.asked).toMatchObject({ date: calendar.dateOf(yesterday + 1) });
  expect(today.fleet).toMatchObject(today.day);
  expect(today.day.fixes).toBe(now - 2 * MINUTE >= calendar.startOf(yesterday + 1) ? 2 : 1);

  const silent = await bothRoutes(await makeVehicle(), calendar.dateOf(yesterday));
  expect(silent.fleet).toMatchObject({ ...silent.day, gapS: DAY / 1000, isBehind: false });
});

it('a driver’s figures are of where they drove themselves', async () => {
  const id = await makeVehicle();
  const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
  const { system } = server.context.db;
  const { id: driverId } = await system
    .insertInto('driver')
    .values({ account_id: owner.accountId, name: 'Ann', card: 'CARD1', user_id: driver.userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await system.updateTable('vehicle').set({ usual_driver_id: driverId }).where('id', '=', id).execute();
  await server.context.feed.settled();
  await Promise.all([server.directory.settled(), server.organisation.roster.settled()]);
  const calendar = server.figures.calendar(owner.accountId);
  const yesterday = calendar.dayOf(Date.now()) - 1;
  const at = (hour: number) => calendar.startOf(yesterday) + hour * 60 * MINUTE;
  const someone = { account_id: owner.accountId, name: 'Bo', card: 'CARD2' };
  await system.insertInto('driver').values(someone).execute();
  await server.context.feed.settled();
  await server.organisation.roster.settled();
  await storePositions(server, owner.accountId, id, [...drive(at(8), 'CARD2'), ...drive(at(12), 'CARD1')]);

  const [all, mine] = [
    await bothRoutes(id, calendar.dateOf(yesterday)),
    await bothRoutes(id, calendar.dateOf(yesterday), driver),
  ];
  expect(all.fleet).toMatchObject({ ...all.day, fixes: 122 });
  expect(mine.fleet).toMatchObject({ ...mine.day, fixes: 61, movingS: 3600 });
});

it('no figures are kept of days whose positions are deleted', async () => {
  const id = await makeVehicle();
  const calendar = server.figures.calendar(owner.accountId);
  const date = calendar.dateOf(calendar.dayOf(Date.now()) - 20);
  await storePositions(server, owner.accountId, id, drive(calendar.startOf(calendar.numberOf(date)) + DAY / 2));
  expect((await bothRoutes(id, date)).fleet?.movingS).toBe(3600);
  const keep = { account_id: owner.accountId, name: 'keepPositionsDays', value: '14' };
  await server.context.db.system.insertInto('account_setting').values(keep).execute();
  await dropOldPositions(server.context, server.live);
  const after = await bothRoutes(id, date);
  expect(after.fleet).toMatchObject({ ...after.day, movingS: 0, gapS: DAY / 1000 });
});

it('a day that is none is refused beside its field', async () => {
  const { status, body } = await server.call('GET', '/api/v1/fleet/day?date=yesterday', { token: owner.token });
  expect(status).toBe(400);
  expect(body).toMatchObject({ errors: [{ field: 'date', message: 'Enter the date as YYYY-MM-DD.' }] });
});

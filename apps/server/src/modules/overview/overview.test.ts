import {
  FLEET_STATUSES,
  type FleetPeriod,
  fleetFigure,
  measuredOf,
  type Overview,
  type RouteAnswer,
  type readFleetDay,
} from '@milepost/contract';
import { VEHICLE_STATUSES } from '@milepost/geo';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestHttpServer;
let owner: SignedIn;
let [truck, van]: number[] = [];
let folderId: number;

/** Drives for half an hour, idles for half an hour, and parks. */
const outing = (fromMs: number) =>
  Array.from({ length: 61 }, (_, i) =>
    receivedPosition(fromMs + i * MINUTE, {
      lon: degrees(-87.68 + Math.min(i, 30) / 82.85),
      speed: fromKilometresPerHour(i <= 30 ? 60 : 0),
      ignition: i < 60,
    }),
  );

const calendar = () => server.figures.calendar(owner.accountId);
const today = () => calendar().dayOf(Date.now());
const date = (daysAgo: number) => calendar().dateOf(today() - daysAgo);
const at = (daysAgo: number, hour: number) => calendar().startOf(today() - daysAgo) + hour * HOUR;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  const { system } = server.context.db;
  const { id } = await system
    .insertInto('folder')
    .values({ account_id: owner.accountId, name: 'North' })
    .returning('id')
    .executeTakeFirstOrThrow();
  folderId = id;
  truck = (await addVehicle(server.context, owner.accountId)).id;
  van = (await addVehicle(server.context, owner.accountId)).id;
  await system.updateTable('vehicle').set({ folder_id: folderId }).where('id', '=', truck).execute();
  await server.context.feed.settled();
  await Promise.all([server.directory.settled(), server.organisation.roster.settled()]);
  // Two trips in the days before, one the day before that.
  for (const [vehicle, days] of [
    [truck, [3, 2, 1]],
    [van, [3, 1]],
  ] as const) {
    for (const daysAgo of days) await storePositions(server, owner.accountId, vehicle, outing(at(daysAgo, 9)));
  }
  await overview({ from: date(6), to: date(0) });
});
afterAll(() => server.close());

async function get<T>(path: string, query: Record<string, string>, { token } = owner): Promise<T> {
  const answer = await server.call('GET', `${path}?${new URLSearchParams(query)}`, { token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as T;
}
/** Waits until every day is counted: a busy server answers before that, with the number of vehicles still to count. */
async function overview(query: Record<string, string>, who = owner): Promise<Overview> {
  let answer = await get<Overview>('/api/v1/overview', query, who);
  while (answer.behind > 0) answer = await get<Overview>('/api/v1/overview', query, who);
  return answer;
}
const tile = ({ tiles }: Overview, key: string) => tiles.find(one => one.key === key);

async function fleetDay(daysAgo: number) {
  const { vehicles } = await get<RouteAnswer<typeof readFleetDay>>('/api/v1/fleet/day', { date: date(daysAgo) });
  return vehicles;
}
const sumOf = (days: Awaited<ReturnType<typeof fleetDay>>[], of: (day: (typeof days)[0][0]) => number) =>
  days.flat().reduce((sum, day) => sum + of(day), 0);

describe('the overview', () => {
  it('[R2.11] counts vehicles of every status', () => {
    expect([...FLEET_STATUSES]).toEqual([...VEHICLE_STATUSES]);
  });

  it('[R2.11] adds up the vehicles’ days of a period and of the one before', async () => {
    const [now, before] = [[await fleetDay(2), await fleetDay(1)], [await fleetDay(3)]];
    const period = await overview({ from: date(2), to: date(1) });
    expect(period).toMatchObject({
      zone: 'America/Chicago',
      today: date(0),
      since: date(3),
      behind: 0,
      passing: 0,
      vehicles: 2,
      previous: { from: date(4), to: date(3) },
    });
    const distance = sumOf(now, day => day.distanceM);
    expect(tile(period, 'distance')?.value).toBeCloseTo(distance, 6);
    expect(period.distance.days.map(way => Math.round(way ?? -1))).toEqual(
      now.map(day => Math.round(sumOf([day], one => one.distanceM))),
    );
    const [moving, idling] = [sumOf(now, day => day.movingS), sumOf(now, day => day.idlingS)];
    expect(idling).toBeGreaterThan(0);
    expect(tile(period, 'idleShare')?.value).toBeCloseTo(idling / (moving + idling), 9);
    expect(tile(period, 'driving')?.value).toBeCloseTo(moving, 6);
    expect(tile(period, 'stops')).toMatchObject({
      value: sumOf(now, day => day.stops),
      series: now.map(day => sumOf([day], one => one.stops)),
    });
    expect(tile(period, 'utilisation')).toMatchObject({ value: 3 / 4, series: [0.5, 1] });
    // Only one of the two days before has data, so there is nothing to compare with.
    expect(tile(period, 'distance')).toMatchObject({ previous: null, change: null });
    expect(period.distance.previousDays).toEqual([null, sumOf(before, day => day.distanceM)]);

    const yesterday = await overview({ from: date(1), to: date(1) });
    expect(tile(yesterday, 'driving')?.change).toBeCloseTo(1, 6);
    expect(tile(yesterday, 'utilisation')).toMatchObject({ value: 1, previous: 0.5, change: 0.5 });
  });

  it('says when vehicles were on the road, by weekday and hour of the account’s clock', async () => {
    const { hours } = await overview({ from: date(1), to: date(1) });
    const weekday = (new Date(`${date(1)}T00:00:00Z`).getUTCDay() + 6) % 7;
    expect(hours[weekday]?.[9]).toBeCloseTo(1, 1);
    expect(hours[weekday]?.[10]).toBe(0);
    expect(hours[(weekday + 1) % 7]).toEqual(Array(24).fill(null));
  });

  it('covers only a folder’s vehicles, and only visible ones', async () => {
    const north = await overview({ from: date(1), to: date(1), folderId: String(folderId) });
    const [mine] = (await fleetDay(1)).filter(({ deviceId }) => deviceId === String(truck));
    expect(north.vehicles).toBe(1);
    expect(tile(north, 'distance')?.value).toBeCloseTo(mine?.distanceM ?? -1, 6);

    const dispatcher = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    await server.context.db.system
      .updateTable('app_user')
      .set({ scope_folders: [folderId], scope_departments: [] })
      .where('id', '=', dispatcher.userId)
      .execute();
    const seen = await overview({ from: date(1), to: date(1) }, dispatcher);
    expect(seen.vehicles).toBe(1);
    expect(tile(seen, 'distance')?.value).toBe(tile(north, 'distance')?.value);
    // Data that their role may not see is left out here, too.
    expect(seen.now.subscriptionsEnding).toBeNull();

    const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const refused = await server.call('GET', `/api/v1/overview?from=${date(1)}&to=${date(1)}`, { token: driver.token });
    expect(refused.status).toBe(403);
  });

  it('shows the account’s targets for the whole fleet, not for a part of it', async () => {
    const change = { targetIdlePercent: 12.5, targetDistanceKmPerWeek: 700 };
    const answer = await server.call('PATCH', '/api/v1/settings', { token: owner.token, body: change });
    expect(answer.status).toBe(200);
    const all = await overview({ from: date(2), to: date(1) });
    expect([tile(all, 'idleShare')?.target, tile(all, 'distance')?.target]).toEqual([0.125, 200_000]);
    const north = await overview({ from: date(2), to: date(1), folderId: String(folderId) });
    expect(tile(north, 'idleShare')?.target).toBeNull();
    const wrong = await server.call('PATCH', '/api/v1/settings', {
      token: owner.token,
      body: { targetIdlePercent: 130 },
    });
    expect(wrong.body).toMatchObject({
      errors: [{ field: 'targetIdlePercent', message: 'Enter 0 to 100, or leave this empty.' }],
    });
  });

  it('ranks what to do next, each kind once, with its supporting figures', async () => {
    const { system } = server.context.db;
    await system
      .insertInto('document')
      .values({
        account_id: owner.accountId,
        vehicle_id: van ?? 0,
        driver_id: null,
        kind: 'insurance',
        title: 'Insurance',
        expires_on: date(4),
        notes: null,
        file_name: 'a.pdf',
        file: 'a',
        type: 'application/pdf',
        bytes: 1,
        created_by: null,
      })
      .execute();
    await addVehicle(server.context, owner.accountId);
    await server.directory.settled();
    const { doNext, now } = await overview({ from: date(2), to: date(0) });
    expect(doNext.map(({ kind, severity, count, measure }) => [kind, severity, count, measure])).toEqual([
      ['documentsEnded', 'critical', 1, -4],
      ...(now.silent > 0 ? [['silent', 'warning', now.silent, expect.any(Number)]] : []),
      ['neverHeard', 'info', 1, null],
    ]);
    expect(doNext[0]?.about).toEqual([{ deviceId: String(van), name: expect.any(String) }]);
    expect(now).toMatchObject({ documentsEnding: 1, alerts: { critical: 0 }, drivers: { driving: 0 } });
    expect(Object.values(now.statuses).reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  it('refuses periods that are too long or backward, and folders of other accounts', async () => {
    const problem = async (query: Record<string, string>) => {
      const { body } = await server.call('GET', `/api/v1/overview?${new URLSearchParams(query)}`, owner);
      return (body as { code: string }).code;
    };
    expect(await problem({ from: '2026-01-01', to: '2026-12-31' })).toBe('range-too-long');
    expect(await problem({ from: '2026-02-01', to: '2026-01-01' })).toBe('invalid-input');
    expect(await problem({ from: '2026-02-01', to: '2026-02-01', folderId: '2000000000' })).toBe('not-found');
  });
});

describe('the fleet over a period', () => {
  const period = (query: Record<string, string>) => get<FleetPeriod>('/api/v1/fleet/period', query);
  const inZone = async (timeZone: string) => {
    const answer = await server.call('PATCH', '/api/v1/settings', { token: owner.token, body: { timeZone } });
    expect(answer.status).toBe(200);
    // The days are counted again.
    const week = () => overview({ from: date(6), to: date(0) });
    await expect.poll(async () => (await week()).zone).toBe(timeZone);
  };

  it.each(['America/Chicago', 'Pacific/Auckland', 'Asia/Kathmandu', 'Pacific/Honolulu'])(
    '[R2.11] has the vehicles whose sums are the overview’s figures, for any period in %s',
    async zone => {
      await inZone(zone);
      await fc.assert(
        fc.asyncProperty(fc.nat(6), fc.nat(6), fc.boolean(), async (one, other, inFolder) => {
          const days = { from: date(Math.max(one, other)), to: date(Math.min(one, other)) };
          const of = await overview({ ...days, ...(inFolder && { folderId: String(folderId) }) });
          const { daySeconds, vehicles } = await period(days);
          const shown = inFolder ? vehicles.filter(({ deviceId }) => deviceId === String(truck)) : vehicles;
          expect(shown).toHaveLength(of.vehicles);
          const sums = measuredOf({ from: days.from, daySeconds }, shown);
          for (const { key, value } of of.tiles) {
            const figure = fleetFigure(key, sums);
            if (value === null) expect([key, figure]).toEqual([key, null]);
            // Today's figure grows between the two answers.
            else expect([key, (figure ?? Number.NaN) - value]).toEqual([key, expect.closeTo(0, 2)]);
          }
        }),
        { numRuns: 15 },
      );
    },
  );

  it('matches the fleet’s figures for a single day', async () => {
    const { vehicles } = await period({ from: date(1), to: date(1) });
    const days = await fleetDay(1);
    for (const { since: _, inUse, alerts: __, ...sums } of vehicles) {
      const { isInUse, ...day } = days.find(({ deviceId }) => deviceId === sums.deviceId) ?? {};
      expect(day).toMatchObject(sums);
      expect(inUse).toBe(isInUse ? 1 : 0);
    }
  });

  it('is not for drivers, nor longer than an overview', async () => {
    const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const ask = (query: string, { token } = owner) => server.call('GET', `/api/v1/fleet/period?${query}`, { token });
    expect((await ask(`from=${date(1)}&to=${date(0)}`, driver)).status).toBe(403);
    expect((await ask('from=2026-01-01&to=2026-12-31')).body).toMatchObject({ code: 'range-too-long' });
    expect((await ask('from=2026-02-02&to=2026-02-01')).body).toMatchObject({ code: 'invalid-input' });
  });
});

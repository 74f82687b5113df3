import type { ReportPage } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;
const EVERY_MS = 10_000;
/** Degrees of longitude in a minute of driving. */
const STEP = 0.014;

let server: TestHttpServer;
let owner: SignedIn;
let vehicleId: number;
let noon: number;
let period: { readonly from: string; readonly to: string };

/**
 * Two days ago: 20 minutes east. 70 km/h at first, of which two minutes are in a geofence for 50; then 95, over the
 * vehicle's own 80; for a moment 85 at the end.
 */
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  const call = callerOf(server, owner);
  const id = ({ body, text }: { readonly body: unknown; readonly text: string }): string => {
    const { id: made } = body as { id?: string };
    expect([made, text]).toEqual([expect.any(String), text]);
    return made as string;
  };
  const driver = id(await call('POST', '/driver', { name: 'Ann', card: '04A1' }));
  vehicleId = Number((await addNamedVehicle(server, owner.accountId, 'Fast')).id);
  await addNamedVehicle(server, owner.accountId, 'Without a limit');
  expect((await call('PATCH', `/device/${vehicleId}`, { speedLimitKmh: 80, usualDriverId: driver })).status).toBe(200);
  const square = (from: number, to: number) => ({
    kind: 'polygon',
    rings: [
      [
        [-87.75 + from * STEP, 41.55],
        [-87.75 + to * STEP, 41.55],
        [-87.75 + to * STEP, 41.65],
        [-87.75 + from * STEP, 41.65],
      ],
    ],
  });
  for (const [name, shape, rest] of [
    ['School', square(3.95, 5.95), {}],
    ['Off', square(7, 8), { isOn: false }],
    ['Of others', square(7, 8), { vehicles: { folderIds: [], deviceIds: [] } }],
  ] as const) {
    id(await call('POST', '/geofence', { name, shape, speedLimitKmh: 50, ...rest }));
  }
  const calendar = server.figures.calendar(owner.accountId);
  const day = calendar.dayOf(Date.now()) - 2;
  period = { from: calendar.dateOf(day), to: calendar.dateOf(day) };
  noon = calendar.startOf(day) + 12 * 60 * MINUTE;
  await storePositions(
    server,
    owner.accountId,
    vehicleId,
    Array.from({ length: 121 }, (_, i) => {
      const minute = (i * EVERY_MS) / MINUTE;
      const kmh = minute < 10 ? 70 : minute < 15 ? 95 : minute === 18 ? 85 : 75;
      return receivedPosition(noon + i * EVERY_MS, {
        lat: degrees(41.6),
        lon: degrees(-87.75 + minute * STEP),
        speed: fromKilometresPerHour(i === 72 ? 110 : kmh),
        ignition: true,
        event: minute === 3 ? 'harshBraking' : minute === 12 || minute === 13 ? 'harshAcceleration' : null,
        rfid: '04A1',
      });
    }),
  );
  await vi.waitFor(async () => expect((await run('daily-summary')).behind).toBe(0), { timeout: 60_000, interval: 50 });
}, 90_000);
afterAll(() => server.close());

const run = async (key: string, query: Readonly<Record<string, string>> = {}) => {
  const path = `/api/v1/report/${key}?${new URLSearchParams({ ...period, limit: '500', ...query })}`;
  const answer = await server.call('GET', path, { token: owner.token });
  expect([key, answer.status, answer.text]).toEqual([key, 200, expect.any(String)]);
  return answer.body as ReportPage;
};
const rowsOf = ({ columns, rows }: ReportPage, ...keys: string[]) =>
  rows.map(({ cells }) => keys.map(key => cells[columns.findIndex(each => each.key === key)]));
const total = ({ columns, totals }: ReportPage, key: string) => totals[columns.findIndex(each => each.key === key)];
const at = (minutes: number): string => new Date(noon + minutes * MINUTE).toISOString();

describe('[R2.04] the report of', () => {
  it('speeding over limits has each time over a geofence’s limit or the vehicle’s own, with its track', async () => {
    const page = await run('over-limit', { minimumS: '10' });
    expect(rowsOf(page, 'vehicle', 'driver', 'limitOf', 'start', 'end', 'length')).toEqual([
      ['Fast', 'Ann', 'School', at(4), at(6), 120],
      ['Fast', 'Ann', 'The vehicle’s own', at(10), at(15), 300],
      ['Fast', 'Ann', 'The vehicle’s own', at(18), at(18 + 1 / 6), 10],
    ]);
    const [fence, own] = rowsOf(page, 'limit', 'topSpeed', 'over') as number[][];
    expect(fence?.map(value => Math.round(value * 3.6))).toEqual([50, 70, 20]);
    expect(own?.map(value => Math.round(value * 3.6))).toEqual([80, 110, 30]);
    expect(page.rows[1]?.evidence).toEqual({ from: at(10), to: at(15) });
    expect([total(page, 'length'), (await run('over-limit', { minimumS: '60' })).total]).toEqual([430, 2]);
    for (const groupBy of ['vehicle', 'driver', 'day', 'week']) {
      const grouped = await run('over-limit', { groupBy });
      expect([groupBy, total(grouped, 'length'), grouped.groups.length]).toEqual([groupBy, 420, 1]);
    }
  });

  it('harsh driving has each event that the tracker reported, by kind', async () => {
    const page = await run('harsh-events');
    expect(rowsOf(page, 'driver', 'time', 'what')).toEqual([
      ['Ann', at(3), 'Harsh braking'],
      ['Ann', at(12), 'Harsh acceleration'],
      ['Ann', at(13), 'Harsh acceleration'],
    ]);
    expect(['accelerations', 'brakings', 'cornerings'].map(key => total(page, key))).toEqual([2, 1, 0]);
    expect((await run('harsh-events', { language: 'es', groupBy: 'driver' })).groups.map(({ total }) => total)).toEqual(
      [3],
    );
  });

  it('score inputs takes as many points as the score says', async () => {
    const { system } = server.context.db;
    const { id: driverId } = await system
      .selectFrom('driver')
      .select('id')
      .where('account_id', '=', owner.accountId)
      .executeTakeFirstOrThrow();
    for (const [kind, minutes] of [
      ['overspeed', 11],
      ['harshDriving', 3],
      ['harshDriving', 12],
    ] as const) {
      await system
        .insertInto('alert')
        .values({
          ...{ id: crypto.randomUUID(), account_id: owner.accountId, vehicle_id: vehicleId, driver_id: driverId, kind },
          ...{ severity: 'info', opened_at: new Date(at(minutes)), updated_at: new Date(at(minutes)) },
          closed_at: new Date(at(minutes + 1)),
        })
        .execute();
    }
    const call = callerOf(server, owner);
    const weights = { speeding: 0.5, harsh: 0.25, idling: 1, hours: 10, certification: 2, unidentified: 5 };
    expect((await call('PATCH', '/eld/performance', weights)).status).toBe(200);
    const { drivers, from, to } = (await call('GET', '/eld/performance')).body as {
      from: string;
      to: string;
      drivers: { name: string; score: number; km: number; parts: { kind: string; points: number; amount: number }[] }[];
    };
    const [ann] = drivers;
    const page = await run('score-inputs', { from, to });
    const rows = rowsOf(page, 'driver', 'what', 'events', 'points', 'driven');
    const parts = ann?.parts.filter(({ amount }) => amount > 0) ?? [];
    expect(rows.map(([, , events, points]) => [events, points])).toEqual(
      parts.map(({ amount, points }) => [amount, points]),
    );
    expect(rows.map(([driver, what]) => [driver, what])).toEqual([
      ['Ann', 'Speeding'],
      ['Ann', 'Harsh driving'],
    ]);
    expect(Number(rows[0]?.[4])).toBeCloseTo((ann?.km ?? 0) * 1000, 3);
    expect(100 - Number(total(page, 'points'))).toBeCloseTo(ann?.score ?? Number.NaN, 2);
  });
});

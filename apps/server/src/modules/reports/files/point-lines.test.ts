import type { ReportQuery } from '@milepost/contract';
import { degrees, metres, metresPerSecond } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { testImei } from '../../../../testing/imei.ts';
import { callerOf } from '../../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { reportContextOf } from '../../../ingest/report.ts';
import { openPlaces } from '../../places/places.ts';
import { reportFor } from '../catalogue.ts';
import { resultOf } from '../run.ts';
import { createReportSources } from '../sources.ts';
import { csvOf } from './csv.ts';

const MINUTE = 60_000;
/** Clocks go back in Chicago on this day. */
const START = Date.parse('2026-11-01T00:00:00Z');
const POINTS = 1500;

let server: TestHttpServer;
let owner: SignedIn;
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  const call = callerOf(server, owner);
  const id = async (path: string, body: object): Promise<string> => {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return (answer.body as unknown as { id: string }).id;
  };
  expect((await call('PATCH', '/settings', { timeZone: 'America/Chicago' })).status).toBe(200);
  const [ann, ben] = [await id('/driver', { name: '@Ann, "A"', card: '04A1' }), await id('/driver', { name: 'Ben' })];
  const vehicle = (nth: number, deviceName: string, more: object = {}) =>
    id('/device', { imei: testImei(881_000 + nth), deviceName, ...more });
  const first = await vehicle(1, '=Truck, "1"', { usualDriverId: ben, odometerOffsetKm: 12.5 });
  const second = await vehicle(2, 'Truck 2');
  const spans = [
    { from: 100.5, to: 300, driver: ann },
    { from: 300, to: 700.001, driver: ben },
  ];
  for (const { driver, from, to } of spans) {
    await server.context.db.system
      .insertInto('driver_span')
      .values({
        ...{ account_id: owner.accountId, vehicle_id: Number(second), driver_id: Number(driver), kind: 'signed-in' },
        ...{ from_at: new Date(START + from * MINUTE), to_at: new Date(START + to * MINUTE) },
      })
      .execute();
  }
  for (const [nth, vehicleId] of [first, second].entries()) {
    const fixes = Array.from({ length: POINTS }, (_, i) =>
      receivedPosition(START + i * MINUTE + (i % 7) * 333, {
        lat: degrees(i % 50 === 0 ? 0 : 41.2 + Math.sin(i / 300 + nth)),
        lon: degrees(i % 50 === 0 ? 0 : -89.7 + Math.cos(i / 200)),
        speed: i % 11 === 0 ? null : metresPerSecond((i % 40) * 0.777),
        course: i % 13 === 0 ? null : degrees((i * 7.77) % 360),
        odometer: i % 17 === 0 ? null : metres(i % 19 === 0 ? 0 : 1e6 + i * 123.4567),
        ignition: [true, false, null][i % 3] ?? null,
        rfid: i % 23 === 0 ? '04A1' : i % 29 === 0 ? 'UNKNOWN' : null,
        valid: i % 31 !== 0,
      }),
    );
    await storePositions(server, owner.accountId, Number(vehicleId), fixes);
  }
  await server.context.feed.settled();
}, 90_000);
afterAll(() => server.close());

it.each([
  { language: 'en-US', distanceUnit: 'mi' },
  { language: 'fr', distanceUnit: 'km' },
] as const)('[R2.04] lines of points are those that their cells give, in $language', async style => {
  const { context, figures, organisation, workers } = server;
  const places = await openPlaces();
  const reportContext = reportContextOf(places, organisation.roster);
  const sources = createReportSources(context, { ...organisation, figures, places, reportContext, workers });
  const session = {
    accountId: owner.accountId,
    userId: owner.userId,
    role: 'owner',
    scope: null,
    readOnly: false,
  } as const;
  const query: ReportQuery = { from: '2026-10-31', to: '2026-11-02', language: style.language, groupBy: 'vehicle' };
  const result = await resultOf(reportFor(session, 'route-points'), { session, query, sources, catchUpMs: 0 });
  expect(result.head.total).toBe(2 * POINTS);
  const full = { ...style, organisation: '', logo: null };
  const text = async (of: Parameters<typeof csvOf>[0]) => {
    let all = '';
    for await (const piece of csvOf(of, full)) all += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    return all;
  };
  const fast = await text(result);
  const { lines, ...byCells } = result;
  expect(lines).toBeDefined();
  const slow = await text(byCells);
  expect(fast.split('\r\n')).toHaveLength(2 * POINTS + 2);
  expect(fast.split('\r\n')).toEqual(slow.split('\r\n'));
  // What makes lines differ is in them.
  for (const part of ["'=Truck", "'@Ann", 'Ben', '2026-11-01 01:59:', style.language === 'fr' ? 'à 0°/0°' : ' mi ']) {
    expect(fast).toContain(part);
  }
});

import type { RouteAnswer, suggestGeofences } from '@milepost/contract';
import { degrees, metresPerSecond } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { openDailyFigures } from '../history/days/daily-figures.ts';

type Suggestions = RouteAnswer<typeof suggestGeofences>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** Meters east; a degree of longitude is 82.85 km there. */
const east = (meters: number) => degrees(-87.68 + meters / 82_850);

/** An hour's standing at the beginning, then to the other end, and twenty minutes' standing there. */
const trip = (startMs: number, from: number, to: number) => [
  ...Array.from({ length: 12 }, (_, i) => receivedPosition(startMs + i * 5 * MINUTE, { lon: east(from) })),
  ...Array.from({ length: 31 }, (_, i) =>
    receivedPosition(startMs + HOUR + i * 10_000, {
      lon: east(from + ((to - from) * i) / 30),
      speed: metresPerSecond(20),
      ignition: true,
    }),
  ),
  ...Array.from({ length: 8 }, (_, i) =>
    receivedPosition(startMs + HOUR + (6 + i * 5) * MINUTE, { lon: east(to + (i % 3)) }),
  ),
];

it('[R2.08] suggests the places where vehicles stop often and no geofence is', async () => {
  const owner = await signedIn(server);
  const { id } = await addVehicle(server.context, owner.accountId);
  await server.directory.settled();
  const call = callerOf(server, owner);
  const suggested = async (as = call) => (await as('GET', '/geofence_suggestion')).body as Suggestions;
  expect(await suggested()).toEqual([]);
  const start = Date.now() - 60 * HOUR;
  const positions = [0, 1, 2, 3, 4].flatMap(n => [
    ...trip(start + n * 6 * HOUR, 0, 6000),
    ...trip(start + n * 6 * HOUR + 3 * HOUR, 6000, 0),
  ]);
  await storePositions(server, owner.accountId, id, positions);
  const { manager } = openDailyFigures(server.context, { directory: server.directory, live: server.live });
  for (let i = 0; i < 3; i++) await manager.catchUp(owner.accountId, [id], 20_000);
  const both = await suggested();
  expect(both).toHaveLength(2);
  for (const { radiusM, seconds, stops, vehicles } of both) {
    expect(stops).toBeGreaterThanOrEqual(4);
    expect(vehicles).toBe(1);
    expect(radiusM).toBeLessThan(100);
    expect(seconds).toBeGreaterThan(2 * 3600);
  }
  const shape = { kind: 'circle', center: [east(6000), 41.9], radiusM: 200 };
  expect((await call('POST', '/geofence', { name: 'Customer', shape })).status).toBe(201);
  const [yard, ...others] = await suggested();
  expect(others).toEqual([]);
  expect(yard?.center[0]).toBeCloseTo(east(0), 3);

  const viewer = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
  const { id: folder } = (await call('POST', '/folder', { name: 'South' })).body as { id: string };
  await limit(server.context, viewer, { folders: [folder] });
  expect(await suggested(callerOf(server, viewer))).toEqual([]);
  await manager.stop();
});

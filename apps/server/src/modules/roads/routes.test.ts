import { VectorTile } from '@mapbox/vector-tile';
import { degrees, metresPerSecond } from '@milepost/units';
import { PbfReader } from 'pbf';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { ALONE } from '../../db/leader.ts';
import { dropOldPositions } from '../tenancy/retention.ts';
import { worldX, worldY } from './grid.ts';
import { RoadManager } from './road-manager.ts';
import { ROAD_LAYER } from './road-tile.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZOOM = 13;

let server: TestHttpServer;
let count = 0;

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** A separate area for each test. */
const somewhere = (): { lat: number; lon: number } => ({ lat: 30 + ++count, lon: -100 });

/** North at 20 m/s for ten minutes, a fix every ten seconds. */
const drive = (fromMs: number, { lat, lon }: { lat: number; lon: number }, attributes = {}) =>
  Array.from({ length: 61 }, (_, i) =>
    receivedPosition(fromMs + i * 10 * SECOND, {
      lat: degrees(lat + (i * 200) / 111_320),
      lon: degrees(lon),
      speed: metresPerSecond(20),
      course: degrees(0),
      ignition: true,
      attributes,
    }),
  );

async function makeVehicle(accountId: number): Promise<number> {
  const { id } = await addVehicle(server.context, accountId);
  await server.directory.settled();
  return id;
}

const look = (nowMs?: number): Promise<void> =>
  new RoadManager({
    leader: ALONE,
    db: server.context.db,
    log: pino({ level: 'silent' }),
    directory: server.directory,
    live: server.live,
  }).look(nowMs);

/** The lines of the tile around a place, and their north-south extent in tile units (4096 a tile). */
async function tileAt({ token }: { readonly token: string }, { lat, lon }: { lat: number; lon: number }) {
  const at = (world: number): number => Math.floor(world * 2 ** ZOOM);
  const path = `/api/v1/fleet/roads/${ZOOM}/${at(worldX(lon))}/${at(worldY(lat + 0.005))}`;
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const layer = new VectorTile(new PbfReader(new Uint8Array(await response.arrayBuffer()))).layers[ROAD_LAYER];
  return layer ? layer.feature(0).loadGeometry() : [];
}

it('draws where vehicles drove once it has processed their positions, and nothing elsewhere', async () => {
  const me = await signedIn(server);
  const place = somewhere();
  await storePositions(server, me.accountId, await makeVehicle(me.accountId), drive(Date.now() - 3_600_000, place));
  await look();
  const [line] = await tileAt(me, place);
  const x = (worldX(place.lon) * 2 ** ZOOM) % 1;
  for (const point of line ?? []) expect(Math.abs(point.x - x * 4096)).toBeLessThan(20);
  expect(line?.length).toBeGreaterThan(1);
  expect(await tileAt(me, { lat: place.lat + 5, lon: 5 })).toEqual([]);
});

it('[R6.04] shows nothing to other accounts', async () => {
  const [me, other] = [await signedIn(server), await signedIn(server)];
  const place = somewhere();
  await storePositions(
    server,
    other.accountId,
    await makeVehicle(other.accountId),
    drive(Date.now() - 3_600_000, place),
  );
  await look();
  expect(await tileAt(other, place)).not.toEqual([]);
  expect(await tileAt(me, place)).toEqual([]);
});

it('shows a limited user the roads of their vehicles only, and a driver none', async () => {
  const owner = await signedIn(server);
  const call = callerOf(server, owner);
  const [mine, theirs] = [somewhere(), somewhere()];
  const from = Date.now() - 3_600_000;
  const ids = [await makeVehicle(owner.accountId), await makeVehicle(owner.accountId)] as const;
  await storePositions(server, owner.accountId, ids[0], drive(from, mine));
  await storePositions(server, owner.accountId, ids[1], drive(from, theirs));
  const folder = ((await call('POST', '/folder', { name: 'Mine' })).body as { readonly id: string }).id;
  await call('PATCH', `/folder/assign/${folder}`, { devices: [String(ids[0])] });
  await look();
  const limited = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
  await limit(server.context, limited, { folders: [folder] });
  expect(await tileAt(owner, mine)).not.toEqual([]);
  expect(await tileAt(owner, theirs)).not.toEqual([]);
  expect(await tileAt(limited, mine)).not.toEqual([]);
  expect(await tileAt(limited, theirs)).toEqual([]);
  const driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
  expect(await tileAt(driver, mine)).toEqual([]);
});

it('leaves out private driving and doubted fixes', async () => {
  const me = await signedIn(server);
  const [secret, doubted] = [somewhere(), somewhere()];
  const from = Date.now() - 3_600_000;
  await storePositions(
    server,
    me.accountId,
    await makeVehicle(me.accountId),
    drive(from, secret, { privateMode: true }),
  );
  const id = await makeVehicle(me.accountId);
  await storePositions(server, me.accountId, id, drive(from, doubted));
  await server.context.db.system.updateTable('position').set({ doubts: 1 }).where('vehicle_id', '=', id).execute();
  await look();
  expect(await tileAt(me, secret)).toEqual([]);
  expect(await tileAt(me, doubted)).toEqual([]);
});

it('adds late positions', async () => {
  const me = await signedIn(server);
  const [now, late] = [somewhere(), somewhere()];
  const id = await makeVehicle(me.accountId);
  await storePositions(server, me.accountId, id, drive(Date.now() - 3_600_000, now));
  await look();
  await storePositions(server, me.accountId, id, drive(Date.now() - 5 * 3_600_000, late));
  await look();
  expect(await tileAt(me, late)).not.toEqual([]);
});

it('drops roads with the account’s positions, after 90 days, and with the vehicle', async () => {
  const me = await signedIn(server);
  const [old, fresh, gone] = [somewhere(), somewhere(), somewhere()];
  // No drive of ten minutes goes past midnight.
  const nowMs = Math.floor(Date.now() / HOUR) * HOUR + 300 * SECOND;
  const id = await makeVehicle(me.accountId);
  await storePositions(server, me.accountId, id, drive(nowMs - 40 * DAY, old));
  await storePositions(server, me.accountId, id, drive(nowMs - 3_600_000, fresh));
  const removed = await makeVehicle(me.accountId);
  await storePositions(server, me.accountId, removed, drive(nowMs - 3_600_000, gone));
  await look();
  const days = () =>
    server.context.db.system
      .selectFrom('driven_road')
      .select('oldest_day')
      .where('vehicle_id', '=', id)
      .execute()
      .then(rows => new Set(rows.map(row => row.oldest_day)).size);
  expect(await days()).toBe(2);
  expect(await tileAt(me, gone)).not.toEqual([]);

  expect((await server.call('DELETE', `/api/v1/device/${removed}`, { token: me.token })).status).toBe(200);
  expect(await tileAt(me, gone)).toEqual([]);

  const body = { keepPositionsDays: 30 };
  expect((await server.call('PATCH', '/api/v1/settings', { token: me.token, body })).status).toBe(200);
  expect(await tileAt(me, old)).toEqual([]);
  expect(await tileAt(me, fresh)).not.toEqual([]);
  await dropOldPositions(server.context, server.live);
  expect(await days()).toBe(1);

  await look(nowMs + 95 * DAY);
  expect(await days()).toBe(0);
});

it('refuses tiles that don’t exist', async () => {
  const { token } = await signedIn(server);
  for (const [tile, status] of [
    ['2/0/0', 404],
    ['15/0/0', 404],
    ['3/8/0', 404],
    ['3/-1/0', 404],
  ] as const) {
    const answer = await server.call('GET', `/api/v1/fleet/roads/${tile}`, { token });
    expect([tile, answer.status]).toEqual([tile, status]);
  }
});

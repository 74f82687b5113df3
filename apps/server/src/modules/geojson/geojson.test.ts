import type { GeofenceShape, Permission } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { type Feature, type Geometry, geometryOf } from './features.ts';

let server: TestHttpServer;
let me: UserWithData;
beforeAll(async () => {
  server = await startHttpServer();
  me = await userWithData(server);
});
afterAll(() => server.close());

interface Collection {
  readonly type: string;
  readonly features: readonly Feature[];
}

const tokenOf = async (scopes: readonly Permission[]) => {
  const apiToken = { name: 'Map', scopes, expiresAt: new Date(Date.now() + 600_000) };
  return (await server.sessions.open({ accountId: me.accountId, userId: me.userId, apiToken })).token;
};
const get = (token: string, query = '', headers = {}) =>
  server.call('GET', `/api/v1/geojson?${query}`, { token, headers });

/** What RFC 7946 asks of rings and positions. */
function faultsOf(geometry: Geometry): string[] {
  if (geometry.type === 'Point') return [];
  if (geometry.type.endsWith('LineString')) return [];
  const polygons =
    geometry.type === 'MultiPolygon' ? geometry.coordinates : [geometry.coordinates as [number, number][][]];
  return polygons.flatMap(rings =>
    rings.flatMap((ring, i) => {
      const area = ring.reduce((sum, [x, y], at) => {
        const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
        return sum + x * nextY - nextX * y;
      }, 0);
      return [
        ...(ring.length < 4 ? ['too short (3.1.6)'] : []),
        ...(String(ring[0]) === String(ring.at(-1)) ? [] : ['not closed (3.1.6)']),
        ...(area > 0 === (i === 0) ? [] : ['wound the wrong way (3.1.6)']),
        ...(ring.every(([lon, lat]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90) ? [] : ['over the edge (3.1.9)']),
      ];
    }),
  );
}

describe('[N14] the GeoJSON feed', () => {
  it('is a FeatureCollection of vehicles and geofences, with unique IDs', async () => {
    await storePositions(server, me.accountId, Number(me.vehicleId), [receivedPosition(Date.now() - 1000)]);
    const answer = await get(await tokenOf(['vehicles.read', 'geofences.read']));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/geo\+json/),
    ]);
    const { features, type } = answer.body as Collection;
    expect(type).toBe('FeatureCollection');
    expect(features.map(({ id }) => id)).toEqual([`vehicle-${me.vehicleId}`, `geofence-${me.geofenceId}`]);
    expect(features[0]?.geometry).toEqual({ type: 'Point', coordinates: [-87.68, 41.9] });
    expect(features[0]?.properties).toMatchObject({ kind: 'vehicle', imei: me.imei, speedKmh: 0, private: false });
    const [, fence] = features;
    expect(fence?.geometry?.type).toBe('Polygon');
    expect(fence?.geometry && faultsOf(fence.geometry)).toEqual([]);
    expect(fence?.properties).toMatchObject({ kind: 'geofence', name: me.marker, radiusM: 200 });
  });

  it('gives what is asked for and allowed', async () => {
    const token = await tokenOf(['vehicles.read']);
    expect(((await get(token)).body as Collection).features).toHaveLength(1);
    expect((await get(token, 'include=geofences')).status).toBe(403);
    expect((await get(token, 'include=people')).status).toBe(400);
    const both = await tokenOf(['vehicles.read', 'geofences.read']);
    expect(((await get(both, 'include=geofences')).body as Collection).features.map(({ id }) => id)).toEqual([
      `geofence-${me.geofenceId}`,
    ]);
  });

  it('[R4.09] is 304 until something changes', async () => {
    const token = await tokenOf(['vehicles.read', 'geofences.read']);
    const first = await get(token);
    const etag = first.headers.get('etag') ?? '';
    expect([etag, first.headers.get('cache-control')]).toEqual([expect.stringMatching(/^W\/"/), 'private, no-cache']);
    const again = await get(token, '', { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    await storePositions(server, me.accountId, Number(me.vehicleId), [receivedPosition(Date.now())]);
    expect((await get(token, '', { 'if-none-match': etag })).status).toBe(200);
  });

  it('takes Basic authentication, for programs that know nothing else', async () => {
    const token = await tokenOf(['vehicles.read']);
    const authorization = `Basic ${Buffer.from(`${me.userName}:${token}`).toString('base64')}`;
    expect((await server.call('GET', '/api/v1/geojson', { headers: { authorization } })).status).toBe(200);
  });
});

describe('[N14] a geofence as GeoJSON', () => {
  const square = [
    [179, 10],
    [-179, 10],
    [-179, 12],
    [179, 12],
  ] as [number, number][];
  it.each<[string, GeofenceShape, string]>([
    ['a circle', { kind: 'circle', center: [-87.6, 41.9], radiusM: 500 }, 'Polygon'],
    ['a circle on the antimeridian', { kind: 'circle', center: [179.999, -17], radiusM: 5000 }, 'MultiPolygon'],
    ['a rectangle', { kind: 'rectangle', bounds: [-88, 41, -87, 42] }, 'Polygon'],
    ['a rectangle across the antimeridian', { kind: 'rectangle', bounds: [179, -18, -179, -17] }, 'MultiPolygon'],
    ['a rectangle up to the antimeridian', { kind: 'rectangle', bounds: [170, -18, 180, -17] }, 'Polygon'],
    ['a polygon across it', { kind: 'polygon', rings: [square] }, 'MultiPolygon'],
    ['the same the other way around', { kind: 'polygon', rings: [square.toReversed()] }, 'MultiPolygon'],
    [
      'a polygon with a hole',
      {
        kind: 'polygon',
        rings: [
          [
            [0, 0],
            [0, 4],
            [4, 4],
            [4, 0],
          ],
          [
            [1, 1],
            [2, 1],
            [2, 2],
          ],
        ],
      },
      'Polygon',
    ],
  ])('%s', (_, shape, type) => {
    const geometry = geometryOf(shape);
    expect(geometry.type).toBe(type);
    expect(faultsOf(geometry)).toEqual([]);
  });

  it('cuts a corridor where it crosses the antimeridian', () => {
    const line = [
      [178, 0],
      [-178, 2],
      [-177, 2],
    ] as [number, number][];
    expect(geometryOf({ kind: 'corridor', line, widthM: 100 })).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [178, 0],
          [180, 1],
        ],
        [
          [-180, 1],
          [-178, 2],
          [-177, 2],
        ],
      ],
    });
  });
});

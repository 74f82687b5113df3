import { degrees, fromKilometresPerHour } from '@milepost/units';
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser, type Element } from '@xmldom/xmldom';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { testImei } from '../../../../testing/imei.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';

interface Feature {
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] };
  readonly properties: {
    readonly name: string;
    readonly coordinateProperties: { readonly times: readonly string[] };
  };
}

const MINUTE = 60_000;
const START = Date.parse('2026-11-19T14:00:00Z');
const NAME = '=Truck <5> & "Söhne"';

let server: TestHttpServer;
let owner: SignedIn;
let deviceId: string;
let times: string[];

/** A drive of 2,500 reports, silence over a long way, and another drive; a doubted report, one without GPS, one late. */
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  const body = { imei: testImei(9101), deviceName: NAME };
  deviceId = (
    (await server.call('POST', '/api/v1/device', { token: owner.token, body })).body as { readonly id: string }
  ).id;
  const drive = (fromMs: number, west: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      receivedPosition(fromMs + i * 2000, {
        lon: degrees(west + i * 0.0003),
        speed: fromKilometresPerHour(54.5),
        ignition: true,
      }),
    );
  const first = drive(START, -87.68, 2500);
  const second = drive(START + 120 * MINUTE, -86, 40);
  const late = receivedPosition(START + 1000, { lon: degrees(-87.67985), event: '@sos' });
  times = [...first, late, ...second].map(({ fixAt }) => new Date(fixAt).toISOString()).sort();
  const wrong = receivedPosition(START + 200 * MINUTE, { valid: false });
  const far = receivedPosition(START + 121 * MINUTE + 17_000, { lat: degrees(10), ignition: true });
  const stored = [...first, ...second.slice(0, 39), far, ...second.slice(39), wrong, late];
  await storePositions(server, owner.accountId, Number(deviceId), stored);
});
afterAll(() => server.close());

const read = (format: string, more: Readonly<Record<string, string>> = {}) => {
  const period = { from: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' };
  const query = new URLSearchParams({ vehicles: deviceId, format, ...period, ...more });
  return server.call('GET', `/api/v1/track_file?${query}`, { token: owner.token });
};
/** Throws at anything that is not well-formed. */
const xml = (text: string) =>
  new DOMParser({
    onError: (_level, message) => {
      throw new Error(message);
    },
  }).parseFromString(text, 'text/xml');
const childNames = (node: Element) =>
  [...node.childNodes].filter(child => child.nodeType === 1).map(child => child.nodeName);
/** A long line goes on with the point that its last part ended with. */
const timesOf = (features: readonly Feature[]) => [
  ...new Set(features.flatMap(({ properties }) => properties.coordinateProperties.times)),
];

describe('[R2.06] a track as a file', () => {
  it('as GPX has every sure point once, in segments that end at silence, in the order of its schema', async () => {
    const { headers, text } = await read('gpx');
    expect(headers.get('content-type')).toBe('application/gpx+xml');
    expect(headers.get('content-disposition')).toContain('2026-11-19%20to%202026-11-20.gpx');
    const document = xml(text);
    const { features } = gpx(document);
    expect(features).toHaveLength(1);
    const [feature] = features;
    expect(feature?.properties?.name).toBe(NAME);
    const line = feature?.geometry;
    if (line?.type !== 'MultiLineString') throw new Error(`A ${line?.type} is no track of two segments`);
    const { coordinates } = line;
    expect(coordinates.map(points => points.length)).toEqual([2501, 40]);
    const written = feature?.properties?.coordinateProperties as { readonly times: string[][] };
    expect(written.times.flat()).toEqual(times);
    const [point] = [...document.getElementsByTagName('trkpt')];
    expect(point && childNames(point)).toEqual(['ele', 'time', 'sat', 'hdop', 'extensions']);
    expect(document.getElementsByTagName('gpxtpx:speed')[0]?.textContent).toBe('15.14');
  });

  it('as KML has as many times as places in each track', async () => {
    const { headers, text } = await read('kml');
    expect(headers.get('content-type')).toBe('application/vnd.google-earth.kml+xml');
    const document = xml(text);
    const tracks = [...document.getElementsByTagName('gx:Track')];
    expect(tracks.length).toBeGreaterThan(2);
    for (const track of tracks) {
      const names = childNames(track);
      const count = names.filter(name => name === 'when').length;
      expect(names).toEqual([
        'altitudeMode',
        ...Array<string>(count).fill('when'),
        ...Array<string>(count).fill('gx:coord'),
        'ExtendedData',
      ]);
      expect(track.getElementsByTagName('gx:value')).toHaveLength(count);
    }
    const { features } = kml(document);
    expect(features.map(({ properties }) => properties?.name)).toEqual([NAME]);
    const found = [...new Set(JSON.stringify(features).match(/2026-11-19T[\d:.]+Z/g))].sort();
    expect(found).toEqual(times);
  });

  it('as GeoJSON has lines with the time of each point', async () => {
    const { headers, body } = await read('geojson');
    expect(headers.get('content-type')).toBe('application/geo+json');
    const { features } = body as { readonly features: readonly Feature[] };
    expect(timesOf(features)).toEqual(times);
    for (const { geometry, properties } of features) {
      expect(geometry.type).toBe('LineString');
      expect(properties.name).toBe(NAME);
      expect(geometry.coordinates).toHaveLength(properties.coordinateProperties.times.length);
    }
  });

  it('as CSV has every report, also those that are doubted, and no formula', async () => {
    const { headers, text } = await read('csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(times.length + 2);
    expect(rows[0]).toMatchObject({ vehicle: `'${NAME}`, latitude: '41.9', longitude: '-87.68', speed_kmh: '54.5' });
    expect(rows.filter(({ late }) => late === 'yes')).toMatchObject([{ event: "'@sos" }]);
    expect(rows.filter(({ doubts }) => doubts !== '')).toMatchObject([{ doubts: 'impossible-speed', latitude: '10' }]);
    expect(rows.filter(({ valid }) => valid === 'no')).toHaveLength(1);
  });

  it('without reports is a file that says so by having none', async () => {
    const before = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' };
    expect(gpx(xml((await read('gpx', before)).text)).features).toEqual([]);
    expect(kml(xml((await read('kml', before)).text)).features).toEqual([]);
    expect((await read('geojson', before)).body).toEqual({ type: 'FeatureCollection', features: [] });
    expect((await read('csv', before)).text.trim().split('\r\n')).toHaveLength(1);
  });

  it('is refused for more than a month, and for a vehicle of others', async () => {
    expect((await read('csv', { from: '2026-01-01T00:00:00Z' })).body).toMatchObject({ code: 'range-too-long' });
    expect((await read('csv', { vehicles: `${deviceId},2000000000` })).body).toMatchObject({ code: 'not-found' });
  });
});

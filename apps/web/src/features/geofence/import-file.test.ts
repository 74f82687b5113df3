import { type Geofence, newGeofenceSchema } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toGeoJson } from './geojson.ts';
import { readImport } from './import-file.ts';

const nameless = (row: number): string => `Place ${row}`;
const read = (name: string, text: string) => readImport(name, text, nameless);

describe('an import', () => {
  it('reads CSV with any of the usual separators, and says which rows have no place', () => {
    const csv = 'Name;Lat;Lon;Radius\nVerona food hub;38,2;-78,88;120\nNowhere;;;\n;39;x;\nDock;39;-78;';
    expect(read('places.csv', csv)).toMatchObject([
      {
        row: 1,
        geofence: { name: 'Verona food hub', shape: { kind: 'circle', center: [-78.88, 38.2], radiusM: 120 } },
      },
      { row: 2, name: 'Nowhere', geofence: null, problem: 'notAPlace' },
      { row: 3, name: 'Place 3', geofence: null, problem: 'badNumber' },
      { row: 4, geofence: { name: 'Dock', shape: { radiusM: 150 } } },
    ]);
  });

  it('reads groups of a CSV column', () => {
    const csv = 'name,lat,lon,group\nGate,38,-78,Mills\nWell,38,-78,\n';
    expect(read('groups.csv', csv).map(({ group }) => group)).toEqual(['Mills', undefined]);
  });

  it('reads towns instead of coordinates, whose place is to be found', () => {
    const csv = 'name,address,radius\nCross-dock,"Joliet, IL",800\n,"Toledo, OH",\nBad,"Toledo, OH",x';
    expect(read('towns.csv', csv)).toMatchObject([
      { name: 'Cross-dock', geofence: null, problem: null, address: { text: 'Joliet, IL', radiusM: 800 } },
      { name: 'Toledo, OH', geofence: null, problem: null, address: { radiusM: null } },
      { name: 'Bad', geofence: null, problem: 'badNumber' },
    ]);
  });

  it('takes places of several parts apart, and leaves out what has no place', () => {
    const square = (x: number) => [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 0],
    ];
    const features = [
      {
        type: 'Feature',
        properties: { name: 'Yards' },
        geometry: { type: 'MultiPolygon', coordinates: [[square(0)], [square(5)]] },
      },
      { type: 'Feature', properties: null, geometry: null },
    ];
    const rows = read('a.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    expect(rows.map(({ name, problem }) => [name, problem])).toEqual([
      ['Yards', null],
      ['Yards', null],
      ['Place 3', 'notAPlace'],
    ]);
    expect(rows[1]?.geofence?.shape).toEqual({
      kind: 'polygon',
      rings: [
        [
          [5, 0],
          [6, 0],
          [6, 1],
        ],
      ],
    });
  });

  it('survives anything', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.constantFrom('a.json', 'a.csv'), (text, name) => {
        let rows: ReturnType<typeof readImport> = [];
        try {
          rows = read(name, text);
        } catch {
          return;
        }
        for (const { geofence, problem } of rows) expect(geofence === null).toBe(problem !== null);
      }),
    );
  });
});

const point = fc
  .tuple(fc.integer({ min: -179_000_000, max: 179_000_000 }), fc.integer({ min: -80_000_000, max: 80_000_000 }))
  .map(([lon, lat]): [number, number] => [lon / 1e6, lat / 1e6]);

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
type Bounds = [west: number, south: number, east: number, north: number];

it('reads again what was exported: rectangles, circles and corridors with their sizes, and all settings', () => {
  const shape: fc.Arbitrary<Geofence['shape']> = fc.oneof(
    fc.record({ kind: fc.constant('circle' as const), center: point, radiusM: fc.integer({ min: 20, max: 200_000 }) }),
    fc.record({
      kind: fc.constant('corridor' as const),
      line: fc.constant([
        [-78.5, 38],
        [-78.4, 38.1],
        [-78.3, 38],
      ] as [number, number][]),
      widthM: fc.integer({ min: 10, max: 5000 }),
    }),
    fc.tuple(point, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([[west, south], x, y]) => {
      const east = west + x > 180 ? west + x - 360 : west + x;
      return { kind: 'rectangle' as const, bounds: [west, south, rounded(east), rounded(south + y)] as Bounds };
    }),
  );
  fc.assert(
    fc.property(shape, fc.string({ minLength: 1, maxLength: 80 }), (given, text) => {
      const parsed = newGeofenceSchema.shape.name.safeParse(text);
      fc.pre(parsed.success);
      const kept = {
        ...{ name: parsed.data, color: 'plum', isRestricted: true, isOn: false, shape: given, speedLimitKmh: 30 },
        ...{ edge: { bufferM: 40, minFixes: 3, minSeconds: 90 }, detention: { freeMinutes: 60, perHour: 80 } },
      };
      const groups = [{ id: '4', name: 'Customers', color: 'blue' as const, detention: null }];
      const geofence = { ...kept, id: '1', groupId: '4', note: null, vehicles: null } as unknown as Geofence;
      const [row] = read('x.geojson', JSON.stringify(toGeoJson([geofence], groups)));
      expect(row).toMatchObject({ geofence: kept, group: 'Customers' });
      expect(row?.geofence).toEqual(kept);
    }),
  );
});

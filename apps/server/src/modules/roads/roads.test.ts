import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { drivenCells, type RoadFix } from './driven.ts';
import { cellX, cellY, LEVELS, SQUARE, worldX, worldY } from './grid.ts';
import { roadLines } from './lines.ts';
import { ROAD_LAYER, roadTile } from './road-tile.ts';
import { bySquare, packSquare, unpackSquare } from './square.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const METRE = 1 / 111_320;

/** One fix every ten seconds, each the given meters north and east of the last. */
function drive(
  steps: readonly (readonly [north: number, east: number])[],
  from = { lat: 41.9, lon: -87.7 },
): RoadFix[] {
  let [lat, lon] = [from.lat, from.lon];
  return steps.map(([north, east], i) => {
    lat += north * METRE;
    lon += (east * METRE) / Math.cos((lat * Math.PI) / 180);
    return { fixMs: NOON + i * 10_000, lat, lon, speed: 15, course: null, isPrivate: false };
  });
}

const steps = fc.array(fc.tuple(fc.integer({ min: -250, max: 250 }), fc.integer({ min: -250, max: 250 })), {
  minLength: 2,
  maxLength: 60,
});

/** The distance from a point to the nearest segment of a route, in cells. */
function offWay(way: readonly (readonly [number, number])[], [x, y]: readonly [number, number]): number {
  return Math.min(
    ...way.slice(1).map(([bx, by], i) => {
      const [ax, ay] = way[i] as readonly [number, number];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
      return Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay));
    }),
  );
}

describe('driven roads', () => {
  it('are only where the vehicle drove: every point is within a cell of its route', () => {
    fc.assert(
      fc.property(steps, list => {
        const fixes = drive(list);
        for (const [i, cells] of drivenCells(fixes).entries()) {
          const size = 2 ** (LEVELS[i]?.zoom ?? 0);
          const way = fixes.map(({ lat, lon }) => [worldX(lon) * size, worldY(lat) * size] as const);
          for (const [key, cell] of cells) {
            expect(offWay(way, [cellX(key) + cell.x, cellY(key) + cell.y])).toBeLessThan(1);
          }
        }
      }),
    );
  });

  it('are the same however often they are driven, and a road driven once is a single line', () => {
    const once = drive(Array.from({ length: 40 }, () => [100, 60] as const));
    const [cells] = drivenCells(once);
    const [twice] = drivenCells([...once, ...once.map(fix => ({ ...fix, fixMs: fix.fixMs + 3_600_000 }))]);
    expect([...(twice ?? [])].map(([key]) => key)).toEqual([...(cells ?? [])].map(([key]) => key));
    expect(roadLines(cells ?? new Map())).toHaveLength(1);
  });

  it('have no line where the route is unknown', () => {
    const [a, b] = [
      drive([
        [0, 0],
        [100, 0],
      ]),
      drive(
        [
          [0, 0],
          [100, 0],
        ],
        { lat: 42.1, lon: -87.7 },
      ),
    ];
    const later = b.map(fix => ({ ...fix, fixMs: fix.fixMs + 3_600_000 }));
    const [cells = new Map()] = drivenCells([...a, ...later]);
    const ys = roadLines(cells).flatMap(line => line.map(([, y]) => y));
    const [top, bottom] = [worldY(42.1) * 2 ** 19 + 5, worldY(41.9) * 2 ** 19 - 5];
    expect(ys.filter(y => y > top && y < bottom)).toEqual([]);
  });

  it('bridge a longer gap only if both courses follow the line', () => {
    const far = (course: number | null): RoadFix[] =>
      [0, 60].map(seconds => ({
        fixMs: NOON + seconds * 1000,
        lat: 41.9 + seconds * 30 * METRE,
        lon: -87.7,
        speed: 30,
        course,
        isPrivate: false,
      }));
    expect(drivenCells(far(4))[0]?.size).toBeGreaterThan(20);
    expect(drivenCells(far(60))[0]?.size).toBe(0);
    expect(drivenCells(far(null))[0]?.size).toBe(0);
  });

  it('don’t cut the corner if a vehicle turned between two fixes', () => {
    // Five blocks east, then five north: a fix a minute, at either end of the corner.
    const corner: RoadFix[] = [
      { lat: 41.9, lon: -87.7, course: 90 },
      { lat: 41.9 + 350 * METRE, lon: -87.7 + 470 * METRE, course: 0 },
    ].map((fix, i) => ({ ...fix, fixMs: NOON + i * 60_000, speed: 12, isPrivate: false }));
    expect(drivenCells(corner)[0]?.size).toBe(0);
    const straightOn = corner.map(fix => ({ ...fix, lat: 41.9, course: 90 }));
    expect(drivenCells(straightOn)[0]?.size).toBeGreaterThan(5);
  });

  it('leave out private time, and the scattered fixes of a standing vehicle', () => {
    const list = drive(Array.from({ length: 30 }, () => [100, 0] as const));
    expect(drivenCells(list.map(fix => ({ ...fix, isPrivate: true })))[0]?.size).toBe(0);
    const half = drivenCells(list.map((fix, i) => ({ ...fix, isPrivate: i >= 15 })))[0] ?? new Map();
    const border = worldY(list[15]?.lat ?? 0) * 2 ** 19;
    for (const key of half.keys()) expect(cellY(key) + 1).toBeGreaterThan(border);
    const parked = drive(Array.from({ length: 30 }, (_, i) => [i % 2 === 0 ? 15 : -15, 0] as const));
    expect(drivenCells(parked.map(fix => ({ ...fix, speed: 0 })))[0]?.size).toBe(0);
  });

  it('are unpacked from their squares, without cells older than the limit', () => {
    fc.assert(
      fc.property(steps, list => {
        const [cells = new Map()] = drivenCells(drive(list));
        const day = Math.floor(NOON / 86_400_000);
        const read = new Map(
          [...bySquare(cells)].flatMap(([key, of]) => [
            ...unpackSquare(packSquare(of), { x: cellX(key), y: cellY(key) }, day),
          ]),
        );
        expect(new Set(read.keys())).toEqual(new Set(cells.keys()));
        for (const [key, cell] of read) {
          expect(cell.links).toBe(cells.get(key)?.links);
          expect(cell.x).toBeCloseTo(cells.get(key)?.x ?? -1, 2);
        }
        for (const [key, of] of bySquare(cells)) {
          expect([...unpackSquare(packSquare(of), { x: cellX(key), y: cellY(key) }, day + 1)]).toEqual([]);
          expect(of.length).toBeLessThanOrEqual(SQUARE * SQUARE);
        }
      }),
    );
  });

  it('are drawn with each link once', () => {
    fc.assert(
      fc.property(steps, list => {
        const [cells = new Map()] = drivenCells(drive(list));
        const drawn = roadLines(cells).flatMap(line =>
          line.slice(1).map((to, i) => [`${line[i]}`, `${to}`].sort().join(' ')),
        );
        expect(new Set(drawn).size).toBe(drawn.length);
      }),
    );
  });
});

it('a tile contains only the part of a long road inside it, plus a small margin', () => {
  const fixes = drive(Array.from({ length: 300 }, () => [190, 0] as const));
  const level = LEVELS[0] as (typeof LEVELS)[number];
  const [cells = new Map()] = drivenCells(fixes);
  const at = { z: 14, x: Math.floor(worldX(-87.7) * 2 ** 14), y: Math.floor(worldY(42) * 2 ** 14) };
  const { layers } = new VectorTile(new PbfReader(roadTile(cells, level, at)));
  const points = layers[ROAD_LAYER]?.feature(0).loadGeometry().flat() ?? [];
  expect(points.length).toBeGreaterThan(1);
  const ys = points.map(({ y }) => y);
  expect(Math.min(...ys)).toBeLessThan(0);
  expect(Math.max(...ys)).toBeGreaterThan(4096);
  for (const y of ys) expect(Math.abs(y - 2048)).toBeLessThan(2048 + 64 + 200);
});

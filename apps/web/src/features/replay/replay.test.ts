import type { Alert, Leg, Visit } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Measures } from '../../tracks/measures.ts';
import type { Track } from '../../tracks/unpack.ts';
import { type Address, DEFAULT_SPEED, MAX_VEHICLES, pathOf, readAddress, SPEEDS } from './address.ts';
import { axisOf, extremesOf, fieldPath, fieldsOf } from './chart.ts';
import { coloringOf } from './coloring.ts';
import { COLORINGS } from './coloring-ids.ts';
import { columnOf, monthLater, monthOf, neighborOf, rangeOfDay } from './days.ts';
import { gapReason } from './gaps.ts';
import { happeningsOf, nextFrom } from './happenings.ts';
import { OwnTimes } from './own-times.ts';
import { engineTimes, lineUntil, momentAt, piecesOf, quietTimes, type Segment, sumsUntil } from './past.ts';
import { speedAxis, speedPath, ticksOf } from './ruler.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 19, 12);

interface Point {
  readonly timeMs: number;
  readonly lat?: number;
  readonly lon?: number;
  readonly speed?: number;
  readonly course?: number;
  readonly ignition?: number;
}

const trackOf = (points: readonly Point[]): Track => ({
  timeMs: Float64Array.from(points, ({ timeMs }) => timeMs),
  lat: Float64Array.from(points, ({ lat = 41.9 }) => lat),
  lon: Float64Array.from(points, ({ lon = -87.6 }) => lon),
  speed: Float64Array.from(points, ({ speed = 12 }) => speed),
  course: Float32Array.from(points, ({ course = Number.NaN }) => course),
  ignition: Int8Array.from(points, ({ ignition = -1 }) => ignition),
  late: new Uint8Array(points.length),
  doubtedMs: new Float64Array(0),
  doubtedLat: new Float64Array(0),
  doubtedLon: new Float64Array(0),
  doubtedGps: new Uint8Array(0),
});
const driving = (fromMs: number, toMs: number, distanceM = 0): Segment => ({ kind: 'moving', fromMs, toMs, distanceM });

describe('[R2.06] the address of a replay', () => {
  it('sets the clock only by a time that the page did not write itself, however late its own are rendered', () => {
    const own = new OwnTimes(NOON);
    // It is there already.
    own.write(NOON);
    const [first, second] = [own.write(NOON + 1999), own.write(NOON + 60_000)];
    expect([first, second]).toEqual([NOON + 1000, NOON + 60_000]);
    expect([own.take(first), own.take(second)]).toEqual([true, true]);
    const [passed, third] = [own.write(NOON + 70_000), own.write(NOON + 80_000)];
    expect([own.take(third), own.take(passed)]).toEqual([true, false]);
    // From a link, later.
    expect([own.take(first), own.take(NOON)]).toEqual([false, false]);
  });

  const addresses = fc.record({
    vehicles: fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }).map(String), { maxLength: MAX_VEHICLES }),
    speed: fc.constantFrom(...SPEEDS),
    begin: fc.integer({ min: 0, max: 4_000_000 }),
    length: fc.integer({ min: 1, max: 7 * 86_400 }),
    share: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    color: fc.constantFrom(...COLORINGS),
    chart: fc.constantFrom('speed', 'temperature', 'io 9&x=1'),
    ghosts: fc.boolean(),
  });
  it('has vehicles, range, time and speed, and comes back as it was', () => {
    fc.assert(
      fc.property(addresses, ({ vehicles, speed, begin, length, share, color, chart, ghosts }) => {
        const fromMs = NOON + begin * 1000;
        const range = { fromMs, toMs: fromMs + length * 1000 };
        const atMs = share === null ? null : fromMs + Math.floor(length * share) * 1000;
        const address: Address = { vehicles, speed, range, atMs, color, chart, ghosts, pack: false };
        const { searchParams } = new URL(pathOf(address), 'https://x');
        expect(readAddress(searchParams)).toEqual(address);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['an end before its beginning', 'from=2026-11-19T12:00:00Z&to=2026-11-19T11:00:00Z'],
    ['a month', 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z'],
    ['what is no time', 'from=yesterday&to=today'],
  ])('shows no range that is %s', (_, query) => {
    expect(readAddress(new URLSearchParams(query)).range).toBeNull();
  });

  it('leaves out what is no vehicle, no speed and no moment of the range', () => {
    const query =
      'vehicles=4,x,4,-1,7&speed=7&from=2026-11-19T06:00:00Z&to=2026-11-19T15:00:00Z&at=2026-11-20T00:00:00Z';
    const { atMs, speed, vehicles } = readAddress(new URLSearchParams(query));
    expect({ atMs, speed, vehicles }).toEqual({ atMs: null, speed: DEFAULT_SPEED, vehicles: ['4', '7'] });
  });
});

describe('[R2.06] where a vehicle was', () => {
  const track = trackOf([
    { timeMs: NOON, lat: 41, lon: -87, speed: 10 },
    { timeMs: NOON + MINUTE, lat: 41.01, lon: -87, speed: 20 },
    { timeMs: NOON + 21 * MINUTE, lat: 41.2, lon: -87, speed: 15 },
  ]);
  const segments = [driving(NOON, NOON + 21 * MINUTE)];
  const at = (minutes: number) => momentAt({ track, segments }, NOON + minutes * MINUTE);

  it('is between two reports, in proportion to time', () => {
    expect(at(0.5)).toMatchObject({ lat: expect.closeTo(41.005, 9), lon: -87, kind: 'moving', speed: 10 });
    expect(at(0.5)?.course).toBeCloseTo(0);
  });

  it('is where it was last heard while nothing is known, and nobody says that it drove', () => {
    for (const minutes of [1.1, 11, 20.9]) {
      expect(at(minutes)).toMatchObject({ lat: 41.01, kind: 'gap', speed: null, heardMs: NOON + MINUTE });
    }
    expect(at(21)).toMatchObject({ lat: 41.2, heardMs: NOON + 21 * MINUTE });
  });

  it('is where it was last heard after its last report, and nobody says that it drives on', () => {
    expect(at(22)).toMatchObject({ lat: 41.2, kind: 'moving', speed: 15 });
    expect(at(300)).toMatchObject({ lat: 41.2, kind: 'gap', speed: null, heardMs: NOON + 21 * MINUTE });
    const parked = [
      driving(NOON, NOON + 21 * MINUTE),
      { ...driving(NOON + 21 * MINUTE, NOON + 400 * MINUTE), kind: 'stopped' as const },
    ];
    expect(momentAt({ track, segments: parked }, NOON + 300 * MINUTE)?.kind).toBe('stopped');
  });

  it('is not known before its first report', () => {
    expect(at(-0.01)).toBeNull();
  });

  it('is never off the stretch between its neighbors', () => {
    const steps = fc.array(
      fc.record({ seconds: fc.integer({ min: 1, max: 900 }), north: fc.integer({ min: -50, max: 50 }) }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        let [timeMs, lat] = [NOON, 41];
        const points = list.map(({ seconds, north }) => {
          timeMs += seconds * 1000;
          lat += north / 10_000;
          return { timeMs, lat };
        });
        const past = { track: trackOf(points), segments: [] };
        const atMs = NOON + (timeMs - NOON) * share;
        const moment = momentAt(past, atMs);
        const before = points.findLast(point => point.timeMs <= atMs);
        const after = points.find(point => point.timeMs >= atMs) ?? before;
        if (!before || !after) {
          expect(moment).toBeNull();
          return;
        }
        expect(moment?.heardMs).toBe(before.timeMs);
        expect(moment?.lat).toBeGreaterThanOrEqual(Math.min(before.lat, after.lat) - 1e-9);
        expect(moment?.lat).toBeLessThanOrEqual(Math.max(before.lat, after.lat) + 1e-9);
      }),
    );
  });
});

describe('[R2.06] the line of a track', () => {
  it('is cut into pieces without a hole, and silence is a piece of its own', () => {
    const points = Array.from({ length: 400 }, (_, i) => ({
      timeMs: NOON + i * 10_000 + (i >= 200 ? 30 * MINUTE : 0),
      lat: 41 + i * 0.001 + (i >= 200 ? 0.2 : 0),
      lon: -87 + Math.sin(i / 3) * 0.01,
    }));
    const pieces = piecesOf(trackOf(points));
    expect(pieces.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
    expect(pieces[0]?.fromMs).toBe(points[0]?.timeMs);
    expect(pieces.at(-1)?.toMs).toBe(points.at(-1)?.timeMs);
    for (const [i, piece] of pieces.slice(1).entries()) {
      expect(piece.fromMs).toBe(pieces[i]?.toMs);
      expect(piece.line[0]).toEqual(pieces[i]?.line.at(-1));
    }
    const gap = pieces.find(({ kind }) => kind === 'gap');
    expect((gap?.toMs ?? 0) - (gap?.fromMs ?? 0)).toBe(30 * MINUTE + 10_000);
    expect(Math.max(...pieces.map(({ line }) => line.length))).toBeLessThan(60);
  });

  it('grows with the clock', () => {
    const [piece] = piecesOf(
      trackOf([0, 1, 2, 3].map(i => ({ timeMs: NOON + i * MINUTE, lat: 41 + i * 0.01, lon: -87 + (i % 2) * 0.01 }))),
    );
    if (!piece) throw new Error('There is a piece');
    expect([0, 1, 2.5, 3].map(minutes => lineUntil(piece, NOON + minutes * MINUTE).length)).toEqual([1, 2, 3, 4]);
  });

  it('goes on beyond the 180th meridian', () => {
    const [piece] = piecesOf(
      trackOf([179.98, 179.99, -179.99, -179.98].map((lon, i) => ({ timeMs: NOON + i * MINUTE, lat: 0, lon }))),
    );
    const lons = piece?.line.map(([lon]) => lon) ?? [];
    expect(lons.at(-1)).toBeCloseTo(180.02);
    expect(lons).toEqual(lons.toSorted((a, b) => a - b));
  });
});

it('[R2.06] the sums until a moment grow to those of the whole', () => {
  const segments: Segment[] = [
    driving(NOON, NOON + 10 * MINUTE, 8000),
    { kind: 'stopped', fromMs: NOON + 10 * MINUTE, toMs: NOON + 30 * MINUTE, distanceM: 0 },
    driving(NOON + 30 * MINUTE, NOON + 40 * MINUTE, 6000),
  ];
  expect(sumsUntil(segments, NOON + 5 * MINUTE)).toMatchObject({ distanceM: 4000, ms: { moving: 5 * MINUTE } });
  expect(sumsUntil(segments, NOON + 60 * MINUTE)).toEqual({
    distanceM: 14_000,
    ms: { moving: 20 * MINUTE, idling: 0, stopped: 20 * MINUTE, gap: 0, private: 0 },
  });
});

it('[R2.06] it is quiet only when no vehicle drives', () => {
  const range = { fromMs: NOON, toMs: NOON + 60 * MINUTE };
  const one = { segments: [driving(NOON + 10 * MINUTE, NOON + 20 * MINUTE)] };
  const other = { segments: [driving(NOON + 15 * MINUTE, NOON + 40 * MINUTE)] };
  const minutes = quietTimes([one, other], range).map(({ fromMs, toMs }) =>
    [fromMs, toMs].map(ms => (ms - NOON) / MINUTE),
  );
  expect(minutes).toEqual([
    [0, 10],
    [40, 60],
  ]);
});

it('[R2.06] the engine is on where the tracker says so, and not through silence', () => {
  const on = (minutes: number, ignition: number) => ({ timeMs: NOON + minutes * MINUTE, ignition });
  const times = engineTimes(trackOf([on(0, 0), on(1, 1), on(2, 1), on(3, 0), on(4, 1), on(90, 0)]));
  expect(times).toEqual([{ fromMs: NOON + MINUTE, toMs: NOON + 3 * MINUTE }]);
});

describe('[R2.06] what can be jumped to', () => {
  const leg = (kind: Leg['kind'], fromMinute: number, toMinute: number): Leg =>
    ({
      kind,
      from: new Date(NOON + fromMinute * MINUTE).toISOString(),
      to: new Date(NOON + toMinute * MINUTE).toISOString(),
    }) as Leg;
  const alert = { id: 'a', openedAt: new Date(NOON + 12 * MINUTE).toISOString(), closedAt: null } as Alert;
  const nothing = { isBehind: false, visits: [] };
  const visit = { id: 'v', entry: { at: new Date(NOON + 21 * MINUTE).toISOString() }, exit: null } as unknown as Visit;
  const accounts = [
    {
      ...nothing,
      vehicleId: '1',
      legs: [leg('gap', -60, -30), leg('stop', -30, 5), leg('trip', 5, 20), leg('gap', 20, 60)],
      alerts: [alert],
    },
    { ...nothing, vehicleId: '2', legs: [leg('trip', 8, 30)], alerts: [], visits: [visit] },
  ];
  const found = happeningsOf(accounts, { fromMs: NOON, toMs: NOON + 60 * MINUTE });

  it('is in the order of time, cut to the range, without the silence around', () => {
    expect(found.map(({ vehicleId, what, fromMs }) => [vehicleId, what.kind, (fromMs - NOON) / MINUTE])).toEqual([
      ['1', 'stop', 0],
      ['1', 'trip', 5],
      ['2', 'trip', 8],
      ['1', 'alert', 12],
      ['2', 'visit', 21],
    ]);
  });

  it('ends with the range for a visit that goes on', () => {
    expect(found.at(-1)?.toMs).toBe(NOON + 60 * MINUTE);
  });

  it('is reached one after the other in both directions', () => {
    const walk = (direction: 1 | -1): number[] => {
      const seen: number[] = [];
      let next = nextFrom(found, direction === 1 ? NOON - 1000 : NOON + 60 * MINUTE, direction);
      while (next) {
        seen.push((next.fromMs - NOON) / MINUTE);
        next = nextFrom(found, next.fromMs, direction);
      }
      return seen;
    };
    expect(walk(1)).toEqual([0, 5, 8, 12, 21]);
    expect(walk(-1)).toEqual([21, 12, 8, 5, 0]);
  });
});

describe('the ruler', () => {
  it('has at most so many labels, all inside, at whole steps', () => {
    const ranges = fc.record({
      from: fc.integer({ min: 0, max: 10_000 }),
      minutes: fc.integer({ min: 10, max: 10_140 }),
    });
    fc.assert(
      fc.property(ranges, fc.integer({ min: 2, max: 14 }), ({ from, minutes }, most) => {
        const range = { fromMs: NOON + from * MINUTE, toMs: NOON + (from + minutes) * MINUTE };
        const { labelsMs, tallMs, shortMs } = ticksOf(range, most);
        expect(labelsMs.length).toBeLessThanOrEqual(most + 1);
        for (const ms of [...labelsMs, ...tallMs, ...shortMs]) {
          expect(ms).toBeGreaterThanOrEqual(range.fromMs);
          expect(ms).toBeLessThanOrEqual(range.toMs);
        }
      }),
    );
  });

  it('draws a speed at its height, and none through silence', () => {
    const range = { fromMs: NOON, toMs: NOON + 100 * MINUTE };
    const points = [0, 1, 2, 50, 51].map(minutes => ({
      timeMs: NOON + minutes * MINUTE,
      speed: minutes === 1 ? 20 : 10,
    }));
    expect(speedPath(trackOf(points), range, 20)).toBe(
      'M0.00000 0.5000L0.01000 0.0000L0.02000 0.5000M0.50000 0.5000L0.51000 0.5000',
    );
    expect(speedAxis(63)).toEqual({ top: 80, marks: [0, 20, 40, 60, 80] });
  });
});

describe('the calendar', () => {
  it('goes from day to day, through a change of the clock', () => {
    const day = rangeOfDay('2026-11-01', undefined);
    expect(neighborOf(neighborOf(day, 1, undefined), -1, undefined)).toEqual(day);
    expect(neighborOf(day, 1, undefined)).toEqual(rangeOfDay('2026-11-02', undefined));
    const hours = { fromMs: NOON, toMs: NOON + 90 * MINUTE };
    expect(neighborOf(hours, -1, undefined)).toEqual({ fromMs: NOON - 90 * MINUTE, toMs: NOON });
  });

  it('has every day of a month in its column', () => {
    expect(monthOf('2026-02-17')).toHaveLength(28);
    expect([columnOf('2026-11-01', 7), columnOf('2026-11-01', 1), columnOf('2026-11-02', 1)]).toEqual([1, 7, 1]);
    expect([monthLater('2026-12-24', 1), monthLater('2026-01-31', -1)]).toEqual(['2027-01-01', '2025-12-01']);
  });
});

describe('[R2.06] the colors of a track', () => {
  const track = trackOf(
    [2, 2, 12, 12, 20, 40, 40].map((speed, i) => ({ timeMs: NOON + i * 10_000, lon: -87 + i * 0.001, speed })),
  );
  const measures: Measures = {
    timeMs: track.timeMs,
    fields: new Map([
      ['temperature', Float32Array.from([-25, -25, Number.NaN, 2, 2, 2, 2])],
      ['hdop', Float32Array.from([0.8, 3, 9, 9, 9, 9, 9])],
      ['door', Float32Array.from([0, 0, 0, 1, 1, 1, 1])],
    ]),
    card: Int16Array.from([-1, 0, 0, 0, 1, 1, 1]),
    cards: ['B', 'A'],
  };
  const segments: Segment[] = [
    driving(NOON, NOON + 30_000),
    { kind: 'idling', fromMs: NOON + 30_000, toMs: NOON + MINUTE, distanceM: 0 },
  ];
  const vehicle = { past: { vehicleId: '1', track, segments }, measures };
  const classesOf = (
    id: 'speed' | 'status' | 'driver' | 'temperature' | 'fuel' | 'gps',
    system: 'us' | 'metric' = 'metric',
  ) => {
    const coloring = coloringOf(id, [vehicle], system);
    return coloring ? Array.from(track.timeMs, (_, i) => coloring.of(vehicle, i)) : [];
  };

  it('say the speed, status, driver, temperature and quality of the GPS, and what nobody reported', () => {
    expect(classesOf('speed')).toEqual([0, 0, 1, 1, 2, 4, 4]);
    expect(classesOf('speed', 'us')).toEqual([0, 0, 1, 1, 2, 4, 4]);
    expect(classesOf('temperature')).toEqual([0, 0, 5, 2, 2, 2, 2]);
    expect(classesOf('fuel')).toEqual(Array(7).fill(5));
    expect(classesOf('gps')).toEqual([0, 1, 2, 2, 2, 2, 2]);
    // By name: A, then B, then those without a card.
    expect(classesOf('driver')).toEqual([2, 1, 1, 1, 0, 0, 0]);
    expect(classesOf('status')).toEqual([0, 0, 0, 1, 1, 1, 1]);
    expect(coloringOf('vehicle', [vehicle], 'us')).toBeNull();
  });

  it('change where the class does, on a line without holes', () => {
    const coloring = coloringOf('speed', [vehicle], 'metric');
    const pieces = piecesOf(track, point => coloring?.of(vehicle, point) ?? 0);
    expect(
      pieces.map(({ colorClass, fromMs, toMs }) => [colorClass, (fromMs - NOON) / 1000, (toMs - NOON) / 1000]),
    ).toEqual([
      [0, 0, 20],
      [1, 20, 40],
      [2, 40, 50],
      [4, 50, 60],
    ]);
  });

  it('offer each field that a vehicle measured as a chart', () => {
    expect(fieldsOf([measures, null])).toEqual(['temperature', 'hdop', 'door']);
  });
});

describe('[R2.06] the chart of a field', () => {
  it('has round marks around what is shown', () => {
    const figures = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(figures, figures, (one, other) => {
        const [least, most] = [Math.min(one, other), Math.max(one, other)];
        const { bottom, top, marks } = axisOf(least, most);
        expect(top).toBeGreaterThan(bottom);
        expect(bottom).toBeLessThanOrEqual(least + 1e-6);
        expect(top).toBeGreaterThanOrEqual(most - 1e-6);
        expect(marks.length).toBeGreaterThanOrEqual(2);
        expect(marks.length).toBeLessThanOrEqual(6);
      }),
    );
    expect(axisOf(Number.NaN, Number.NaN).marks).toEqual([]);
  });

  it('keeps each dip and peak, and stops at silence', () => {
    const timeMs = Float64Array.from([0, 1, 2, 3, 3600].map(s => NOON + s * 1000));
    const values = Float32Array.from([5, 0, 10, 5, 5]);
    const view = { fromMs: NOON, toMs: NOON + 4 * 3_600_000 };
    expect(extremesOf([[timeMs, values]], view)).toEqual({ least: 0, most: 10 });
    expect(fieldPath(timeMs, values, view, { bottom: 0, top: 10 })).toBe(
      'M0.00007 1.0000L0.00014 0.0000M0.25000 0.5000',
    );
  });
});

it('[R2.06] a time without data says why', () => {
  const track = trackOf([
    { timeMs: NOON, ignition: 1 },
    { timeMs: NOON + 60 * MINUTE, ignition: 0 },
    { timeMs: NOON + 120 * MINUTE },
  ]);
  const at = (minute: number) => NOON + minute * MINUTE;
  const segment = { kind: 'private', fromMs: at(70), toMs: at(90), distanceM: 0 } as const;
  const reason = (fromMinute: number, toMinute: number, doubtedMs = Float64Array.of(at(30)), segments = [segment]) =>
    gapReason({ track: { ...track, doubtedMs }, segments }, at(fromMinute), at(toMinute));
  expect(reason(0, 60)).toBe('noGps');
  expect(reason(0, 60, new Float64Array(0))).toBe('silent');
  expect(reason(60, 120)).toBe('private');
  expect(reason(60, 120, undefined, [])).toBe('engineOff');
});

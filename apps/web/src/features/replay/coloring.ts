import type { Measures } from '../../tracks/measures.ts';
import type { ColoringId } from './coloring-ids.ts';
import { indexAt, type Past, segmentAt } from './past.ts';

/** Colorings that need more than the track. */
export const MEASURED_COLORINGS: ReadonlySet<ColoringId> = new Set(['driver', 'temperature', 'fuel', 'gps']);

/** A color in the legend: a range of values, a fixed word, or a driver. */
export interface ColorClass {
  readonly token: string;
  readonly words:
    | { readonly kind: 'range'; readonly from: number | null; readonly to: number | null }
    | { readonly kind: 'word'; readonly word: ColorWord }
    | { readonly kind: 'driver'; readonly card: string };
}
export type ColorWord = 'moving' | 'idling' | 'stopped' | 'gap' | 'good' | 'fair' | 'poor' | 'noDriver' | 'unknown';

export interface Coloring {
  readonly id: Exclude<ColoringId, 'vehicle'>;
  readonly classes: readonly ColorClass[];
  /** Index of the class for a point of the track. */
  readonly of: (replayed: Measured, point: number) => number;
}

/** A vehicle's past, with its measured fields once they have loaded. */
export interface Measured {
  readonly past: Past;
  readonly measures: Measures | null;
}

/** From cold to hot; the colors differ in lightness, too. */
const RAMP = ['--q1', '--q2', '--q3', '--q4', '--q5'] as const;
const SERIES = ['--s1', '--s2', '--s3', '--s4', '--s5'] as const;
const UNKNOWN: ColorClass = { token: '--st-nodata', words: { kind: 'word', word: 'unknown' } };

/** Upper limits of the classes of each field, in SI units, for both systems of units. */
const LIMITS = {
  /** 15, 30, 50 and 65 mph; 25, 50, 80 and 105 km/h. */
  speed: { us: [15, 30, 50, 65].map(mph => mph * 0.44704), metric: [25, 50, 80, 105].map(kmh => kmh / 3.6) },
  /** 0, 32, 40 and 60 °F. */
  temperature: { us: [0, 32, 40, 60].map(f => ((f - 32) * 5) / 9), metric: [-18, 0, 5, 15] },
  fuel: { us: [15, 30, 50, 75], metric: [15, 30, 50, 75] },
} as const;

const rangeClasses = (limits: readonly number[]): ColorClass[] =>
  RAMP.map((token, i) => ({ token, words: { kind: 'range', from: limits[i - 1] ?? null, to: limits[i] ?? null } }));

/** Number of limits that a value has reached, which is the index of its class. */
const classIn = (limits: readonly number[], value: number): number => {
  const below = limits.findIndex(limit => value < limit);
  return below < 0 ? limits.length : below;
};

/** The vehicle's value of a field at this point of its track; NaN if it sent none. */
function measuredAt({ past, measures }: Measured, field: string, point: number): number {
  const values = measures?.fields.get(field);
  const at = past.track.timeMs[point];
  if (!measures || !values || at === undefined) return Number.NaN;
  const i = indexAt(measures.timeMs, at);
  return measures.timeMs[i] === at ? (values[i] as number) : Number.NaN;
}

function byRange(
  id: 'speed' | 'temperature' | 'fuel',
  system: 'us' | 'metric',
  valueAt: (replayed: Measured, point: number) => number,
): Coloring {
  const limits = LIMITS[id][system];
  const classes = [...rangeClasses(limits), UNKNOWN];
  return {
    id,
    classes,
    of: (replayed, point) => {
      const value = valueAt(replayed, point);
      return Number.isNaN(value) ? classes.length - 1 : classIn(limits, value);
    },
  };
}

const STATUSES = ['moving', 'idling', 'stopped', 'gap'] as const;
const STATUS_TOKENS = ['--st-moving', '--st-idling', '--st-stopped', '--st-nodata'] as const;
const QUALITIES = ['good', 'fair', 'poor'] as const;

/** Null: each vehicle has its own color. `system` decides the limits of the classes. */
export function coloringOf(id: ColoringId, vehicles: readonly Measured[], system: 'us' | 'metric'): Coloring | null {
  switch (id) {
    case 'vehicle':
      return null;
    case 'speed':
      return byRange(id, system, ({ past }, point) => past.track.speed[point] as number);
    case 'temperature':
    case 'fuel':
      return byRange(id, system, (replayed, point) => measuredAt(replayed, id, point));
    case 'status':
      return {
        id,
        classes: STATUSES.map((word, i) => ({ token: STATUS_TOKENS[i] as string, words: { kind: 'word', word } })),
        of: ({ past }, point) => {
          const kind = segmentAt(past.segments, past.track.timeMs[point] as number)?.kind ?? 'gap';
          return STATUSES.indexOf(kind === 'private' ? 'gap' : kind);
        },
      };
    case 'gps':
      return {
        id,
        classes: [
          ...QUALITIES.map(
            (word, i): ColorClass => ({
              token: ['--q2', '--q3', '--q5'][i] as string,
              words: { kind: 'word', word },
            }),
          ),
          UNKNOWN,
        ],
        of: (replayed, point) =>
          gpsQuality(measuredAt(replayed, 'hdop', point), measuredAt(replayed, 'satellites', point)),
      };
    case 'driver':
      return byDriver(vehicles);
  }
}

/** 0 good, 1 fair, 2 poor, 3 unknown: by the dilution of precision, or else by the number of satellites. */
function gpsQuality(hdop: number, satellites: number): number {
  if (!Number.isNaN(hdop)) return hdop <= 1.5 ? 0 : hdop <= 4 ? 1 : 2;
  if (Number.isNaN(satellites)) return 3;
  return satellites >= 8 ? 0 : satellites >= 5 ? 1 : 2;
}

function byDriver(vehicles: readonly Measured[]): Coloring {
  const cards = [...new Set(vehicles.flatMap(({ measures }) => measures?.cards ?? []))].sort();
  const places = new Map(cards.map((card, i) => [card, i]));
  return {
    id: 'driver',
    classes: [
      ...cards.map(
        (card, i): ColorClass => ({ token: SERIES[i % SERIES.length] as string, words: { kind: 'driver', card } }),
      ),
      { token: '--st-nodata', words: { kind: 'word', word: 'noDriver' } },
    ],
    of: ({ past, measures }, point) => {
      const at = past.track.timeMs[point];
      if (!measures || at === undefined) return cards.length;
      const i = indexAt(measures.timeMs, at);
      const card = measures.timeMs[i] === at ? measures.cards[measures.card[i] as number] : undefined;
      return card === undefined ? cards.length : (places.get(card) ?? cards.length);
    },
  };
}

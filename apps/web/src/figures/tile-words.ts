import type { AnyTile, Overview, OverviewOutcomes } from '@milepost/contract';
import { fromMiles, metres, metresPerSecond } from '@milepost/units';
import { formatCount, numberFormat } from '../format/locale.ts';
import { distanceFigure, type Figure, joined, type MeasureSystem, speedFigure } from '../format/measure.ts';
import { signedNumber } from '../format/signed.ts';

/** A tile, or one that is the sum of a report. */
export type Tile = Overview['tiles'][number] | OverviewOutcomes['tiles'][number];

type Kind = 'distance' | 'share' | 'hours' | 'minutes' | 'count' | 'mean' | 'speed' | 'points' | 'rate';

interface Rule {
  readonly kind: Kind;
  /** Which direction is good; null if neither is. */
  readonly good: 'up' | 'down' | null;
}

const TILE_RULES: Readonly<Record<AnyTile, Rule>> = {
  distance: { kind: 'distance', good: 'up' },
  utilisation: { kind: 'share', good: 'up' },
  inUse: { kind: 'mean', good: 'up' },
  driving: { kind: 'hours', good: null },
  idleShare: { kind: 'share', good: 'down' },
  stops: { kind: 'count', good: null },
  topSpeed: { kind: 'speed', good: 'down' },
  known: { kind: 'share', good: 'up' },
  leftOut: { kind: 'share', good: 'down' },
  alerts: { kind: 'count', good: 'down' },
  score: { kind: 'points', good: 'up' },
  speeding: { kind: 'rate', good: 'down' },
  onTime: { kind: 'share', good: 'up' },
  violations: { kind: 'count', good: 'down' },
  temperature: { kind: 'minutes', good: 'down' },
};

/** A smaller change is neither good nor bad. */
const NEGLIGIBLE: Partial<Readonly<Record<Kind, number>>> = { speed: 0.3, points: 0.5, rate: 0.000_002 };
const LEAST = 0.0005;

const number = (value: number, digits: number): string =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const signed = (value: number, digits: number): string =>
  signedNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A percentage, with one decimal below 20% and above 98%. */
const percent = (share: number): string => number(share * 100, share < 0.2 || share > 0.98 ? 1 : 0);

const THOUSAND = 1000;
const MINUTES_AS_HOURS = 600;

/** From seconds per meter: minutes for each thousand of the reader's miles or kilometers. */
const perThousand = (rate: number, { distance }: MeasureSystem): number =>
  (rate / 60) * THOUSAND * (distance === 'mi' ? fromMiles(1) : 1000);

export function tileFigure(key: AnyTile, value: number, system: MeasureSystem, perDay: string): Figure {
  switch (TILE_RULES[key].kind) {
    case 'distance':
      return distanceFigure(metres(value), system);
    case 'share':
      return { value: percent(value), unit: '%' };
    case 'hours':
      return { value: number(value / 3600, value < 36_000 ? 1 : 0), unit: 'h' };
    case 'minutes':
      return value / 60 < MINUTES_AS_HOURS
        ? { value: number(value / 60, 0), unit: 'min' }
        : { value: number(value / 3600, 0), unit: 'h' };
    case 'points':
      return { value: number(value, 0), unit: '' };
    case 'rate':
      return {
        value: number(perThousand(value, system), 1),
        unit: `min/${formatCount(THOUSAND)}\u202f${system.distance}`,
      };
    case 'mean':
      return { value: number(value, value < 100 ? 1 : 0), unit: perDay };
    case 'speed':
      return speedFigure(metresPerSecond(value), system);
    case 'count':
      return { value: number(value, 0), unit: '' };
  }
}

export const figureText = (figure: Figure): string => (figure.unit === '' ? figure.value : joined(figure));

/** A change as text: `+3.1%`, `−1.1 pt`, `+4 mph`. */
export function changeText(key: AnyTile, change: number, system: MeasureSystem, points: string): string {
  const { kind } = TILE_RULES[key];
  if (kind === 'share') return `${signed(change * 100, 1)}\u202f${points}`;
  if (kind === 'points') return signed(change, 0);
  if (kind === 'rate') return signed(perThousand(change, system), 1);
  if (kind === 'speed') {
    const { value, unit } = speedFigure(metresPerSecond(Math.abs(change)), system);
    const sign = Number.parseFloat(value) === 0 ? '' : change > 0 ? '+' : '−';
    return `${sign}${value}\u202f${unit}`;
  }
  return `${signed(change * 100, 1)}%`;
}

/** How many rows of its report a tile is made of, unless its figure says so. */
export const rowsOf = (tile: Tile) =>
  'rows' in tile && tile.key !== 'violations' ? { key: tile.key, count: tile.rows } : null;

export type Tone = 'good' | 'bad' | 'even';

/** Whether a change is good or bad. Negligible changes are neither. */
export function toneOf(key: AnyTile, change: number): Tone {
  const { good, kind } = TILE_RULES[key];
  if (good === null || Math.abs(change) < (NEGLIGIBLE[kind] ?? LEAST)) return 'even';
  return change > 0 === (good === 'up') ? 'good' : 'bad';
}

/**
 * Whether a tile misses its target. The target of a total is reduced to the share of the period's days that are over.
 */
export function isOffTarget({ key, value, target, series }: Tile): boolean {
  if (value === null || target === null) return false;
  const { good, kind } = TILE_RULES[key];
  const over = series.filter(day => day !== null).length - 1;
  const due = kind === 'distance' ? (target * Math.max(0, over)) / series.length : target;
  return good === 'down' ? value > due : value < due;
}

import { GAP_MS } from '@milepost/geo';
import { celsius, metres, toFahrenheit, toKilometres, toMiles } from '@milepost/units';
import { METRES_PER_FOOT, type MeasureSystem } from '../../format/measure.ts';
import type { Measures } from '../../tracks/measures.ts';
import type { Range } from './address.ts';

/** Fields with a column of their own in tracks, in menu order; other fields keep the names that trackers send. */
const KNOWN_FIELDS = ['fuel', 'temperature', 'altitude', 'odometer', 'satellites', 'hdop', 'gsm'] as const;
export type KnownField = (typeof KNOWN_FIELDS)[number];
export const isKnownField = (field: string): field is KnownField => (KNOWN_FIELDS as readonly string[]).includes(field);

/** The fields that the chart can show besides speed: all that any of these vehicles measured. */
export function fieldsOf(all: readonly (Measures | null)[]): string[] {
  const found = new Set(all.flatMap(measures => [...(measures?.fields.keys() ?? [])]));
  const others = [...found].filter(field => !isKnownField(field)).sort((a, b) => a.localeCompare(b));
  return [...KNOWN_FIELDS.filter(field => found.has(field)), ...others];
}

/** The unit shown to the user; empty if the field has none or it is unknown. */
export function unitOf(field: string, system: MeasureSystem): string {
  switch (field) {
    case 'fuel':
      return '%';
    case 'temperature':
      return system.temperature === 'f' ? '°F' : '°C';
    case 'altitude':
      return system.distance === 'mi' ? 'ft' : 'm';
    case 'odometer':
      return system.distance;
    default:
      return '';
  }
}

export function shownIn(field: string, value: number, system: MeasureSystem): number {
  switch (field) {
    case 'temperature':
      return system.temperature === 'f' ? toFahrenheit(celsius(value)) : value;
    case 'altitude':
      return system.distance === 'mi' ? value / METRES_PER_FOOT : value;
    case 'odometer':
      return system.distance === 'mi' ? toMiles(metres(value)) : toKilometres(metres(value));
    default:
      return value;
  }
}

export interface Axis {
  readonly bottom: number;
  readonly top: number;
  readonly marks: readonly number[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** An axis with two to five round figures around the values shown. */
export function axisOf(least: number, most: number): Axis {
  if (!(most >= least)) return { bottom: 0, top: 1, marks: [] };
  const spread = Math.max(most - least, Math.abs(most) * 0.02, 1e-3);
  const power = 10 ** Math.floor(Math.log10(spread / 3));
  const step = (STEPS.find(each => each * power >= spread / 3) ?? 10) * power;
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  const marks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  return { bottom: first * step, top: last * step, marks };
}

export interface Extremes {
  readonly least: number;
  readonly most: number;
}

/** Minimum and maximum of all values in view; both NaN if there are none. */
export function extremesOf(
  all: readonly (readonly [timeMs: Float64Array, values: Float32Array])[],
  view: Range,
): Extremes {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [timeMs, values] of all) {
    for (let i = 0; i < timeMs.length; i++) {
      const [atMs, value] = [timeMs[i] as number, values[i] as number];
      if (Number.isNaN(value) || atMs < view.fromMs || atMs > view.toMs) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return least > most ? { least: Number.NaN, most: Number.NaN } : { least, most };
}

/** More than the pixels of most screens. */
const COLUMNS = 1200;

/**
 * A field's line in a box of 1 × 1, with the minimum and maximum of each column of pixels so that no dip or peak is
 * lost. It has gaps where the tracker was silent.
 */
export function fieldPath(
  timeMs: Float64Array,
  values: Float32Array,
  { fromMs, toMs }: Range,
  { bottom, top }: Pick<Axis, 'bottom' | 'top'>,
): string {
  const parts: string[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  let column = -1;
  let low: readonly [atMs: number, value: number] = [0, 0];
  let high = low;
  let isNew = true;
  const draw = ([atMs, value]: readonly [number, number]): void => {
    const x = ((atMs - fromMs) / (toMs - fromMs)).toFixed(5);
    parts.push(`${isNew ? 'M' : 'L'}${x} ${(1 - (value - bottom) / (top - bottom)).toFixed(4)}`);
    isNew = false;
  };
  const write = (): void => {
    if (column < 0) return;
    const [first, second] = low[0] <= high[0] ? [low, high] : [high, low];
    draw(first);
    if (second !== first) draw(second);
    column = -1;
  };
  for (let i = 0; i < timeMs.length; i++) {
    const [atMs, value] = [timeMs[i] as number, values[i] as number];
    if (atMs < fromMs || atMs > toMs || Number.isNaN(value)) continue;
    const next = Math.floor(((atMs - fromMs) / (toMs - fromMs)) * COLUMNS);
    if (atMs - lastMs > GAP_MS) {
      write();
      isNew = true;
    } else if (next !== column) write();
    const point = [atMs, value] as const;
    if (column < 0) [low, high] = [point, point];
    else if (value < low[1]) low = point;
    else if (value > high[1]) high = point;
    column = next;
    lastMs = atMs;
  }
  write();
  return parts.join('');
}

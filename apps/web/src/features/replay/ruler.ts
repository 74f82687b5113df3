import { GAP_MS } from '@milepost/geo';
import { startOfDay } from '../../format/time.ts';
import type { Track } from '../../tracks/unpack.ts';
import type { Range } from './address.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Possible distances of labels, each with the distance of the ticks between them. */
const STEPS: readonly (readonly [labelMs: number, tickMs: number])[] = [
  [MINUTE, 15_000],
  [5 * MINUTE, MINUTE],
  [15 * MINUTE, 5 * MINUTE],
  [30 * MINUTE, 10 * MINUTE],
  [HOUR, 15 * MINUTE],
  [2 * HOUR, 30 * MINUTE],
  [3 * HOUR, HOUR],
  [6 * HOUR, HOUR],
  [12 * HOUR, 3 * HOUR],
  [24 * HOUR, 6 * HOUR],
];

export interface Ticks {
  readonly labelsMs: readonly number[];
  readonly tallMs: readonly number[];
  readonly shortMs: readonly number[];
}

/** Ticks of a time scale with at most this many labels, counted from midnight in the user's time zone. */
export function ticksOf({ fromMs, toMs }: Range, most: number): Ticks {
  const [labelMs, tickMs] =
    STEPS.find(([step]) => (toMs - fromMs) / step <= most) ?? (STEPS.at(-1) as [number, number]);
  const begin = startOfDay(fromMs);
  const every = (stepMs: number): number[] => {
    const first = Math.ceil((fromMs - begin) / stepMs);
    const last = Math.floor((toMs - begin) / stepMs);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => begin + (first + i) * stepMs);
  };
  const labels = every(labelMs);
  // If even the largest step gives too many labels, label only every second or third one.
  const stride = Math.max(1, Math.ceil(labels.length / most));
  return {
    labelsMs: labels.filter((_, i) => i % stride === 0),
    tallMs: labels,
    shortMs: every(tickMs).filter(ms => !labels.includes(ms)),
  };
}

/** Columns of the speed line: more than the pixels of most screens. */
const COLUMNS = 1200;

/**
 * The speed as an SVG path in a box of 1 × 1, with the highest speed of each column. It has gaps where the tracker was
 * silent.
 */
export function speedPath(
  { timeMs, speed }: Pick<Track, 'timeMs' | 'speed'>,
  { fromMs, toMs }: Range,
  top: number,
): string {
  const parts: string[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  let column = -1;
  let best = 0;
  let bestMs = 0;
  let isNew = true;
  const write = (): void => {
    if (column < 0) return;
    const x = ((bestMs - fromMs) / (toMs - fromMs)).toFixed(5);
    parts.push(`${isNew ? 'M' : 'L'}${x} ${(1 - Math.min(1, best / top)).toFixed(4)}`);
    isNew = false;
    column = -1;
  };
  for (let i = 0; i < timeMs.length; i++) {
    const [atMs, value] = [timeMs[i] as number, speed[i] as number];
    if (atMs < fromMs || atMs > toMs || Number.isNaN(value)) continue;
    const next = Math.floor(((atMs - fromMs) / (toMs - fromMs)) * COLUMNS);
    if (atMs - lastMs > GAP_MS) {
      write();
      isNew = true;
    } else if (next !== column) write();
    if (column < 0 || value > best) [best, bestMs] = [value, atMs];
    column = next;
    lastMs = atMs;
  }
  write();
  return parts.join('');
}

/** The top of the speed axis and its labels, in the unit shown. */
export function speedAxis(most: number): { readonly top: number; readonly marks: readonly number[] } {
  const step = most <= 40 ? 10 : most <= 80 ? 20 : most <= 130 ? 25 : 50;
  const count = Math.max(2, Math.ceil(most / step));
  return { top: step * count, marks: Array.from({ length: count + 1 }, (_, i) => i * step) };
}

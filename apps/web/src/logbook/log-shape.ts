import type { LogDay, ShownStatus } from '@milepost/contract';

/** The four lines of the graph, from the top (49 CFR 395.8(g)). */
export const LINES = ['OFF', 'SB', 'D', 'ON'] as const;
export type Line = (typeof LINES)[number];

/** Personal use is on the off-duty line, yard moves on the on-duty line. */
export const lineOf = (status: ShownStatus): Line => (status === 'PC' ? 'OFF' : status === 'YM' ? 'ON' : status);

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

export interface Span {
  readonly status: ShownStatus;
  /** The record that starts it, if it started within the log. */
  readonly record?: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Segments as spans within the day, without empty ones. */
export function spansOf({ from, to, segments }: Pick<LogDay, 'from' | 'to' | 'segments'>): Span[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return segments
    .map(({ status, from: begins, to: ends, record }) => ({
      status,
      record,
      fromMs: Math.max(start, Date.parse(begins)),
      toMs: Math.min(end, Date.parse(ends)),
    }))
    .filter(({ fromMs, toMs }) => toMs > fromMs);
}

/** One line through all spans, along the middle of the graph's lines; times without a log are gaps. */
export function pathOf(spans: readonly Span[], x: (ms: number) => number, y: (line: Line) => number): string {
  let path = '';
  let before: Span | undefined;
  for (const span of spans) {
    const level = y(lineOf(span.status)).toFixed(1);
    const joins = before !== undefined && before.toMs === span.fromMs;
    path += `${joins ? `V${level}` : `M${x(span.fromMs).toFixed(1)} ${level}`}H${x(span.toMs).toFixed(1)}`;
    before = span;
  }
  return path;
}

export interface HourTick {
  readonly ms: number;
  /** The hour in the zone at that time. */
  readonly hour: number;
}

/** The hours of a day in order: 24, or 23 or 25 when daylight saving changes; one may then occur twice. */
export function hoursOf(fromMs: number, toMs: number, hourAt: (ms: number) => number): HourTick[] {
  const ticks: HourTick[] = [];
  for (let ms = fromMs; ms <= toMs; ms += HOUR_MS) ticks.push({ ms, hour: hourAt(ms) });
  return ticks;
}

/** The three quarters within each hour. */
export function quartersOf(fromMs: number, toMs: number): number[] {
  const quarters: number[] = [];
  for (let ms = fromMs + QUARTER_MS; ms < toMs; ms += QUARTER_MS) {
    if ((ms - fromMs) % HOUR_MS !== 0) quarters.push(ms);
  }
  return quarters;
}

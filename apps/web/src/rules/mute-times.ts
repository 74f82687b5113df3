import type { MuteBody } from '@milepost/contract';
import { hourOfDay } from '../format/time.ts';

const HOUR_MS = 3_600_000;
const MORNING = 7;

export type MuteLength = 'hour' | 'morning' | 'open';
export const MUTE_LENGTHS = ['hour', 'morning', 'open'] as const satisfies readonly MuteLength[];

/** The next time that the reader's clock shows 7:00. */
export const nextMorning = (nowMs: number): number =>
  hourOfDay(nowMs, MORNING) > nowMs ? hourOfDay(nowMs, MORNING) : hourOfDay(nowMs + 24 * HOUR_MS, MORNING);

export function muteFor(length: MuteLength, nowMs: number): NonNullable<MuteBody['mute']> {
  if (length === 'open') return { until: null };
  return { until: new Date(length === 'hour' ? nowMs + HOUR_MS : nextMorning(nowMs)).toISOString() };
}

import { type EpochMs, epochMs, type Milliseconds, milliseconds } from '@milepost/units';

/** Arithmetic on instants and durations that keeps their branded types. */
export const NOTHING = milliseconds(0);

export const after = (instant: EpochMs, duration: Milliseconds): EpochMs => epochMs(instant + duration);
export const between = (start: EpochMs, end: EpochMs): Milliseconds => milliseconds(end - start);
export const sum = (a: Milliseconds, b: Milliseconds): Milliseconds => milliseconds(a + b);
export const left = (limit: Milliseconds, used: Milliseconds): Milliseconds => milliseconds(Math.max(0, limit - used));
export const shorter = (a: Milliseconds, b: Milliseconds): Milliseconds => (a < b ? a : b);
export const earlier = (a: EpochMs, b: EpochMs): EpochMs => (a < b ? a : b);
export const later = (a: EpochMs, b: EpochMs): EpochMs => (a > b ? a : b);

import { isoDate } from '../local-time.ts';
import { hashOf } from './sha256.ts';

/**
 * A hash that stands for one day of a chain: anyone who keeps it (a driver, an officer, a notary) can check later that
 * the day's entries have not changed. Days are UTC days by time of writing, so that no time zone is in doubt.
 */
export interface DailyRoot {
  readonly chain: string;
  /** `2026-02-03` */
  readonly day: string;
  /** Position of the day's first link, and how many links it has. */
  readonly first: number;
  readonly count: number;
  /** The hash before the day's first link, and that of its last. */
  readonly previous: string;
  readonly head: string;
  readonly root: string;
}

const KIND = 'milepost-day/1';

export const rootDay = (recordedAt: number): string => isoDate(recordedAt);

export function rootOf(day: Omit<DailyRoot, 'root'>): DailyRoot {
  const lines = [KIND, day.chain, day.day, day.first, day.count, day.previous, day.head];
  return { ...day, root: hashOf(lines.join('\n')) };
}

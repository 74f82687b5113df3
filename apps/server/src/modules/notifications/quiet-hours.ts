import { homeDays } from '@milepost/hos';
import type { EpochMs } from '@milepost/units';

/** From one time of the wall clock to another, over midnight where the end is the smaller one. */
export interface QuietHours {
  /** `22:00` */
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/**
 * When the quiet hours end in which a moment lies; null where it lies in none. They begin and end at the first instant
 * at which the wall clock shows their times or later: where clocks go back an hour they do not come twice, and where
 * clocks jump over a time it is the jump.
 */
export function quietUntil({ from, to, timeZone }: QuietHours, at: EpochMs): EpochMs | null {
  const begins = homeDays({ timeZone, startOfDay: minuteOf(from) });
  const ends = homeDays({ timeZone, startOfDay: minuteOf(to) });
  const ending = ends.dayOf(at);
  const hasBegunSince = begins.startOf(begins.dayOf(at)) > ends.startOf(ending);
  return hasBegunSince ? ends.startOf(ending + 1) : null;
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

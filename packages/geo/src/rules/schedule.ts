import { type EpochMs, epochMs } from '@milepost/units';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Milliseconds that local clocks are ahead of UTC at a moment. */
export type OffsetAt = (at: EpochMs) => number;

/** Minutes after midnight, 0 to 1439. From `to` on it is over; if `to` is not later than `from`, on the next day. */
export interface WeeklyTimes {
  /** On which days it begins; 1 is Monday, 7 is Sunday. */
  readonly days: ReadonlySet<number>;
  readonly from: number;
  readonly to: number;
  /** Counts at all other times instead. */
  readonly isOutside: boolean;
}

/** When a rule counts, by the clocks of its account. */
export interface Schedule {
  isWithin(at: EpochMs): boolean;
  /** The first moment within it, from this one on; null if there is none within eight days. */
  next(from: EpochMs): EpochMs | null;
}

export function weeklySchedule({ days, from, isOutside, to }: WeeklyTimes, offsetAt: OffsetAt): Schedule {
  const isWithin = (at: EpochMs): boolean => {
    const { day, minute } = localTime(at, offsetAt);
    const before = day === 1 ? 7 : day - 1;
    const isIn =
      from < to
        ? minute >= from && minute < to && days.has(day)
        : (minute >= from && days.has(day)) || (minute < to && days.has(before));
    return isIn !== isOutside;
  };
  return {
    isWithin,
    next: at => {
      if (isWithin(at)) return at;
      const first = Math.floor(at / MINUTE_MS) + 1;
      for (let minute = first; minute <= first + WEEK_MINUTES + DAY_MINUTES; minute++) {
        const moment = epochMs(minute * MINUTE_MS);
        if (isWithin(moment)) return moment;
      }
      return null;
    },
  };
}

/** The next moment after this one when local clocks show `minute` on one of these days; null if there are no days. */
export function nextMoment(
  after: EpochMs,
  days: ReadonlySet<number>,
  minute: number,
  offsetAt: OffsetAt,
): EpochMs | null {
  const today = Math.floor((after + offsetAt(after)) / MINUTE_MS / DAY_MINUTES);
  for (let day = today; day <= today + 8; day++) {
    if (!days.has(weekday(day))) continue;
    const wall = (day * DAY_MINUTES + minute) * MINUTE_MS;
    // The offset is that of the moment itself, which is known to the hour only.
    const guess = epochMs(wall - offsetAt(epochMs(wall)));
    const moment = epochMs(wall - offsetAt(guess));
    if (moment > after) return moment;
  }
  return null;
}

function localTime(at: EpochMs, offsetAt: OffsetAt): { readonly day: number; readonly minute: number } {
  const minutes = Math.floor((at + offsetAt(at)) / MINUTE_MS);
  const day = Math.floor(minutes / DAY_MINUTES);
  return { day: weekday(day), minute: minutes - day * DAY_MINUTES };
}

/** Of a day since 1970, which began on a Thursday. */
const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

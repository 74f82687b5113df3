import { type EpochMs, epochMs } from '@milepost/units';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** Holidays in a row, and a week. */
const LOOK_DAYS = 36;

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

/** Days off, as days since 1970 by local clocks: nothing that is weekly begins on them. */
export type Holidays = ReadonlySet<number>;
const NO_HOLIDAYS: Holidays = new Set();

/** When a rule counts, by the clocks of its account. */
export interface Schedule {
  isWithin(at: EpochMs): boolean;
  /** The first moment within it, from this one on; null if there is none within eight days, or five weeks with holidays. */
  next(from: EpochMs): EpochMs | null;
}

export function weeklySchedule(
  { days, from, isOutside, to }: WeeklyTimes,
  offsetAt: OffsetAt,
  holidays: Holidays = NO_HOLIDAYS,
): Schedule {
  const begins = (day: number): boolean => days.has(weekday(day)) && !holidays.has(day);
  const isWithin = (at: EpochMs): boolean => {
    const { day, minute } = localTime(at, offsetAt);
    const isIn =
      from < to
        ? minute >= from && minute < to && begins(day)
        : (minute >= from && begins(day)) || (minute < to && begins(day - 1));
    return isIn !== isOutside;
  };
  return {
    isWithin,
    next: at => {
      if (isWithin(at)) return at;
      const first = Math.floor(at / MINUTE_MS) + 1;
      for (
        let minute = first;
        minute <= first + (holidays.size === 0 ? WEEK_MINUTES + DAY_MINUTES : LOOK_DAYS * DAY_MINUTES);
        minute++
      ) {
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
  holidays: Holidays = NO_HOLIDAYS,
): EpochMs | null {
  const today = Math.floor((after + offsetAt(after)) / MINUTE_MS / DAY_MINUTES);
  for (let day = today; day <= today + LOOK_DAYS; day++) {
    if (!days.has(weekday(day)) || holidays.has(day)) continue;
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
  return { day, minute: minutes - day * DAY_MINUTES };
}

/** Of a day since 1970, which began on a Thursday. */
const weekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

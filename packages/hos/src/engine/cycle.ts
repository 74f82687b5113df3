import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { HomeDays } from '../home-days.ts';
import type { Cycle, Exemption } from '../rule-set.ts';
import { addDriving, type PastLimit } from './past-limit.ts';
import { between, later, NOTHING, sum } from './time.ts';

/** One home-terminal day with work in it. */
export interface DayCount {
  readonly day: number;
  readonly driven: Milliseconds;
  /** On duty, driving included. */
  readonly worked: Milliseconds;
  /** The part that counts toward the cycle: work after the last restart, without exempt work that doesn't count. */
  readonly counted: Milliseconds;
}

/** On-duty time in the cycle's days (395.3(b), 395.5(b); SOR/2005-313 s. 26–27). */
export interface CycleCount {
  /** Days with work, oldest first; those that have left the cycle are dropped. */
  readonly days: readonly DayCount[];
  readonly restartedAt: EpochMs | null;
  /** Driving past the limit in the last of `days`. */
  readonly past: PastLimit | null;
}

export const EMPTY_CYCLE: CycleCount = { days: [], restartedAt: null, past: null };

/** What counts toward the cycle on `day`: that day and the days before it. */
export function countedOn(count: CycleCount, cycle: Cycle, day: number): Milliseconds {
  let counted = 0;
  for (const entry of count.days) {
    if (entry.day > day - cycle.days && entry.day <= day) counted += entry.counted;
  }
  return milliseconds(counted);
}

export const dayCount = (count: CycleCount, day: number): DayCount | null => {
  const last = count.days.at(-1);
  return last?.day === day ? last : null;
};

/** Adds work or driving from `start` up to `end`, both on `day`; `exempt` is the exemption it is done under. */
export function withDuty(
  count: CycleCount,
  cycle: Cycle,
  homeDays: HomeDays,
  day: number,
  driving: boolean,
  start: EpochMs,
  end: EpochMs,
  exempt: Exemption | null,
): CycleCount {
  const length = between(start, end);
  const today = dayCount(count, day) ?? { day, driven: NOTHING, worked: NOTHING, counted: NOTHING };
  const before = count.days.filter(entry => entry.day > day - cycle.days && entry.day < day);
  const days = [
    ...before,
    {
      day,
      driven: driving ? sum(today.driven, length) : today.driven,
      worked: sum(today.worked, length),
      counted: exempt?.counts === false ? today.counted : sum(today.counted, length),
    },
  ];
  const past = dayCount(count, day) ? count.past : null;
  if (!driving || exempt) return { days, restartedAt: count.restartedAt, past };
  const left = cycle.limit - countedOn(count, cycle, day);
  const from = left < length ? countedFrom(count, cycle, homeDays, day) : start;
  return { days, restartedAt: count.restartedAt, past: addDriving(past, start, end, left, from, cycle.clause) };
}

/** After a long enough rest, nothing counts any more (395.3(c); s. 28). */
export const restarted = (count: CycleCount, end: EpochMs): CycleCount => ({
  days: count.days.map(entry => ({ ...entry, counted: NOTHING })),
  restartedAt: end,
  past: count.past,
});

function countedFrom(count: CycleCount, cycle: Cycle, homeDays: HomeDays, day: number): EpochMs {
  const oldest = homeDays.startOf(day - cycle.days + 1);
  return count.restartedAt === null ? oldest : later(oldest, count.restartedAt);
}

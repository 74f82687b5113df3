import { type DayCount, DayCounter } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { FIXES_AROUND, type FixRow, toFix } from '../fixes.ts';
import type { Calendar } from './calendar.ts';
import { type DayTotals, totalsOf } from './totals.ts';

/** Bit of `position.doubts`: the fix's time can't be right. */
export const IMPOSSIBLE_TIME = 0b0010;

/** What the counting of a day goes on with; plain JSON. */
export interface KeptDay {
  readonly throughMs: number;
  /** Fixes behind its end. */
  readonly behind: number;
  readonly count: DayCount;
}

/** A day of a vehicle while fixes may still change it: it is under way, or how it ended is not settled yet. */
export class OpenDay {
  readonly day: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** False where it holds a fix that is ahead of what may come: then it is counted anew. */
  canGoOn = true;
  /** It is not in the database as it stands here. */
  isChanged = true;
  /** Of the figures that are written. */
  writtenUntilMs = Number.NEGATIVE_INFINITY;
  readonly #calendar: Calendar;
  readonly #counter: DayCounter;
  #throughMs: number;
  #behind: number;
  #isEmpty: boolean;

  constructor(calendar: Calendar, day: number, kept?: KeptDay) {
    this.day = day;
    this.fromMs = calendar.startOf(day);
    this.toMs = calendar.startOf(day + 1);
    this.#calendar = calendar;
    this.#counter = new DayCounter(epochMs(this.fromMs), epochMs(this.toMs), kept && { count: kept.count });
    this.#throughMs = kept?.throughMs ?? Number.NEGATIVE_INFINITY;
    this.#behind = kept?.behind ?? 0;
    this.#isEmpty = kept === undefined;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** No fix to come changes it, but one that is late. */
  get isSettled(): boolean {
    return this.#behind >= FIXES_AROUND;
  }

  /**
   * The next fix in the order of time; one that it has, or that is too far behind it, changes nothing. `isAhead`: others
   * may come in before it.
   */
  take(row: FixRow, isAhead = false): void {
    const fix = toFix(row);
    if (fix.time <= this.#throughMs || this.isSettled) return;
    if (fix.time >= this.toMs) this.#behind++;
    if (isAhead) this.canGoOn = false;
    this.#throughMs = fix.time;
    this.#isEmpty = false;
    this.#counter.add(fix);
    this.isChanged = true;
  }

  totals(nowMs: number): DayTotals {
    return totalsOf(this.#counter.figures(epochMs(Math.min(this.toMs, nowMs))), this.#calendar);
  }

  kept(): KeptDay {
    return { throughMs: this.#throughMs, behind: this.#behind, count: this.#counter.count() };
  }
}

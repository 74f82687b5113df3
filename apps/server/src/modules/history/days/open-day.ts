import type { TripFix } from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import { FIXES_AROUND, type FixRow } from '../../../tracks/fixes.ts';
import { toFix } from '../fixes.ts';
import type { Calendar } from './calendar.ts';

/** Counts the fixes of a day and a few around it, oldest first. */
export interface Counter {
  add(fix: TripFix): void;
  /** The state to continue from; plain JSON. */
  count(): unknown;
}

export type BeginCounter<C extends Counter> = (from: EpochMs, to: EpochMs, count: unknown) => C;

/** The state from which a day's counting continues; plain JSON. */
export interface KeptDay {
  readonly throughMs: number;
  /** Fixes after its end. */
  readonly behind: number;
  readonly count: unknown;
}

/** A day of a vehicle that fixes may still change: today, or a day whose end isn't settled yet. */
export class OpenDay<C extends Counter> {
  readonly day: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly counter: C;
  /** False if it holds a fix that later fixes may precede; then the day is counted again. */
  canGoOn = true;
  /** The database doesn't have its current state. */
  isChanged = true;
  /** Of the figures that are written. */
  writtenUntilMs = Number.NEGATIVE_INFINITY;
  #throughMs: number;
  #behind: number;
  #isEmpty: boolean;

  constructor(begin: BeginCounter<C>, calendar: Calendar, day: number, kept?: KeptDay) {
    this.day = day;
    this.fromMs = calendar.startOf(day);
    this.toMs = calendar.startOf(day + 1);
    this.counter = begin(epochMs(this.fromMs), epochMs(this.toMs), kept?.count);
    this.#throughMs = kept?.throughMs ?? Number.NEGATIVE_INFINITY;
    this.#behind = kept?.behind ?? 0;
    this.#isEmpty = kept === undefined;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Only a late fix can still change it. */
  get isSettled(): boolean {
    return this.#behind >= FIXES_AROUND;
  }

  /** As far as is known. */
  untilMs(nowMs: number): EpochMs {
    return epochMs(Math.min(this.toMs, nowMs));
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
    this.counter.add(fix);
    this.isChanged = true;
  }

  kept(): KeptDay {
    return { throughMs: this.#throughMs, behind: this.#behind, count: this.counter.count() };
  }
}

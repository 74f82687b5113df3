import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** What following positions may take of one core while there is time for it. */
const SHARE = 1 / 20;
/** And while trackers keep the thread busy: acknowledgements come first, but rules go on. */
const LEAST = 1 / 100;
/** What others leave of the thread is left to them but for this part; the past may have more of it. */
const OF_WHAT_IS_LEFT = 1 / 4;
const OF_WHAT_IS_LEFT_FOR_THE_PAST = 1 / 2;
/** Positions that wait longer are followed with more and more of the core: with `MOST`, and after minutes with `ALL`. */
export interface Patience {
  readonly untilMs: number;
  readonly endsMs: number;
  readonly allMs: number;
}
const PATIENCE: Patience = { untilMs: 20_000, endsMs: 60_000, allMs: 5 * 60_000 };
/** What came late corrects what is known, and may wait longer. */
const PATIENCE_OF_THE_PAST: Patience = { untilMs: 60_000, endsMs: 10 * 60_000, allMs: Number.POSITIVE_INFINITY };
const MOST = 1 / 2;
/**
 * Trackers that have sent more for minutes than can be followed then wait for their acknowledgements, which slows them
 * down to what can be.
 */
const ALL = 9 / 10;
/** While it rests, it looks this often whether it has to go on earlier. */
const LOOK_MS = 200;
/** Of one look at new positions: what it takes of the thread in any case, and for each position; docs/performance.md. */
const A_LOOK_MS = 15;
const A_POSITION_MS = 0.1;

/**
 * The part of a core that all projections together may take, for the part that others use of the thread and for how
 * long the oldest position has waited.
 */
export function shareOf(used: number, behindMs: number, { allMs, endsMs, untilMs }: Patience = PATIENCE): number {
  const calm = Math.min(SHARE, Math.max(LEAST, (1 - used) * OF_WHAT_IS_LEFT));
  const urgency = (behindMs - untilMs) / (endsMs - untilMs);
  const overload = Math.min(1, Math.max(0, (behindMs - endsMs) / (allMs - endsMs)));
  return Math.max(calm, MOST * Math.min(1, urgency) + (ALL - MOST) * overload);
}

/** The same for what came late, and for the past of what is new. */
export function shareOfPast(used: number, waitedMs: number): number {
  return Math.max(shareOf(1, waitedMs, PATIENCE_OF_THE_PAST), (1 - used) * OF_WHAT_IS_LEFT_FOR_THE_PAST);
}

/** While some of the past waits, it has so much of what projections may take: less if new positions have waited, too. */
export const partOfPast = (behindMs: number, { untilMs }: Patience = PATIENCE): number =>
  behindMs > untilMs ? 1 / 10 : 1 / 2;

/**
 * For how long a look at new positions has worked. By the clock it may be longer, but then it has waited: for the
 * database, and for those to whom it gave way. If that counted, a busy server would look more and more rarely at a few
 * positions.
 */
export const workOf = (clockMs: number, positions: number): number =>
  Math.min(clockMs, A_LOOK_MS + positions * A_POSITION_MS);

/**
 * Rests between pieces of work, so long that projections keep to their share: long while the server is busy with what
 * trackers send, and shorter the longer positions have waited.
 */
export class Pace {
  /** Of the thread by others, at the last rest. */
  #used = 0;
  readonly #stopped = new AbortController();
  readonly #shareOf: (used: number) => number;

  /** `share`: of the core, for the part that others use of the thread. */
  constructor(share: (used: number) => number) {
    this.#shareOf = share;
  }

  /** Of the time that work on late positions may take at once. */
  get ofItsShare(): number {
    return Math.min(1, this.#share() / SHARE);
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** After work of so many milliseconds, and for `atLeastMs`. */
  async rest(workedMs: number, atLeastMs = 0): Promise<void> {
    const began = performance.now();
    const before: EventLoopUtilization = performance.eventLoopUtilization();
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const restedMs = performance.now() - began;
      const owedMs = workedMs / this.#share() - workedMs;
      const leftMs = Math.max(owedMs, atLeastMs) - restedMs;
      if (leftMs < 1) return;
      await sleep(Math.min(leftMs, LOOK_MS), undefined, { ref: false, signal }).catch(() => {});
      this.#used = performance.eventLoopUtilization(before).utilization;
    }
  }

  #share(): number {
    return this.#shareOf(this.#used);
  }
}

interface Waiting {
  /** All that was stored until then is folded. */
  readonly foldedMs: number;
  /** The newest fix when it was looked at. */
  readonly newestMs: number;
  readonly lookedMs: number;
}

/** The vehicles with more fixes than were folded at once, and how long these have waited. */
export class Backlog {
  readonly #waiting = new Map<number, Waiting>();

  get size(): number {
    return this.#waiting.size;
  }

  has(vehicleId: number): boolean {
    return this.#waiting.has(vehicleId);
  }

  /** The next fixes of a vehicle are folded, and there are more. */
  more(vehicleId: number, throughMs: number, newestMs: number, nowMs: number): void {
    const known = this.#waiting.get(vehicleId);
    if (known && throughMs < known.newestMs) return;
    this.#waiting.set(vehicleId, { foldedMs: known?.lookedMs ?? nowMs, newestMs, lookedMs: nowMs });
  }

  /** All of a vehicle's fixes are folded. */
  none(vehicleId: number): void {
    this.#waiting.delete(vehicleId);
  }

  /** The others are gone, or kept by another server. */
  only(vehicleIds: ReadonlySet<number>): void {
    for (const id of this.#waiting.keys()) if (!vehicleIds.has(id)) this.#waiting.delete(id);
  }

  /** How long the oldest of them has waited, or of those that are meant. */
  behindMs(nowMs: number, isMeant: (vehicleId: number) => boolean = () => true): number {
    let first = nowMs;
    for (const [id, { foldedMs }] of this.#waiting) if (isMeant(id)) first = Math.min(first, foldedMs);
    return nowMs - first;
  }
  /** How long the oldest of each of these groups has waited. */
  waitedMs(nowMs: number, groupOf: (vehicleId: number) => number | null): Map<number, number> {
    const waited = new Map<number, number>();
    for (const [id, { foldedMs }] of this.#waiting) {
      const group = groupOf(id);
      if (group !== null) waited.set(group, Math.max(waited.get(group) ?? 0, nowMs - foldedMs));
    }
    return waited;
  }
}

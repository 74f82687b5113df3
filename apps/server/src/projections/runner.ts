import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type FixRow, readOn } from '../tracks/fixes.ts';
import { turn } from '../workers/turns.ts';
import { Claims } from './claims.ts';
import { alike, FairTurns, type Turn } from './fair-turns.ts';
import {
  aheadMs,
  foldsOf,
  hasPast,
  KeptFolds,
  type KeptFoldsParts,
  type KeptVehicle,
  throughMs,
} from './kept-folds.ts';
import { LateDays, MARKS_AT_ONCE } from './late-days.ts';
import { Backlog, type Patience, workOf } from './pace.ts';
import { Paces } from './paces.ts';
import type { Fold, Progress, Projection } from './projection.ts';
import { Reading } from './reading.ts';

export interface RunnerParts extends KeptFoldsParts {
  readonly log: Logger;
  /** Reads the settings that folds depend on. Answers the accounts whose folds begin anew. */
  readonly refresh: (accountId: number | null) => Promise<readonly number[]>;
  readonly patience?: Patience;
}

/** Vehicles whose fixes are read with one query, and how many of each for those who wait for them. */
const BATCH_VEHICLES = 200;
const BATCH_FIXES = 200;
/** In the background, all of them together: few enough that a rest comes soon. */
const BATCH_BEHIND = 4000;
/** Readers are answered after this long at the latest, unless they said longer. */
const READERS_WAIT_MS = 2000;
/** A server that has been behind for longer is loading a past: its readers wait no longer than they said. */
const LOADING_AFTER_MS = 5000;
/** What is folded is written this often, so that a restart reads no more than that again. */
const WRITE_EVERY_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 2000;
const PAST_PAUSE_MS = 200;
/** Days into which positions came late, or of a past that was never folded, take this long at a time. */
const PAST_MS = 400;
/** So many vehicles with a past to count are read at once. */
const BATCH_PAST = 4;
const TURN_MS = 4;

/**
 * Keeps what follows from every vehicle's positions up to date, behind the commit and at its own pace: it reads what was
 * stored since it last looked, once for all projections, and has them fold again where positions came late. All that it
 * needs to go on after a crash is in the database, and each vehicle is kept by one server; docs/figures.md.
 */
export class ProjectionRunner {
  readonly #parts: RunnerParts;
  readonly #claims: Claims;
  readonly #kept: KeptFolds;
  readonly #late: LateDays;
  readonly #backlog = new Backlog();
  readonly #turns = new FairTurns(id => this.#accountOf(id));
  readonly #paces: Paces;
  #lookedMs: number | null = null;
  #followed = 0;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#claims = new Claims(parts.db.system, () => this.#backlog.waitedMs(Date.now(), this.#accountOf));
    this.#kept = new KeptFolds(parts, this.#claims);
    const isStopped = () => this.#isStopped;
    const isOf = (accountId: number | null) => this.#isOf(accountId);
    this.#late = new LateDays({ parts, claims: this.#claims, kept: this.#kept, isOf, isStopped });
    this.#paces = new Paces(() => this.progress().behindMs, parts.patience);
  }

  /** Looks again and again, until `stop`. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.#looking = Promise.all([this.#keepFollowing(), this.#keepCounting()]);
    }, FIRST_PAUSE_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#paces.stop();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#looking;
    await this.#last.catch(() => {});
    const all = this.#kept.all();
    for (let i = 0; i < all.length; i += BATCH_VEHICLES) {
      await this.#kept.write(all.slice(i, i + BATCH_VEHICLES), Date.now()).catch(() => {});
    }
    await this.#claims.release().catch(() => {});
  }

  /** What is in memory of a vehicle; null while nothing was folded here. */
  fold<F extends Fold>(projection: Projection<F>, vehicleId: number): F | null {
    return this.#kept.fold(projection, vehicleId);
  }

  /** Positions are stored that are not folded yet. */
  isBehind(vehicleId: number, nowMs: number): boolean {
    return this.#late.has(vehicleId) || this.isBehindBefore(vehicleId, nowMs);
  }

  /** Positions before a moment are stored that are not folded yet, besides those that came late. */
  isBehindBefore(vehicleId: number, toMs: number): boolean {
    const newestMs = this.#kept.newestMs(vehicleId);
    return newestMs !== null && Math.min(newestMs, toMs - 1) > (this.throughMs(vehicleId) ?? Number.NEGATIVE_INFINITY);
  }

  /** How far a vehicle's fixes are folded; null where none is. */
  throughMs(vehicleId: number): number | null {
    const vehicle = this.#kept.get(vehicleId);
    return vehicle ? throughMs(vehicle) : null;
  }

  progress(accountId: number | null = null): Progress {
    const nowMs = Date.now();
    // What came since the last look may wait, too.
    const unseenMs = this.#lookedMs === null ? 0 : nowMs - this.#lookedMs;
    const behindMs = Math.max(unseenMs, this.#backlog.behindMs(nowMs, this.#isOf(accountId)));
    return { followed: this.#followed, behindMs, lateDays: this.#late.days };
  }

  /** How long the oldest position of an account has waited, at whichever server. */
  async behindMs(accountId: number): Promise<number> {
    return Math.max(this.progress(accountId).behindMs, await this.#claims.othersWaitedMs(accountId));
  }

  /**
   * Folds what these vehicles of an account have stored by now. Resolves after `timeoutMs` at the latest while a past is
   * loading: the work of others, which has its turn first, may take many times as long.
   */
  async catchUp(accountId: number, vehicleIds: readonly number[], timeoutMs: number): Promise<void> {
    const behindMs = Math.max(this.#paces.pastWaitedMs, this.progress(accountId).behindMs);
    const waitMs = behindMs > LOADING_AFTER_MS ? timeoutMs : Math.max(timeoutMs, READERS_WAIT_MS);
    const caughtUp = this.#catchUp(accountId, vehicleIds, timeoutMs, performance.now() + waitMs);
    await Promise.race([caughtUp, sleep(waitMs, undefined, { ref: false })]);
  }

  /** Tries everything once, and goes on until `timeoutMs`. Begins nothing after `endMs`, when nobody waits anymore. */
  async #catchUp(accountId: number, vehicleIds: readonly number[], timeoutMs: number, endMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const inTurn = <T>(work: () => Promise<T>): Promise<T | null> =>
      this.#inTurn(async () => (performance.now() > endMs ? null : await work()));
    await inTurn(() => this.#begin(accountId, vehicleIds));
    const nowMs = Date.now();
    const dueOf = (ids: readonly number[]) => [...new Set([...this.#due(ids, nowMs), ...this.#withPast(ids)])];
    let due = dueOf(vehicleIds);
    while (due.length > 0 && performance.now() < deadline) {
      const batch = due.slice(0, BATCH_VEHICLES);
      const before = new Map(batch.map(id => [id, this.throughMs(id)]));
      await inTurn(() => this.#readOn(alike(batch, BATCH_FIXES), nowMs, { isOver: true, isPast: true }));
      // Of one that got no further, all is folded but what its clock has in the future.
      const past = this.#withPast(batch);
      const again = dueOf(batch).filter(id => past.includes(id) || this.throughMs(id) !== before.get(id));
      due = [...due.slice(BATCH_VEHICLES), ...again];
    }
    const foldLate = () => inTurn(() => this.#late.foldAgain(accountId, vehicleIds, deadline));
    while ((await foldLate()) === MARKS_AT_ONCE && performance.now() < deadline);
  }

  /** What is folded of an account's vehicles is read again. */
  forget(accountId: number): void {
    this.#kept.forget(accountId);
  }

  /** Folds what was stored since the last look, and some of what is late. */
  async look(): Promise<void> {
    await this.#follow();
    await this.#countPast();
  }

  /**
   * Folds what was stored since the last look, of every vehicle that no other server keeps. Those that sent more than is
   * followed at once share one read, so a flood of many is waited for once. Answers whether there is more, and for how
   * long it worked since it rested.
   */
  async #follow(): Promise<{ readonly isMore: boolean; readonly workedMs: number }> {
    let [began, followed] = [performance.now(), this.#followed];
    const worked = (): number => workOf(performance.now() - began, this.#followed - followed);
    await this.#claims.seen();
    await this.#inTurn(() => this.#begin(null, null));
    const nowMs = Date.now();
    this.#lookedMs = nowMs;
    const others = new Set(await this.#claims.ofOthers());
    const all = [...this.#parts.live.accounts()].flatMap(account =>
      [...this.#parts.directory.ofAccount(account)].map(({ id }) => id).filter(id => !others.has(id)),
    );
    const due = this.#due(all, nowMs, aheadMs);
    this.#backlog.only(new Set(due));
    const behind = due.filter(id => this.#backlog.has(id));
    const fresh = due.filter(id => !this.#backlog.has(id));
    const reads: Turn[][] = [];
    for (let i = 0; i < fresh.length; i += BATCH_VEHICLES) {
      const batch = fresh.slice(i, i + BATCH_VEHICLES);
      reads.push(alike(batch, Math.ceil(BATCH_BEHIND / batch.length)));
    }
    if (behind.length > 0) reads.push(this.#turns.next(behind, BATCH_VEHICLES, BATCH_BEHIND));
    for (const [nth, turns] of reads.entries()) {
      if (nth > 0) {
        await this.#paces.ofTheNew.rest(worked());
        [began, followed] = [performance.now(), this.#followed];
      }
      if (this.#isStopped) break;
      await this.#claims.seen();
      await this.#inTurn(() => this.#readOn(turns, nowMs, { isOver: false, isPast: false }));
    }
    return { isMore: this.#backlog.size > 0, workedMs: worked() };
  }

  /** A part of the past that is to be counted, each vehicle in its turn. Answers whether there is more. */
  async #countPast(): Promise<boolean> {
    const atOnceMs = PAST_MS * this.#paces.ofThePast.ofItsShare;
    const until = performance.now() + atOnceMs;
    const ids = this.#withPast(this.#kept.all().map(({ id }) => id));
    for (let i = 0; i < ids.length && !this.#isStopped; i += BATCH_PAST) {
      const batch = ids.slice(i, i + BATCH_PAST);
      await this.#inTurn(() => this.#readOn(alike(batch, BATCH_FIXES), Date.now(), { isOver: false, isPast: true }));
      // The others come first next time.
      for (const id of batch) this.#kept.toEnd(id);
      if (performance.now() > until) break;
    }
    const marks = await this.#inTurn(() => this.#late.foldAgain(null, null, performance.now() + atOnceMs));
    const isPast = marks > 0 || this.#withPast(ids).length > 0;
    this.#paces.pastWaits(isPast);
    return isPast;
  }

  async #keepFollowing(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      const { isMore, workedMs } = await this.#follow().catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'Could not follow positions; retrying');
        return { isMore: false, workedMs: performance.now() - began };
      });
      await this.#paces.ofTheNew.rest(workedMs, isMore ? 0 : FIRST_PAUSE_MS);
      await turn();
    }
  }

  async #keepCounting(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      const isMore = await this.#countPast().catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'Could not count the past; retrying');
        return false;
      });
      await this.#paces.ofThePast.rest(performance.now() - began, isMore ? PAST_PAUSE_MS : FIRST_PAUSE_MS);
      await turn();
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Lets go of what others have claimed since, and of what begins anew. */
  async #begin(accountId: number | null, vehicleIds: readonly number[] | null): Promise<void> {
    for (const changed of await this.#parts.refresh(accountId)) this.forget(changed);
    const inMemory = (vehicleIds ?? this.#kept.all().map(({ id }) => id)).filter(
      id => this.#kept.get(id) !== undefined,
    );
    for (const id of await this.#claims.lost(inMemory)) this.#kept.drop(id);
  }

  #due(vehicleIds: readonly number[], nowMs: number, reachedMs = throughMs): number[] {
    return vehicleIds.filter(id => {
      const newestMs = this.#kept.newestMs(id);
      if (newestMs === null) return false;
      const vehicle = this.#kept.get(id);
      if (!vehicle) return true;
      return Math.min(newestMs, nowMs - 1) > reachedMs(vehicle) || foldsOf(vehicle).some(fold => fold.isDue(nowMs));
    });
  }

  #withPast(vehicleIds: readonly number[]): number[] {
    return vehicleIds.filter(id => {
      const vehicle = this.#kept.get(id);
      return vehicle !== undefined && hasPast(vehicle);
    });
  }

  /**
   * The next fixes of these vehicles, so many of each at most: what is new for the folds that are ahead, so that rules
   * don't wait for figures of the day so far; or, of the past, what those behind them lack, and some of what `goOn` counts.
   */
  async #readOn(
    turns: readonly Turn[],
    nowMs: number,
    { isOver, isPast }: { readonly isOver: boolean; readonly isPast: boolean },
  ): Promise<void> {
    const fromMs = isPast ? throughMs : aheadMs;
    const { db } = this.#parts;
    const ids = turns.map(({ id }) => id);
    const limits = new Map(turns.map(({ id, limit }) => [id, limit]));
    try {
      await this.#late.load(ids, nowMs, isOver);
      const vehicles = ids.flatMap(id => this.#kept.get(id) ?? []);
      if (vehicles.length === 0 || this.#isStopped) return;
      const readers = vehicles.map(vehicle => ({
        vehicleId: vehicle.id,
        throughMs: fromMs(vehicle),
        newestMs: this.#kept.newestMs(vehicle.id) ?? fromMs(vehicle),
        isMeasured: foldsOf(vehicle).some(fold => fold.isMeasured === true),
        limit: limits.get(vehicle.id),
      }));
      const fixes = await readOn(db.system, readers, nowMs, BATCH_FIXES);
      let turnEnds = performance.now() + TURN_MS;
      for (const vehicle of vehicles) {
        if (performance.now() > turnEnds) {
          await turn();
          turnEnds = performance.now() + TURN_MS;
        }
        const next = fixes.get(vehicle.id) ?? [];
        await this.#take(vehicle, next, nowMs, isPast);
        this.#followed += next.length;
        if (next.length < (limits.get(vehicle.id) ?? BATCH_FIXES)) this.#backlog.none(vehicle.id);
        else if (!isPast || throughMs(vehicle) === aheadMs(vehicle)) {
          this.#backlog.more(vehicle.id, aheadMs(vehicle), this.#kept.newestMs(vehicle.id) ?? nowMs, nowMs);
        }
      }
      await this.#kept.write(
        vehicles.filter(
          vehicle =>
            vehicle.writtenAtMs < nowMs - WRITE_EVERY_MS || foldsOf(vehicle).some(fold => fold.mustBeWritten(nowMs)),
        ),
        nowMs,
      );
    } catch (error) {
      // What is in memory may be ahead of what is written: what is written counts.
      for (const id of ids) this.#kept.drop(id);
      throw error;
    }
  }

  async #take(vehicle: KeptVehicle, fixes: readonly FixRow[], nowMs: number, isPast: boolean): Promise<void> {
    const look = this.#kept.lookAt(vehicle.id, nowMs);
    const reading = new Reading(this.#parts.db.system, vehicle.id);
    const fromMs = isPast ? throughMs(vehicle) : aheadMs(vehicle);
    for (const fold of foldsOf(vehicle)) {
      // It lacks what comes before these.
      if (fold.throughMs < fromMs) continue;
      const next = fixes.filter(({ fix_at }) => fix_at.getTime() > fold.throughMs);
      if (next.length > 0 || fold.isDue(nowMs)) await fold.take(reading, next, look);
      if (isPast && fold.hasPast) await fold.goOn?.(reading, look);
    }
  }

  #accountOf = (vehicleId: number): number | null => this.#parts.directory.findById(vehicleId)?.accountId ?? null;

  /** Whether a vehicle is of an account; of all, if it is null. */
  #isOf(accountId: number | null): (vehicleId: number) => boolean {
    return id => accountId === null || this.#accountOf(id) === accountId;
  }
}

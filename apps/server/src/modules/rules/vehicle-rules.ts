import {
  bearsFrom,
  type FollowerState,
  isNearRule,
  NO_RULES_FOLLOWED,
  NOTHING_FOLLOWED,
  type RuleEvent,
  RuleFollower,
  type RulesState,
  type WatchedRule,
} from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { KeptNear } from '../../db/rule-schema.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Fold, Look } from '../../projections/projection.ts';
import type { LateRange, Reading } from '../../projections/reading.ts';
import { type FixRow, fixesWithin } from '../../tracks/fixes.ts';
import { turn } from '../../workers/turns.ts';
import type { FenceBook } from '../geofences/visits/account-fences.ts';
import { dayNumber, startOfDay } from '../geofences/visits/day-number.ts';
import { MORNINGS, Mornings } from './mornings.ts';
import { firstLate, type LateOthers, NearWatch, noteLate, OTHERS_WAIT_MS, readLate } from './near-watch.ts';
import type { RecentTracks } from './recent-tracks.ts';
import type { RuleBook } from './rule-book.ts';
import { toRuleFix } from './rule-fix.ts';

/** As it is kept in the database. Days are numbers of days (UTC) since 1970. */
export interface KeptRules {
  readonly throughMs: number;
  /** The newest geofence version that is taken into account. */
  readonly fencesVersion: number;
  readonly state: RulesState;
  readonly mornings: readonly (readonly [day: number, state: RulesState])[];
  /** Watched again from this day on; what it finds was late, or a rule is new. */
  readonly again: { readonly from: number; readonly isLate: boolean } | null;
  /** Of rules about the distance to other vehicles. */
  readonly near: KeptNear | null;
}

export interface VehicleRulesParts {
  readonly vehicle: Pick<DirectoryEntry, 'id' | 'accountId'>;
  readonly rules: RuleBook;
  readonly fences: FenceBook;
  /** The vehicle as it is now; null if it is deleted. */
  readonly entry: () => DirectoryEntry | null;
  readonly recent: RecentTracks;
  /** How the visits of a day began. */
  readonly followedAt: (day: number) => Promise<FollowerState | null>;
}

/**
 * `again`: positions that were watched before were watched again; `late`: because others came late; `past`: by a test on
 * the past.
 */
export type Found = 'live' | 'again' | 'late' | 'past';

export interface FoundEvent extends RuleEvent {
  readonly found: Found;
}

/** A rule, and its geofence, of which an alert lasts. */
export type Standing = ReturnType<RuleFollower['standing']> extends Iterable<infer One> ? One : never;

/** Reports take so long to come in: time passes for rules only when they have. */
const LATENCY_MS = 2 * 60_000;
/** The first reports of a vehicle are watched at once if they are no more than this. */
const FIRST_FIXES = 200;
const TURN_MS = 4;

/**
 * The rules of one vehicle, as a fold: fixes in order are watched as they come. Late positions, and rules and geofences
 * that changed, are watched again from the beginning of a day: alerts that are known already are not made again, and
 * what only came to light late alerts nobody; docs/rules.md.
 */
export class VehicleRules implements Fold {
  readonly isNew = false;
  throughMs: number;
  readonly #parts: VehicleRulesParts;
  readonly #mornings: Mornings;
  #fencesVersion: number;
  #rules: readonly WatchedRule[] = [];
  #generations = '';
  #follower: RuleFollower | null = null;
  /** Geofences whose visits may be those of another shape yet. */
  #fresh: ReadonlySet<number> = new Set();
  #again: KeptRules['again'];
  #nextDueMs: number | null = null;
  #near: NearWatch | null = null;
  /** Others' late reports that are watched again, or planned to be. */
  #heededLate: LateOthers | null = null;
  #events: FoundEvent[] = [];
  #standing: readonly Standing[] | null = null;
  #mustBeWritten = false;
  /** Its first reports were not taken, and may have come late. */
  #isBegun = false;
  /** They were not watched yet. */
  #isFirst = false;
  /** Its newest believed fix that was taken here. */
  #believedMs: number | null = null;
  /** The last minutes are compared with the others' again. */
  #isBack = false;

  constructor(parts: VehicleRulesParts, kept: KeptRules) {
    this.#parts = parts;
    this.throughMs = kept.throughMs;
    this.#fencesVersion = kept.fencesVersion;
    this.#mornings = new Mornings(kept.mornings);
    this.#again = kept.again;
    this.#notice(kept.state, kept.near);
  }

  /** Of a vehicle that nothing was watched of yet. */
  static begin(parts: VehicleRulesParts, newestMs: number): VehicleRules {
    const nothing = { state: NO_RULES_FOLLOWED, mornings: [], again: null, near: null };
    const begun = new VehicleRules(parts, { throughMs: newestMs, fencesVersion: 0, ...nothing });
    begun.#isBegun = true;
    begun.#isFirst = true;
    return begun;
  }

  get vehicle(): VehicleRulesParts['vehicle'] {
    return this.#parts.vehicle;
  }

  /** Some rule is about what was measured. */
  get isMeasured(): boolean {
    return this.#rules.some(
      ({ conditions, trigger }) => trigger.kind in MEASURED || conditions?.some(({ drivers }) => drivers),
    );
  }

  get isIdle(): boolean {
    return this.#follower === null;
  }

  isDue(nowMs: number): boolean {
    const isDue = this.#nextDueMs !== null && nowMs - LATENCY_MS >= this.#nextDueMs;
    return isDue || this.#near?.isDue(nowMs) === true || this.#hasNews();
  }

  /** Positions that were watched before are to be watched again. */
  get hasPast(): boolean {
    return this.#again !== null;
  }

  mustBeWritten(): boolean {
    return this.#mustBeWritten || this.#events.length > 0 || this.#standing !== null;
  }

  async take(reading: Reading, fixes: readonly FixRow[], { newestMs, nowMs }: Look): Promise<void> {
    if (this.#hasNews()) this.#notice(this.#follower?.state() ?? NO_RULES_FOLLOWED, this.#near?.kept() ?? null);
    for (const row of fixes) this.#follow(row, 'live');
    const believed = fixes.filter(({ doubts, valid }) => valid && doubts === 0).map(({ fix_at }) => fix_at.getTime());
    const [first, newest] = [believed[0], believed.at(-1)];
    if (first !== undefined && newest !== undefined) {
      this.#parts.recent.folded(this.vehicle.id, newest);
      const fromMs = bearsFrom(first, this.#believedMs);
      // They waited for what is not older.
      if (fromMs < nowMs - OTHERS_WAIT_MS) await this.#tellOthers(reading, fromMs);
      // The others' places were already compared with where it was thought to be.
      if (this.#near !== null && fromMs < this.#near.throughMs) this.#goBack(this.#near, fromMs);
      this.#believedMs = newest;
    }
    if (this.#isBegun) await this.#tellOfFirst(reading, nowMs);
    // Nobody knows what lasts until the past is watched again, but what crosses an edge now does so now. The first
    // reports are few, and don't wait while the past of a whole fleet is counted.
    if (this.#again === null) await this.#passTime(reading, { newestMs, nowMs });
    else if (this.#isFirst) await this.#passTime(reading, { newestMs, nowMs }, FIRST_FIXES);
    this.#nextDueMs = this.#again === null ? (this.#follower?.nextDue() ?? null) : null;
  }

  async goOn(reading: Reading, look: Look): Promise<void> {
    await this.#passTime(reading, look);
    this.#nextDueMs = this.#follower?.nextDue() ?? null;
  }

  /**
   * With all fixes followed: what is planned to be watched again, and what time alone makes due. Neither, if `most` are
   * fewer fixes than there are to watch again.
   */
  async #passTime(reading: Reading, { newestMs, nowMs }: Look, most?: number): Promise<void> {
    if (newestMs !== null && this.throughMs >= newestMs) {
      this.#isFirst = false;
      if (this.#near !== null) await this.#heedOthers(reading);
      const again = this.#again;
      if (again !== null && !(await this.#watchAgain(again, reading, most))) return;
      this.#note(this.#follower?.passTime(epochMs(nowMs - LATENCY_MS)) ?? [], 'live');
      if (this.#near !== null) {
        const looked = await this.#near.look(reading.db, this.vehicle.id, nowMs, this.#parts.recent);
        this.#note(looked.again, again?.isLate ? 'late' : 'again');
        this.#note(looked.news, again?.isLate === false ? 'again' : 'live');
      }
      if (again !== null || this.#isBack) this.#standing = this.#standingNow();
      this.#isBack = false;
    }
  }

  async foldAgain(reading: Reading, { firstMs, lastMs }: LateRange): Promise<void> {
    // They may have looked as far as its newer fixes.
    await this.#tellOthers(reading, bearsFrom(firstMs, null));
    if (this.#follower === null) return;
    const { earliest } = this.#mornings;
    if (dayNumber(lastMs) < earliest) return;
    this.#plan(Math.max(dayNumber(firstMs), earliest), true);
  }

  /** What is to be written, and nothing of it a second time. Nothing is kept of a vehicle without rules. */
  takeChanged() {
    const { mornings, areMorningsNew } = this.#mornings.takeChanged();
    const kept: KeptRules | null = this.#follower && {
      throughMs: this.throughMs,
      fencesVersion: this.#fencesVersion,
      state: this.#follower.state(),
      mornings,
      again: this.#again,
      near: this.#near?.kept() ?? null,
    };
    const changed = {
      ...{ kept, areMorningsNew, events: this.#events, standing: this.#standing, heededLate: this.#heededLate },
    };
    this.#heededLate = null;
    this.#events = [];
    this.#standing = null;
    this.#mustBeWritten = false;
    return changed;
  }

  #follow(row: FixRow, found: Found): void {
    this.throughMs = Math.max(this.throughMs, row.fix_at.getTime());
    const follower = this.#follower;
    if (follower === null || !row.valid || row.doubts !== 0) return;
    const fix = toRuleFix(row);
    const day = dayNumber(fix.time);
    if (!this.#mornings.has(day)) this.#mornings.begin(day, follower.state());
    this.#note(follower.take(fix), found);
  }

  /** Others whose rules are about the distance to this vehicle have looked at these moments without its report. */
  async #tellOthers(reading: Reading, fromMs: number): Promise<void> {
    const { rules, vehicle } = this.#parts;
    const others = rules.near(vehicle);
    if (others.length > 0) await noteLate(reading.db, others, fromMs);
  }

  async #tellOfFirst(reading: Reading, nowMs: number): Promise<void> {
    this.#isBegun = false;
    const { rules, vehicle } = this.#parts;
    if (rules.near(vehicle).length === 0) return;
    const first = await firstLate(reading.db, vehicle.id, startOfDay(dayNumber(nowMs) - MORNINGS), nowMs);
    if (first !== null) await this.#tellOthers(reading, bearsFrom(first, null));
  }

  /** What others reported late is watched again. */
  async #heedOthers(reading: Reading): Promise<void> {
    const late = await readLate(reading.db, this.vehicle.id);
    if (late === null) return;
    this.#heededLate = late;
    this.#mustBeWritten = true;
    if (this.#near !== null) this.#goBack(this.#near, late.at.getTime());
  }

  /** Compares places again from a moment on: of the last minutes at once, otherwise with the whole day. */
  #goBack(near: NearWatch, fromMs: number): void {
    if (this.#again === null && near.goBack(fromMs)) {
      this.#isBack = true;
      return;
    }
    const earliest = Math.min(this.#mornings.earliest, dayNumber(this.throughMs));
    this.#plan(Math.max(dayNumber(fromMs), earliest), true);
  }

  #standingNow(): Standing[] {
    return [...(this.#follower?.standing() ?? []), ...(this.#near?.standing() ?? [])];
  }

  #note(events: readonly RuleEvent[], found: Found): void {
    // What was muted is written nowhere.
    for (const event of events) if (event.what !== 'muted') this.#events.push({ ...event, found });
  }

  #hasNews(): boolean {
    return this.#generationsNow() !== this.#generations;
  }

  #generationsNow(): string {
    const { fences, rules, vehicle } = this.#parts;
    return `${rules.generation(vehicle.accountId)} ${fences.generation(vehicle.accountId)}`;
  }

  /** Takes the rules and geofences as they are now; new ones are watched from yesterday on, as if they had been there. */
  #notice(state: RulesState, near: KeptNear | null): void {
    this.#generations = this.#generationsNow();
    const { entry, fences, rules, vehicle } = this.#parts;
    const vehicleNow = entry();
    const now = vehicleNow ? rules.for(vehicleNow) : [];
    const known = { ...state.rules, ...near?.state.rules };
    const watched = Object.entries(known);
    if (now.length === 0) {
      if (watched.length > 0) {
        this.#standing = [];
        this.#mustBeWritten = true;
      }
      this.#follower = null;
      this.#near = null;
      this.#rules = now;
      this.#again = null;
      this.#nextDueMs = null;
      this.#mornings.clear();
      return;
    }
    const book = fences.of(vehicle.accountId);
    const fresh = book.changedAfter(this.#fencesVersion);
    const isNew = (rule: WatchedRule): boolean => known[rule.id]?.version !== rule.version;
    const isGone = watched.length > now.length - now.filter(isNew).length;
    const isConcerned = (id: number): boolean => fresh.has(id) && this.#isNamed(now, id);
    this.#fresh = fresh;
    this.#fencesVersion = Math.max(this.#fencesVersion, book.version);
    this.#rules = now;
    this.#follower = new RuleFollower(book.index, now, state, id => fresh.has(id));
    const nearRules = now.filter(isNearRule);
    const begin = { state: { through: epochMs(this.throughMs), rules: {} }, mornings: [] };
    this.#near = nearRules.length === 0 ? null : new NearWatch(nearRules, book.index, near ?? begin);
    if (now.some(isNew) || [...fresh].some(isConcerned)) {
      // Nobody knows what the mornings would be with these geofences.
      if (fresh.size > 0) this.#mornings.clear();
      this.#plan(dayNumber(this.throughMs) - 1, false);
    } else if (isGone) {
      this.#standing = this.#standingNow();
    }
    this.#mustBeWritten ||= isGone || fresh.size > 0;
    this.#nextDueMs = this.#follower.nextDue();
  }

  #isNamed(rules: readonly WatchedRule[], fenceId: number): boolean {
    return rules.some(
      ({ conditions, fences, trigger, where }) =>
        (fences === null ? where === null && trigger.kind in ABOUT_ANY : fences.has(fenceId)) ||
        conditions?.some(({ places }) => places?.fences.has(fenceId)),
    );
  }

  #plan(from: number, isLate: boolean): void {
    const { from: wasFrom = from, isLate: wasLate = true } = this.#again ?? {};
    this.#again = { from: Math.min(from, wasFrom), isLate: isLate && wasLate };
    this.#mustBeWritten = true;
  }

  /** Answers false, and watches nothing, if there are more fixes than `most`. */
  async #watchAgain({ from, isLate }: NonNullable<KeptRules['again']>, reading: Reading, most?: number) {
    const { fences, vehicle } = this.#parts;
    const span = { vehicleId: vehicle.id, from: new Date(startOfDay(from)), before: new Date(this.throughMs + 1) };
    const rows = await fixesWithin(reading.db, span, {
      isMeasured: this.isMeasured,
      ...(most !== undefined && { limit: most + 1 }),
    });
    if (most !== undefined && rows.length > most) return false;
    const before = this.#mornings.stateBefore(from, this.#follower?.state() ?? null) ?? {
      ...NO_RULES_FOLLOWED,
      followed: (await this.#parts.followedAt(from)) ?? NOTHING_FOLLOWED,
    };
    const fresh = this.#fresh;
    this.#mornings.dropFrom(from);
    this.#follower = new RuleFollower(fences.of(vehicle.accountId).index, this.#rules, before, id => fresh.has(id));
    let turnEnds = performance.now() + TURN_MS;
    for (const [nth, row] of rows.entries()) {
      if (nth % 64 === 0 && performance.now() > turnEnds) {
        await turn();
        turnEnds = performance.now() + TURN_MS;
      }
      this.#follow(row, isLate ? 'late' : 'again');
    }
    this.#near?.again(from);
    this.#again = null;
    this.#fresh = new Set();
    return true;
  }
}

/** Triggers that mean any geofence if none is named. */
const ABOUT_ANY = { enter: true, exit: true, cross: true, stay: true, limit: true } as const;
/** Triggers that look at what only `isMeasured` reads. */
const MEASURED = { temperature: true, voltage: true, battery: true, unidentified: true } as const;

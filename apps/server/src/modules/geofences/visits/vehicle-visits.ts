import { isDeepStrictEqual } from 'node:util';
import { type FenceEvent, FenceFollower, type FollowerState, NOTHING_FOLLOWED } from '@milepost/geo';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { Fold } from '../../../projections/projection.ts';
import type { LateRange, Reading } from '../../../projections/reading.ts';
import { type FixRow, firstOfEachDay, fixesWithin } from '../../../tracks/fixes.ts';
import { turn } from '../../../workers/turns.ts';
import { type AccountFences, COUNTED_BACK_DAYS, type FenceBook } from './account-fences.ts';
import { Added, type KeptAdded } from './added.ts';
import { isNearBox } from './box.ts';
import { PendingVisits, type Scope } from './changes.ts';
import { dayNumber, startOfDay } from './day-number.ts';
import { type FollowedDay, toFenceFix, withFix } from './followed-day.ts';

/** As it is kept in the database. Days are numbers of days (UTC) since 1970. */
export interface KeptVisits {
  /** The first day that can be counted again. */
  readonly sinceDay: number;
  readonly throughMs: number;
  /** The newest geofence version that is taken into account. */
  readonly version: number;
  /** Geofences that are for this vehicle and others, but not for all. */
  readonly assigned: readonly number[];
  readonly state: FollowerState;
  /** Days that are counted again because positions came late, both ends included. */
  readonly late: { readonly from: number; readonly until: number } | null;
  readonly added: KeptAdded | null;
}

export interface VisitsParts {
  readonly vehicle: Pick<DirectoryEntry, 'id' | 'accountId'>;
  readonly book: FenceBook;
  /** The vehicle as it is now; null if it is deleted. */
  readonly entry: () => DirectoryEntry | null;
  /** The days that are kept, from one on. */
  readonly readDays: (fromDay: number) => Promise<Map<number, FollowedDay>>;
  /** A call counts days again for no longer than that, in ms, so that every vehicle has its turn. */
  readonly atOnceMs: number;
}

/** Late positions correct the visits of so many days. */
const CORRECTED_DAYS = 62;
const TURN_MS = 4;
/** Fewer are not worth a look which of them are empty. */
const FEW_DAYS = 3;

/**
 * The visits of one vehicle, as a fold: fixes in order are followed as they come. Late positions and new geofences are
 * counted day by day, from the state that was kept at the beginning of a day, until nothing differs any more;
 * docs/geofences.md.
 */
export class VehicleVisits implements Fold {
  readonly isNew = false;
  throughMs: number;
  readonly #parts: VisitsParts;
  readonly #pending = new PendingVisits();
  /** Crossings in the order of time that nobody was told of yet. */
  #crossed: FenceEvent[] = [];
  /** Days to be written, besides the one under way. */
  readonly #days = new Map<number, FollowedDay>();
  #sinceDay: number;
  #fences: AccountFences;
  #generation = -1;
  #version: number;
  #assigned: ReadonlySet<number>;
  #late: KeptVisits['late'];
  #added: Added | null;
  #follower: FenceFollower;
  /** The day under way: that of the last fix that was followed. */
  #day: number | null;
  #today: FollowedDay | null;
  #mustBeWritten = false;

  constructor(parts: VisitsParts, kept: KeptVisits, today: FollowedDay | null) {
    this.#parts = parts;
    this.throughMs = kept.throughMs;
    this.#sinceDay = kept.sinceDay;
    this.#fences = parts.book.of(parts.vehicle.accountId);
    this.#version = kept.version;
    this.#assigned = new Set(kept.assigned);
    this.#late = kept.late;
    this.#added = kept.added && Added.of(kept.added, this.#fences, this.#isForIt(this.#fences, this.#assigned));
    this.#day = dayOf(kept.state);
    this.#today = today;
    this.#follower = this.#begin(kept.state, this.#day, 'live');
  }

  /** Of a vehicle of which nothing was counted yet: follows what comes, and counts its last weeks. */
  static begin(parts: VisitsParts, nowMs: number, newestMs: number): VehicleVisits {
    const fences = parts.book.of(parts.vehicle.accountId);
    const entry = parts.entry();
    const sinceDay = dayNumber(nowMs) - COUNTED_BACK_DAYS;
    const until = dayNumber(newestMs);
    const kept: KeptVisits = {
      sinceDay,
      throughMs: newestMs,
      version: fences.version,
      assigned: entry ? fences.assignedTo(entry) : [],
      state: NOTHING_FOLLOWED,
      late: until < sinceDay ? null : { from: sinceDay, until },
      added: null,
    };
    const visits = new VehicleVisits(parts, kept, null);
    visits.#mustBeWritten = true;
    return visits;
  }

  get vehicle(): VisitsParts['vehicle'] {
    return this.#parts.vehicle;
  }

  /** The geofences, or which of them are for it, have changed. */
  isDue(): boolean {
    return this.#news() !== null;
  }

  /** Some visits are not counted up to the cursor yet, or not corrected by what came late. */
  get hasPast(): boolean {
    return this.#late !== null || this.#added !== null;
  }

  mustBeWritten(): boolean {
    return this.#mustBeWritten || !this.#pending.isEmpty;
  }

  async take(_reading: Reading, fixes: readonly FixRow[]): Promise<void> {
    this.#notice();
    for (const row of fixes) this.#follow(row);
  }

  async goOn(reading: Reading): Promise<void> {
    if (this.#late === null && this.#added === null) return;
    const endsAt = performance.now() + this.#parts.atOnceMs;
    const days = await this.#parts.readDays(Math.min(this.#late?.from ?? Infinity, this.#added?.from ?? Infinity));
    for (const [day, followed] of this.#days) days.set(day, followed);
    if (this.#day !== null && this.#today !== null) days.set(this.#day, this.#today);
    const isEmpty = this.#late === null ? NEVER : await this.#emptyDays(this.#late, days, reading);
    do {
      if (this.#late !== null) await this.#countLate(this.#late, days, reading, isEmpty);
      else if (this.#added !== null) await this.#countAdded(this.#added, days, reading);
      else return;
    } while (performance.now() < endsAt);
  }

  async foldAgain(_reading: Reading, { firstMs, lastMs }: LateRange): Promise<void> {
    const from = Math.max(dayNumber(firstMs), this.#sinceDay);
    const until = Math.min(dayNumber(lastMs), dayNumber(this.throughMs));
    if (until < from) return;
    // The day that was next to be counted still is, even if nothing differs before it.
    const { from: wasFrom = from, until: wasUntil = until } = this.#late ?? {};
    this.#late = { from: Math.min(wasFrom, from), until: Math.max(wasUntil, until, wasFrom) };
    if (this.#added !== null && this.#added.from > from) this.#added = this.#added.startingAt(from);
    this.#mustBeWritten = true;
  }

  /** What is to be written, and nothing of it a second time. */
  takeChanged() {
    const days = new Map(this.#days);
    if (this.#day !== null && this.#today !== null) days.set(this.#day, this.#today);
    this.#days.clear();
    this.#mustBeWritten = false;
    const kept: KeptVisits = {
      sinceDay: this.#sinceDay,
      throughMs: this.throughMs,
      version: this.#version,
      assigned: [...this.#assigned],
      state: this.#follower.state(),
      late: this.#late,
      added: this.#added?.kept ?? null,
    };
    const crossed = this.#crossed;
    this.#crossed = [];
    return { kept, days, crossed, ...this.#pending.take() };
  }

  #follow(row: FixRow): void {
    this.throughMs = row.fix_at.getTime();
    if (!row.valid || row.doubts !== 0) return;
    const fix = toFenceFix(row);
    const day = dayNumber(fix.time);
    if (day !== this.#day) this.#beginDay(day);
    this.#today = withFix(this.#today as FollowedDay, fix);
    for (const event of this.#follower.take(fix)) {
      this.#pending.add(event);
      this.#crossed.push(event);
    }
  }

  #beginDay(day: number): void {
    if (this.#day !== null && this.#today !== null) this.#days.set(this.#day, this.#today);
    const state = this.#follower.state();
    this.#day = day;
    this.#today = { state, box: null };
    this.#follower = this.#begin(state, day, 'live');
    this.#sinceDay = Math.max(this.#sinceDay, day - CORRECTED_DAYS);
  }

  /** The geofences, and which are for this vehicle, if that has changed. */
  #news(): { readonly fences: AccountFences; readonly assigned: ReadonlySet<number> } | null {
    const { book, entry, vehicle } = this.#parts;
    const [fences, generation] = [book.of(vehicle.accountId), book.generation(vehicle.accountId)];
    if (fences === this.#fences && generation === this.#generation) return null;
    const known = entry();
    const assigned = new Set(known ? fences.assignedTo(known) : this.#assigned);
    if (fences === this.#fences && isDeepStrictEqual(assigned, this.#assigned)) {
      this.#generation = generation;
      return null;
    }
    return { fences, assigned };
  }

  #notice(): void {
    const news = this.#news();
    if (news === null) return;
    const { fences, assigned } = news;
    const changed = fences.changedAfter(this.#version);
    const moved = [...assigned, ...this.#assigned].filter(id => !(assigned.has(id) && this.#assigned.has(id)));
    const isForIt = this.#isForIt(fences, assigned);
    const state = this.#follower.state();
    const touched = new Set([...changed, ...moved]);
    this.#pending.leave([...touched].filter(id => state.fences[id]?.entry || this.#added?.has(id)));
    const since = Math.min(...[...touched].filter(isForIt).map(id => fences.sinceDay(id)));
    const added: KeptAdded = {
      from: Math.max(this.#sinceDay, Math.min(since, this.#added?.from ?? since)),
      since: this.#sinceDay,
      above: least(this.#added?.kept.above ?? null, changed.size > 0 ? this.#version : null),
      ids: [...new Set([...(this.#added?.kept.ids ?? []), ...moved.filter(id => assigned.has(id))])],
    };
    this.#added = Added.of(added, fences, isForIt);
    this.#fences = fences;
    this.#version = Math.max(this.#version, fences.version);
    this.#assigned = assigned;
    this.#follower = this.#begin(state, this.#day, 'live');
    this.#mustBeWritten ||= touched.size > 0;
  }

  #isForIt(fences: AccountFences, assigned: ReadonlySet<number>): (id: number) => boolean {
    return id => fences.index.get(id) !== undefined && (fences.isForAll(id) || assigned.has(id));
  }

  /** Follows a day from its state: the geofences that are being added, or all others. */
  #begin(state: FollowerState, day: number | null, what: 'live' | 'added'): FenceFollower {
    const [fences, added] = [this.#fences, this.#added];
    const isForIt = this.#isForIt(fences, this.#assigned);
    const lastDay = dayOf(state);
    const sinceDay = (id: number): number =>
      what === 'added' ? Math.max(fences.sinceDay(id), added?.since ?? 0) : fences.sinceDay(id);
    return new FenceFollower(fences.index, state, {
      follows: id =>
        isForIt(id) && (added?.has(id) ?? false) === (what === 'added') && sinceDay(id) <= (day ?? Infinity),
      isFresh: id => lastDay !== null && sinceDay(id) > lastDay,
    });
  }

  /** Counts one day into which positions came late, and those after it for as long as the state at their beginning differs. */
  async #countLate(
    late: Late,
    days: Map<number, FollowedDay>,
    reading: Reading,
    isEmpty: (day: number) => boolean,
  ): Promise<void> {
    const { until } = late;
    const lastDay = dayNumber(this.throughMs);
    const lastLate = Math.min(until, lastDay);
    let { from } = late;
    while (from < lastLate && isEmpty(from)) from++;
    const followed = days.get(from) ?? {
      state: days.get(next(days, from))?.state ?? this.#follower.state(),
      box: null,
    };
    const { state: end, box } = await this.#followDay(from, { ...followed, box: null }, 'live', reading);
    this.#keep(days, from, { state: followed.state, box });
    let then = from < lastLate ? from + 1 : next(days, from);
    while (then < lastLate && isEmpty(then)) then++;
    if (then > lastDay) {
      const state = { ...end, fences: { ...this.#addedOf(this.#follower.state()), ...end.fences } };
      this.#pending.settle(this.#scope('live'), end, true);
      this.#late = null;
      this.#day = dayOf(state);
      this.#today = this.#day === null ? null : (days.get(this.#day) ?? { state, box: null });
      this.#follower = this.#begin(state, this.#day, 'live');
      return;
    }
    const known = days.get(then);
    const state = { ...end, fences: { ...this.#addedOf(known?.state), ...end.fences } };
    const isSame = known !== undefined && isDeepStrictEqual(known.state, state);
    if (!isSame) this.#keep(days, then, { state, box: known?.box ?? null });
    if (isSame && then > until) this.#pending.settle(this.#scope('live'), end, false);
    this.#late = isSame && then > until ? null : { from: then, until };
  }

  /** Of many days that are to be counted, those without a fix and a state: a new vehicle has hardly any others. */
  async #emptyDays({ from, until }: Late, days: ReadonlyMap<number, FollowedDay>, reading: Reading) {
    if (until - from < FEW_DAYS) return NEVER;
    const before = new Date(Math.min(startOfDay(until + 1), this.throughMs + 1));
    const firsts = await firstOfEachDay(reading.db, this.vehicle.id, before, new Date(startOfDay(from)));
    const filled = new Set(firsts.map(first => dayNumber(first.getTime())));
    return (day: number): boolean => !filled.has(day) && !days.has(day);
  }

  /** Counts one day of the geofences that are being added; a day far away from them is not read. */
  async #countAdded(added: Added, days: Map<number, FollowedDay>, reading: Reading): Promise<void> {
    const followed = days.get(added.from);
    let fences: FollowerState['fences'] = {};
    if (followed) {
      const state = { ...followed.state, fences: this.#addedOf(followed.state) };
      ({
        state: { fences },
      } = await this.#followDay(added.from, { state, box: followed.box }, 'added', reading));
    }
    const then = next(days, added.from);
    if (then > dayNumber(this.throughMs)) {
      const state = this.#follower.state();
      this.#pending.settle(this.#scope('added'), { ...state, fences }, true);
      this.#added = null;
      this.#follower = this.#begin({ ...state, fences: { ...state.fences, ...fences } }, this.#day, 'live');
      this.#mustBeWritten = true;
      return;
    }
    this.#added = added.startingAt(then);
    const known = days.get(then);
    if (!known || !followed) return;
    const others = Object.fromEntries(Object.entries(known.state.fences).filter(([id]) => !added.has(Number(id))));
    this.#keep(days, then, { ...known, state: { ...known.state, fences: { ...others, ...fences } } });
  }

  async #followDay(day: number, { state, box }: FollowedDay, what: 'live' | 'added', reading: Reading) {
    const [fromMs, toMs] = [startOfDay(day), startOfDay(day + 1)];
    const follower = this.#begin(state, day, what);
    const events: FenceEvent[] = [];
    if (what === 'added' && Object.keys(state.fences).length === 0) {
      const isNear = box !== null && isNearBox(this.#fences.index, box, id => this.#added?.has(id) ?? false);
      if (!isNear) {
        this.#pending.replace({ fromMs, toMs }, this.#scope(what), events, { ...state, fences: {} });
        return { state: { ...state, fences: {} }, box };
      }
    }
    const before = Math.min(toMs, this.throughMs + 1);
    const rows = await fixesWithin(reading.db, {
      vehicleId: this.vehicle.id,
      from: new Date(fromMs),
      before: new Date(before),
    });
    let followed: FollowedDay = { state, box: null };
    let turnEnds = performance.now() + TURN_MS;
    for (const [nth, row] of rows.entries()) {
      if (nth % 64 === 0 && performance.now() > turnEnds) {
        await turn();
        turnEnds = performance.now() + TURN_MS;
      }
      const fix = toFenceFix(row);
      followed = withFix(followed, fix);
      events.push(...follower.take(fix));
    }
    const end = follower.state();
    this.#pending.replace({ fromMs, toMs }, this.#scope(what), events, end);
    return { state: end, box: followed.box };
  }

  #keep(days: Map<number, FollowedDay>, day: number, followed: FollowedDay): void {
    days.set(day, followed);
    if (day === this.#day) this.#today = followed;
    else this.#days.set(day, followed);
  }

  #scope(what: 'live' | 'added'): Scope {
    const list = this.#added?.list ?? NONE;
    return what === 'added' ? { only: list, except: NONE } : { only: null, except: list };
  }

  /** The states of geofences that are being added. */
  #addedOf(state: FollowerState | undefined): FollowerState['fences'] {
    const added = this.#added;
    if (!state || added === null) return {};
    return Object.fromEntries(Object.entries(state.fences).filter(([id]) => added.has(Number(id))));
  }
}

type Late = NonNullable<KeptVisits['late']>;

const NONE: readonly number[] = [];
const NEVER = (): boolean => false;

const dayOf = ({ last }: FollowerState): number | null => last && dayNumber(last.time);

/** The next day that is kept. */
function next(days: ReadonlyMap<number, unknown>, after: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const day of days.keys()) if (day > after && day < nearest) nearest = day;
  return nearest;
}

const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

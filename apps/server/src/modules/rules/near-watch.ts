import {
  boxOf,
  type FenceIndex,
  isApart,
  NearFollower,
  type NearRule,
  type NearState,
  type RuleEvent,
  type RuleFix,
  reachOf,
  STANDS_MS,
  type Tracks,
} from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { KeptNear } from '../../db/rule-schema.ts';
import type { Db } from '../../projections/reading.ts';
import { boxesOf, firstLateFixOf, fixesAroundOf, newestFixesOf, recentFixesOf } from '../../tracks/recent-fixes.ts';
import { dayNumber, startOfDay } from '../geofences/visits/day-number.ts';
import type { RecentTracks } from './recent-tracks.ts';
import { toRuleFix } from './rule-fix.ts';

/** For the reports of a vehicle that is silent, others wait so long. What comes later is late. */
export const OTHERS_WAIT_MS = 3 * 60_000;
/** A vehicle that reports nothing is looked at this often, because others may come to it. */
const LOOK_MS = 15_000;
/** What was missed is watched an hour at a time. */
const STEP_MS = 3_600_000;
const LATELY_MS = 15 * 60_000;
const LONG_MS = 10 * 60_000;
/** As of other rules. */
const MORNINGS = 2;
/** The states of the last minutes are kept in memory: what comes out of order by so little is cheap to watch again. */
const EARLIER_STATES = 10;
const EARLIER_EVERY_MS = 60_000;

/** What one look found. */
export interface Watched {
  /** Of moments that were watched before. */
  readonly again: readonly RuleEvent[];
  readonly news: readonly RuleEvent[];
}

/** Rules about the distance of one vehicle to others, watched as far as the reports of all of them are in. */
export class NearWatch {
  readonly #rules: readonly NearRule[];
  readonly #fences: FenceIndex;
  #mornings: Map<number, KeptNear['state']>;
  #follower: NearFollower;
  #lookedMs = 0;
  readonly #earlier: NearState[] = [];
  /** Every moment until then was watched before. */
  #watchedMs = Number.NEGATIVE_INFINITY;

  constructor(rules: readonly NearRule[], fences: FenceIndex, kept: KeptNear) {
    this.#rules = rules;
    this.#fences = fences;
    this.#mornings = new Map(kept.mornings);
    this.#follower = new NearFollower(rules, fences, kept.state);
  }

  get throughMs(): number {
    return this.#follower.through;
  }

  isDue(nowMs: number): boolean {
    return nowMs - this.#lookedMs >= LOOK_MS;
  }

  kept(): KeptNear {
    return { state: this.#follower.state(), mornings: [...this.#mornings] };
  }

  standing() {
    return this.#follower.standing();
  }

  /** Begins a day again, if it has come that far; a later one, if it is no longer known how that day began. */
  again(day: number): void {
    if (this.#follower.through < startOfDay(day) - 1) return;
    const known = Math.min(...[...this.#mornings.keys()].filter(each => each >= day));
    const morning = this.#mornings.get(known);
    this.#goBackTo(morning ?? { through: epochMs(startOfDay(day) - 1), rules: {} });
    // How the first day began is kept, too: a rule that is changed just after midnight is watched from the day before.
    if (!morning) this.#keepMorning(day);
  }

  /** Goes back to a moment of the last minutes; answers whether it could, and otherwise the day is to be begun again. */
  goBack(ms: number): boolean {
    if (this.#follower.through <= ms) return true;
    const state = this.#earlier.findLast(({ through }) => through <= ms);
    if (state) this.#goBackTo(state);
    return state !== undefined;
  }

  #goBackTo(state: NearState): void {
    this.#watchedMs = Math.max(this.#watchedMs, this.#follower.through);
    this.#follower = new NearFollower(this.#rules, this.#fences, state);
    for (const day of this.#mornings.keys()) if (startOfDay(day) - 1 > state.through) this.#mornings.delete(day);
    const later = this.#earlier.findIndex(({ through }) => through > state.through);
    if (later >= 0) this.#earlier.splice(later);
  }

  /** Watches on, until the moment from which on someone's reports may still come. */
  async look(db: Db, vehicleId: number, nowMs: number, recent: RecentTracks): Promise<Watched> {
    this.#lookedMs = nowMs;
    const ids = [...new Set(this.#rules.flatMap(({ trigger }) => [...trigger.others]))];
    const found = { again: [], news: [] };
    const isSoon = nowMs - this.#follower.through < LONG_MS;
    if (!isSoon || !(await this.#lookAtRecent(db, vehicleId, ids, nowMs, recent, found))) {
      await this.#lookBack(db, vehicleId, ids, nowMs, found);
    }
    return found;
  }

  async #lookBack(db: Db, vehicleId: number, ids: readonly number[], nowMs: number, found: Finding): Promise<void> {
    const span = { from: new Date(this.#follower.through - STANDS_MS), to: new Date(nowMs) };
    const heard = new Set((await boxesOf(db, ids, span)).map(({ id }) => id));
    const since = new Date(this.#follower.since(id => heard.has(id)) - STANDS_MS);
    const own = (await recentFixesOf(db, [vehicleId], since, span.to)).map(toRuleFix);
    const toMs = await heardUntil(db, [vehicleId, ...ids], nowMs);
    const step = ids.length === 0 ? Number.POSITIVE_INFINITY : STEP_MS;
    for (let at: number = this.#follower.through; at < toMs; at = this.#follower.through) {
      const end = this.#endOf(at, Math.min(at + step, toMs));
      const concerned = await this.#concerned(db, ids, own, at, end);
      this.#take({ own, others: await fixesAround(db, concerned, at, end, nowMs) }, end, found);
    }
  }

  /** A step ends with the day, and where news begins. */
  #endOf(at: number, end: number): number {
    const dayEnds = startOfDay(dayNumber(epochMs(at + 1)) + 1) - 1;
    const ends = [dayEnds, this.#watchedMs].filter(each => each > at);
    return Math.min(end, ...ends);
  }

  #take(tracks: Tracks, end: number, { again, news }: Finding): void {
    const events = this.#follower.take(tracks, epochMs(end));
    (end <= this.#watchedMs ? again : news).push(...events);
    const nextDay = dayNumber(epochMs(end + 1));
    if (startOfDay(nextDay) === end + 1) this.#keepMorning(nextDay);
    const last = this.#earlier.at(-1)?.through ?? Number.NEGATIVE_INFINITY;
    if (end - last < EARLIER_EVERY_MS) return;
    this.#earlier.push(this.#follower.state());
    if (this.#earlier.length > EARLIER_STATES) this.#earlier.shift();
  }

  /** The same of the last minutes, which many vehicles look at together; false if older fixes are needed. */
  async #lookAtRecent(
    db: Db,
    vehicleId: number,
    ids: readonly number[],
    nowMs: number,
    recent: RecentTracks,
    found: Finding,
  ): Promise<boolean> {
    const from = this.#follower.through;
    const all = [vehicleId, ...ids];
    const { readMs, tracks } = await recent.since(db, all, from, from - STANDS_MS, nowMs);
    const own = tracks.get(vehicleId) ?? [];
    const isHeard = (id: number): boolean => (tracks.get(id)?.length ?? 0) > 0;
    if (own[0] && own[0].time > this.#follower.since(isHeard)) return false;
    const waits = readMs - OTHERS_WAIT_MS;
    const toMs = Math.min(...all.map(id => Math.max(waits, tracks.get(id)?.at(-1)?.time ?? waits)));
    const others = new Map(ids.map(id => [id, tracks.get(id) ?? []]));
    for (let at: number = from; at < toMs; at = this.#follower.through) {
      this.#take({ own, others }, this.#endOf(at, toMs), found);
    }
    return true;
  }

  /** The state at the beginning of a day is kept. */
  #keepMorning(day: number): void {
    this.#mornings.set(day, this.#follower.state());
    for (const known of this.#mornings.keys()) if (known < day - MORNINGS) this.#mornings.delete(known);
  }

  /** Those that may have come close; of a few minutes it is quicker to look at all of them. */
  async #concerned(db: Db, ids: readonly number[], own: readonly RuleFix[], at: number, end: number) {
    if (end - at < LONG_MS) return ids;
    const here = boxOf(own.filter(({ time }) => time > at - STANDS_MS && time <= end + STANDS_MS));
    if (here === null) return [];
    const span = { from: new Date(at - STANDS_MS), to: new Date(end + STANDS_MS) };
    const boxes = await boxesOf(db, ids, span);
    const reach = reachOf(this.#rules);
    const isNear = new Set(boxes.flatMap(({ id, ...there }) => (isApart(here, there, reach) ? [] : id)));
    return ids.filter(id => isNear.has(id) || this.#follower.follows(id));
  }
}

interface Finding {
  readonly again: RuleEvent[];
  readonly news: RuleEvent[];
}

/** From then on, reports of some of these vehicles may still come. */
async function heardUntil(db: Db, ids: readonly number[], nowMs: number): Promise<number> {
  const waits = nowMs - OTHERS_WAIT_MS;
  const newest = await newestFixesOf(db, ids, { from: new Date(waits), to: new Date(nowMs) });
  return Math.min(...newest.map(at => at?.getTime() ?? waits));
}

/** The fixes of a stretch, with the last one before it and the first one after it. */
async function fixesAround(
  db: Db,
  ids: readonly number[],
  fromMs: number,
  toMs: number,
  nowMs: number,
): Promise<ReadonlyMap<number, RuleFix[]>> {
  const tracks = new Map<number, RuleFix[]>(ids.map(id => [id, []]));
  if (ids.length === 0) return tracks;
  const since = new Date(fromMs - STANDS_MS);
  const span = { since, from: new Date(fromMs), to: new Date(toMs), until: new Date(nowMs) };
  for (const { vehicle_id, ...row } of await fixesAroundOf(db, ids, span)) {
    tracks.get(vehicle_id)?.push(toRuleFix(row));
  }
  return tracks;
}

/** Has the rules of these vehicles watch again what another one's late reports bear on; they look at it soon. */
export async function noteLate(db: Db, vehicleIds: readonly number[], fromMs: number): Promise<void> {
  await sql`
    update rule_fold set near_late_at = least(near_late_at, ${new Date(fromMs)}::timestamptz),
      near_late_marks = coalesce(near_late_marks, 0) + 1
    where vehicle_id = any (${vehicleIds}::int4[])`.execute(db);
}

/** The first of the fixes that came late a short time ago; null if none did. */
export async function firstLate(db: Db, vehicleId: number, sinceMs: number, nowMs: number): Promise<number | null> {
  const received = { after: new Date(nowMs - LATELY_MS), lateMs: OTHERS_WAIT_MS };
  return (await firstLateFixOf(db, vehicleId, new Date(sinceMs), received))?.getTime() ?? null;
}

/** From when on others were late, and how often that was noted. */
export interface LateOthers {
  readonly at: Date;
  readonly marks: string;
}

export async function readLate(db: Db, vehicleId: number): Promise<LateOthers | null> {
  const row = await db
    .selectFrom('rule_fold')
    .select(['near_late_at', 'near_late_marks'])
    .where('vehicle_id', '=', vehicleId)
    .executeTakeFirst();
  return row?.near_late_at ? { at: row.near_late_at, marks: row.near_late_marks ?? '0' } : null;
}

import { type FenceIndex, NearFollower, type NearRule, type RuleEvent, type RuleFix, STANDS_MS } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { KeptNear } from '../../db/rule-schema.ts';
import type { Db } from '../../projections/reading.ts';
import { recentFixesOf } from '../../tracks/fixes.ts';
import { dayNumber, startOfDay } from '../geofences/visits/day-number.ts';
import { toRuleFix } from './rule-fix.ts';

/** For the reports of a vehicle that is silent, others wait so long. What comes later is late. */
export const OTHERS_WAIT_MS = 3 * 60_000;
/** A vehicle that reports nothing is looked at this often, because others may come to it. */
const LOOK_MS = 15_000;
/** As of other rules. */
const MORNINGS = 2;

/** Rules about the distance of one vehicle to others, watched as far as the reports of all of them are in. */
export class NearWatch {
  readonly #rules: readonly NearRule[];
  readonly #fences: FenceIndex;
  #mornings: Map<number, KeptNear['state']>;
  #follower: NearFollower;
  #lookedMs = 0;

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

  /** Begins a day again. */
  again(day: number): void {
    const state = this.#mornings.get(day) ?? { through: epochMs(startOfDay(day) - 1), rules: {} };
    for (const known of this.#mornings.keys()) if (known > day) this.#mornings.delete(known);
    this.#follower = new NearFollower(this.#rules, this.#fences, state);
  }

  /** Watches on, until the moment from which on someone's reports may still come. */
  async look(db: Db, vehicleId: number, nowMs: number): Promise<RuleEvent[]> {
    this.#lookedMs = nowMs;
    const ids = new Set([vehicleId, ...this.#rules.flatMap(({ trigger }) => [...trigger.others])]);
    const tracks = await readTracks(db, [...ids], this.#follower.through - STANDS_MS, nowMs);
    const newest = [...ids].map(id => tracks.get(id)?.at(-1)?.time ?? Number.NEGATIVE_INFINITY);
    const toMs = Math.min(...newest.map(at => Math.max(at, nowMs - OTHERS_WAIT_MS)));
    const { [vehicleId]: own = [], ...others } = Object.fromEntries(tracks) as Record<number, RuleFix[]>;
    const all = { own, others: new Map(Object.entries(others).map(([id, fixes]) => [Number(id), fixes])) };
    const events: RuleEvent[] = [];
    for (let day = dayNumber(this.#follower.through) + 1; startOfDay(day) <= toMs; day++) {
      events.push(...this.#follower.take(all, epochMs(startOfDay(day) - 1)));
      this.#mornings.set(day, this.#follower.state());
      for (const known of this.#mornings.keys()) if (known < day - MORNINGS) this.#mornings.delete(known);
    }
    events.push(...this.#follower.take(all, epochMs(toMs)));
    return events;
  }
}

async function readTracks(
  db: Db,
  ids: readonly number[],
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<number, RuleFix[]>> {
  const tracks = new Map<number, RuleFix[]>(ids.map(id => [id, []]));
  const rows = await recentFixesOf(db, ids, new Date(fromMs), new Date(toMs));
  for (const { vehicle_id, ...row } of rows) tracks.get(vehicle_id)?.push(toRuleFix(row));
  return tracks;
}

/** Has the rules of these vehicles watch again what another one's late reports bear on; they look at it soon. */
export async function noteLate(db: Db, vehicleIds: readonly number[], fromMs: number): Promise<void> {
  await sql`
    update rule_fold set near_late_at = least(near_late_at, ${new Date(fromMs)}::timestamptz),
      near_late_marks = coalesce(near_late_marks, 0) + 1
    where vehicle_id = any (${vehicleIds}::int4[])`.execute(db);
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

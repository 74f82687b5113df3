import type { Kysely } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import { FIXES_AROUND, type FixRow, fixesAround, fixesBefore, PRIME_MS } from '../fixes.ts';
import { type Calendar, DAY_MS } from './calendar.ts';
import { OpenDay } from './open-day.ts';
import type { Stale, Stored, Written } from './store.ts';

type Db = Kysely<Database>;

/** Open days this old leave memory; the next fixes have them counted anew. */
const KEPT_MS = 2 * DAY_MS;

/**
 * The days of one vehicle that are not settled, in memory, and how far its fixes are counted. A day has figures where
 * one of its fixes is in it or up to 24 hours before it; of all others nothing is known.
 */
export class VehicleDays {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly calendar: Calendar;
  #throughMs: number;
  #newestDay: number;
  #open: OpenDay[] = [];
  /** Days before those in memory are open, too. */
  #hasOlder = true;
  /** When its days were last written; what came since then is read again after a restart. */
  writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(accountId: number, vehicleId: number, calendar: Calendar, countedToMs: number) {
    this.accountId = accountId;
    this.vehicleId = vehicleId;
    this.calendar = calendar;
    this.#throughMs = countedToMs;
    this.#newestDay = calendar.dayOf(countedToMs);
  }

  static fromStored(days: readonly [Stored, ...Stored[]], calendar: Calendar): VehicleDays {
    const newest = days.at(-1) as Stored;
    const vehicle = new VehicleDays(newest.accountId, newest.vehicleId, calendar, newest.throughMs);
    vehicle.#newestDay = calendar.numberOf(newest.day);
    vehicle.#open = days.flatMap(({ day, kept, untilMs }) => {
      if (!kept) return [];
      const open = new OpenDay(calendar, calendar.numberOf(day), kept);
      open.isChanged = false;
      open.writtenUntilMs = untilMs;
      return open;
    });
    return vehicle;
  }

  /** Of the newest fix that is counted. */
  get throughMs(): number {
    return this.#throughMs;
  }

  open(day: number): OpenDay | null {
    return this.#open.find(open => open.day === day) ?? null;
  }

  /** Takes the next fixes, which are newer than all before. Answers the days that have to be counted anew. */
  async take(db: Db, rows: readonly FixRow[]): Promise<number[]> {
    const again = rows.length > 0 ? await this.#olderOpen(db) : [];
    for (const row of rows) {
      const atMs = row.fix_at.getTime();
      if (this.calendar.dayOf(atMs) > this.#newestDay) await this.#begin(db, atMs, true);
      for (const day of this.#open) day.take(row);
      this.#throughMs = atMs;
    }
    if (rows.length > 0) again.push(...this.#open.filter(day => !day.canGoOn).map(({ day }) => day));
    return again;
  }

  /** A day has begun, and the vehicle was seen not long before. */
  isDue(nowMs: number): boolean {
    const today = this.calendar.dayOf(nowMs);
    if (this.#newestDay < today && this.#throughMs >= this.calendar.startOf(today) - PRIME_MS) return true;
    return this.#open.some(day => !day.isEmpty && day.toMs <= nowMs && day.writtenUntilMs < day.toMs);
  }

  /** A day that is over is not as it is written. */
  hasChangedOver(nowMs: number): boolean {
    return this.#open.some(day => !day.isEmpty && day.toMs <= nowMs && day.isChanged);
  }

  beginToday(db: Db, nowMs: number): Promise<void> {
    return this.#begin(db, nowMs, false);
  }

  /** The days that a fix before `atMs` reaches into, and for a fix its own. */
  async #begin(db: Db, atMs: number, isFix: boolean): Promise<void> {
    const { calendar } = this;
    const own = calendar.dayOf(atMs);
    const reached = Math.min(own, calendar.dayOf(this.#throughMs + PRIME_MS));
    const days = new Set(isFix ? [own] : []);
    for (let day = calendar.dayOf(this.#throughMs); day <= reached; day++) days.add(day);
    for (const day of [...days].toSorted((a, b) => a - b)) {
      if (day <= this.#newestDay) continue;
      const open = new OpenDay(calendar, day);
      for (const row of await fixesBefore(db, this.vehicleId, new Date(open.fromMs))) open.take(row);
      this.#newestDay = day;
      this.#open.push(open);
    }
  }

  /** Counts a day from its first fix on. Null where it has no figures, or where its turn is still to come. */
  async countAnew(db: Db, day: number, nowMs: number, newestMs: number): Promise<OpenDay | null> {
    if (day > this.#newestDay) return null;
    const open = new OpenDay(this.calendar, day);
    const to = new Date(Math.min(open.toMs, nowMs));
    for (const row of await fixesAround(db, this.vehicleId, new Date(open.fromMs), to)) {
      const atMs = row.fix_at.getTime();
      // What is not read yet comes in its turn.
      if (atMs >= nowMs || (atMs > this.#throughMs && atMs <= newestMs)) break;
      open.take(row, atMs > newestMs);
    }
    const index = this.#open.findIndex(known => known.day === day);
    if (index >= 0) this.#open[index] = open;
    return open;
  }

  /** The newest day, where it is under way and was written as nothing to go on from. */
  async recall(db: Db, nowMs: number, newestMs: number): Promise<void> {
    const day = this.#newestDay;
    if (this.open(day) !== null || this.calendar.startOf(day + 1) <= nowMs) return;
    this.#open.push(new OpenDay(this.calendar, day));
    await this.countAnew(db, day, nowMs, newestMs);
  }

  forget(day: number): void {
    this.#open = this.#open.filter(open => open.day !== day);
  }

  /** The days on which late positions of a day bear: their own, the one behind, and those whose end they may settle. */
  async concernedBy(db: Db, { firstMs, lastMs }: Stale, nowMs: number): Promise<number[]> {
    if (firstMs > this.#throughMs) return [];
    const { calendar } = this;
    const fixes = db.selectFrom('position').select('fix_at').where('vehicle_id', '=', this.vehicleId);
    const before = await fixes
      .where('fix_at', '<', new Date(firstMs))
      .orderBy('fix_at', 'desc')
      .limit(FIXES_AROUND)
      .execute();
    const after = await fixes
      .where('fix_at', '>', new Date(lastMs))
      .orderBy('fix_at')
      .offset(FIXES_AROUND - 1)
      .limit(1)
      .executeTakeFirst();
    const days = new Set<number>();
    const addAll = (fromMs: number, toMs: number): void => {
      for (let day = calendar.dayOf(fromMs); day <= calendar.dayOf(toMs); day++) days.add(day);
    };
    for (const { fix_at: at } of before) addAll(at.getTime(), at.getTime() + PRIME_MS);
    addAll(firstMs, Math.min(lastMs + PRIME_MS, after?.fix_at.getTime() ?? Number.POSITIVE_INFINITY));
    return [...days].filter(day => calendar.startOf(day) <= nowMs).toSorted((a, b) => a - b);
  }

  /** Those to be written, and out of memory go what is settled or long over. */
  toWrite(nowMs: number): Written[] {
    const written = this.#open.filter(
      day => !day.isEmpty && (day.isChanged || day.writtenUntilMs < Math.min(day.toMs, nowMs)),
    );
    const leaves = (day: OpenDay): boolean => day.isSettled || day.toMs < nowMs - KEPT_MS;
    const days = written.map(day => ({ ...this.#whose(), day, isKept: day.canGoOn && !leaves(day) }));
    if (this.#open.some(day => leaves(day) && !day.isSettled)) this.#hasOlder = true;
    this.#open = this.#open.filter(day => !leaves(day));
    return days;
  }

  asWritten(day: OpenDay): Written {
    return { ...this.#whose(), day, isKept: false };
  }

  #whose() {
    const { accountId, vehicleId, calendar, throughMs } = this;
    return { accountId, vehicleId, calendar, throughMs };
  }

  async #olderOpen(db: Db): Promise<number[]> {
    if (!this.#hasOlder) return [];
    const first = Math.min(this.#newestDay + 1, ...this.#open.map(({ day }) => day));
    const rows = await db
      .selectFrom('vehicle_day')
      .select('day')
      .where('vehicle_id', '=', this.vehicleId)
      .where('open', '=', true)
      .where('day', '<', this.calendar.dateOf(first))
      .execute();
    this.#hasOlder = rows.length > 0;
    return rows.map(({ day }) => this.calendar.numberOf(day));
  }
}

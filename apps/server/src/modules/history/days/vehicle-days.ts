import type { Fold, Look } from '../../../projections/projection.ts';
import type { Db, LateRange, Reading } from '../../../projections/reading.ts';
import { type FixRow, PRIME_MS } from '../../../tracks/fixes.ts';
import { type Calendar, DAY_MS } from './calendar.ts';
import { type BeginCounter, type Counter, type KeptDay, OpenDay } from './open-day.ts';

/** Open days this old are dropped from memory and counted again with the next fixes. */
const KEPT_MS = 2 * DAY_MS;

/** Tables with a row per vehicle and day that record how far the day is counted. */
export type DayTable = 'vehicle_day' | 'trip_day';

export interface Stored {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly day: string;
  readonly throughMs: number;
  readonly untilMs: number;
  readonly kept: KeptDay | null;
}

/** What is counted per day, and where it is stored. */
export interface DayKind<C extends Counter> {
  readonly table: DayTable;
  readonly begin: BeginCounter<C>;
}

export interface Written<C extends Counter> {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly calendar: Calendar;
  readonly day: OpenDay<C>;
  /** The time of the vehicle's newest counted fix. */
  readonly throughMs: number;
  /** Counting can continue from what is stored. */
  readonly isKept: boolean;
}

/** Days to write, and days without data any more. */
export interface Changed<C extends Counter> {
  readonly written: readonly Written<C>[];
  readonly emptied: readonly number[];
}

/**
 * The days of one vehicle that are not settled, in memory, and how far its fixes are counted. A day has figures where
 * one of its fixes is in it or up to 24 hours before it; of all others nothing is known.
 */
export class VehicleDays<C extends Counter> implements Fold {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly calendar: Calendar;
  readonly isNew: boolean;
  readonly #kind: DayKind<C>;
  #throughMs: number;
  #newestDay: number;
  #open: OpenDay<C>[] = [];
  /** Days before those in memory are still open, too. */
  #hasOlder = true;
  /** Counted again and dropped from memory. */
  #settledAgain: Written<C>[] = [];
  #emptied: number[] = [];
  #wasCountedAgain = false;

  private constructor(
    kind: DayKind<C>,
    calendar: Calendar,
    whose: { readonly accountId: number; readonly vehicleId: number },
    { throughMs, isNew }: Pick<Fold, 'throughMs' | 'isNew'>,
  ) {
    this.#kind = kind;
    this.accountId = whose.accountId;
    this.vehicleId = whose.vehicleId;
    this.calendar = calendar;
    this.isNew = isNew;
    this.#throughMs = throughMs;
    this.#newestDay = calendar.dayOf(throughMs);
  }

  /** For a vehicle that was never counted: its past is treated as late. */
  static begin<C extends Counter>(
    kind: DayKind<C>,
    calendar: Calendar,
    whose: { readonly accountId: number; readonly vehicleId: number },
    nowMs: number,
    newestMs: number,
  ): VehicleDays<C> {
    // Not beyond its newest fix: what comes next may be of an earlier day, and is not late.
    const pastMs = Math.min(calendar.startOf(calendar.dayOf(nowMs)), newestMs + 1);
    return new VehicleDays(kind, calendar, whose, { throughMs: pastMs - 1, isNew: true });
  }

  static fromStored<C extends Counter>(
    kind: DayKind<C>,
    calendar: Calendar,
    days: readonly [Stored, ...Stored[]],
  ): VehicleDays<C> {
    const newest = days.at(-1) as Stored;
    const vehicle = new VehicleDays(kind, calendar, newest, { throughMs: newest.throughMs, isNew: false });
    vehicle.#newestDay = calendar.numberOf(newest.day);
    vehicle.#open = days.flatMap(({ day, kept, untilMs }) => {
      if (!kept) return [];
      const open = new OpenDay(kind.begin, calendar, calendar.numberOf(day), kept);
      open.isChanged = false;
      open.writtenUntilMs = untilMs;
      return open;
    });
    return vehicle;
  }

  get throughMs(): number {
    return this.#throughMs;
  }

  open(day: number): OpenDay<C> | null {
    return this.#open.find(open => open.day === day) ?? null;
  }

  async take(reading: Reading, rows: readonly FixRow[], look: Look): Promise<void> {
    const again = rows.length > 0 ? await this.#olderOpen(reading.db) : [];
    for (const row of rows) {
      const atMs = row.fix_at.getTime();
      if (this.calendar.dayOf(atMs) > this.#newestDay) await this.#begin(reading, atMs, true);
      for (const day of this.#open) day.take(row);
      this.#throughMs = atMs;
    }
    if (rows.length > 0) again.push(...this.#open.filter(day => !day.canGoOn).map(({ day }) => day));
    if (this.isDue(look.nowMs)) await this.#begin(reading, look.nowMs, false);
    for (const day of again) await this.#countAnew(reading, day, look);
  }

  /** A day has begun, and the vehicle was seen not long before. */
  isDue(nowMs: number): boolean {
    const today = this.calendar.dayOf(nowMs);
    if (this.#newestDay < today && this.#throughMs >= this.calendar.startOf(today) - PRIME_MS) return true;
    return this.#open.some(day => !day.isEmpty && day.toMs <= nowMs && day.writtenUntilMs < day.toMs);
  }

  /** A day that is over is not as it is written. */
  mustBeWritten(nowMs: number): boolean {
    if (this.#wasCountedAgain || this.isDue(nowMs)) return true;
    return this.#open.some(day => !day.isEmpty && day.toMs <= nowMs && day.isChanged);
  }

  /** The days that a fix before `atMs` reaches into, and for a fix its own. */
  async #begin(reading: Reading, atMs: number, isFix: boolean): Promise<void> {
    const { calendar } = this;
    const own = calendar.dayOf(atMs);
    const reached = Math.min(own, calendar.dayOf(this.#throughMs + PRIME_MS));
    const days = new Set(isFix ? [own] : []);
    for (let day = calendar.dayOf(this.#throughMs); day <= reached; day++) days.add(day);
    for (const day of [...days].toSorted((a, b) => a - b)) {
      if (day <= this.#newestDay) continue;
      const open = new OpenDay(this.#kind.begin, calendar, day);
      for (const row of await reading.before(open.fromMs)) open.take(row);
      this.#newestDay = day;
      this.#open.push(open);
    }
  }

  /** The newest day, where it is under way and was written as nothing to go on from. */
  async recall(reading: Reading, { nowMs, newestMs }: Look): Promise<void> {
    const day = this.#newestDay;
    if (this.open(day) !== null || this.calendar.startOf(day + 1) <= nowMs) return;
    this.#open.push(new OpenDay(this.#kind.begin, this.calendar, day));
    await this.#count(reading, day, { nowMs, newestMs: newestMs ?? this.#throughMs });
  }

  async foldAgain(reading: Reading, range: LateRange, look: Look, done: Set<number>): Promise<void> {
    for (const day of await this.#concernedBy(reading, range, look.nowMs)) {
      if (done.has(day)) continue;
      done.add(day);
      await this.#countAnew(reading, day, look);
    }
  }

  async #countAnew(reading: Reading, day: number, look: Look): Promise<void> {
    this.#wasCountedAgain = true;
    const counted = await this.#count(reading, day, look);
    if (counted === null) return;
    if (counted.isEmpty) {
      this.#open = this.#open.filter(open => open.day !== day);
      this.#emptied.push(day);
    } else if (this.open(day) === null) {
      this.#settledAgain.push({ ...this.#whose(), day: counted, isKept: false });
    }
  }

  /** Counts a day from its first fix on. Null where it has no figures, or where its turn is still to come. */
  async #count(reading: Reading, day: number, { nowMs, newestMs }: Look): Promise<OpenDay<C> | null> {
    if (day > this.#newestDay) return null;
    const newest = newestMs ?? Number.NEGATIVE_INFINITY;
    const open = new OpenDay(this.#kind.begin, this.calendar, day);
    // What is not folded yet comes in its turn: where that is much, it is not read in vain.
    const untilMs = open.untilMs(nowMs);
    const toMs = this.#throughMs < newest ? Math.max(open.fromMs, Math.min(untilMs, this.#throughMs + 1)) : untilMs;
    for (const row of await reading.around(open.fromMs, toMs)) {
      const atMs = row.fix_at.getTime();
      if (atMs >= nowMs || (atMs > this.#throughMs && atMs <= newest)) break;
      open.take(row, atMs > newest);
    }
    const index = this.#open.findIndex(known => known.day === day);
    if (index >= 0) this.#open[index] = open;
    return open;
  }

  /** The days on which late positions of a day bear: their own, the one behind, and those whose end they may settle. */
  async #concernedBy(reading: Reading, range: LateRange, nowMs: number): Promise<number[]> {
    const { firstMs, lastMs } = range;
    if (firstMs > this.#throughMs) return [];
    const { calendar } = this;
    const { before, after } = await reading.momentsAround(range);
    const days = new Set<number>();
    const addAll = (fromMs: number, toMs: number): void => {
      for (let day = calendar.dayOf(fromMs); day <= calendar.dayOf(toMs); day++) days.add(day);
    };
    for (const at of before) addAll(at.getTime(), at.getTime() + PRIME_MS);
    addAll(firstMs, Math.min(lastMs + PRIME_MS, after?.getTime() ?? Number.POSITIVE_INFINITY));
    return [...days].filter(day => calendar.startOf(day) <= nowMs).toSorted((a, b) => a - b);
  }

  /** What is to be written; what is settled or long over leaves memory. */
  takeChanged(nowMs: number): Changed<C> {
    const changed = this.#open.filter(
      day => !day.isEmpty && (day.isChanged || day.writtenUntilMs < day.untilMs(nowMs)),
    );
    const leaves = (day: OpenDay<C>): boolean => day.isSettled || day.toMs < nowMs - KEPT_MS;
    const written = [
      ...this.#settledAgain,
      ...changed.map(day => ({ ...this.#whose(), day, isKept: day.canGoOn && !leaves(day) })),
    ];
    const emptied = this.#emptied;
    if (this.#open.some(day => leaves(day) && !day.isSettled)) this.#hasOlder = true;
    this.#open = this.#open.filter(day => !leaves(day));
    this.#settledAgain = [];
    this.#emptied = [];
    this.#wasCountedAgain = false;
    return { written, emptied };
  }

  #whose() {
    const { accountId, vehicleId, calendar, throughMs } = this;
    return { accountId, vehicleId, calendar, throughMs };
  }

  async #olderOpen(db: Db): Promise<number[]> {
    if (!this.#hasOlder) return [];
    const first = Math.min(this.#newestDay + 1, ...this.#open.map(({ day }) => day));
    const rows = await db
      .selectFrom(this.#kind.table)
      .select('day')
      .where('vehicle_id', '=', this.vehicleId)
      .where('open', '=', true)
      .where('day', '<', this.calendar.dateOf(first))
      .execute();
    this.#hasOlder = rows.length > 0;
    return rows.map(({ day }) => this.calendar.numberOf(day));
  }
}

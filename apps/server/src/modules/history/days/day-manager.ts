import type { Logger } from 'pino';
import type { Databases } from '../../../db/database.ts';
import type { LiveStates } from '../../../ingest/live.ts';
import type { Directory, DirectoryEntry } from '../../vehicles/directory.ts';
import type { AccountCalendars } from './account-calendars.ts';
import {
  markPast,
  readOn,
  readStale,
  readStored,
  type Stale,
  type Stored,
  staleVehicles,
  takeOff,
  type Written,
  writeDays,
} from './store.ts';
import { VehicleDays } from './vehicle-days.ts';

export interface DayManagerParts {
  readonly db: Databases;
  readonly log: Logger;
  readonly directory: Pick<Directory, 'findById' | 'ofAccount'>;
  readonly live: LiveStates;
  readonly calendars: AccountCalendars;
}

/** Vehicles whose fixes are read with one query, and how many of each. */
const BATCH_VEHICLES = 200;
const BATCH_FIXES = 200;
const STALE_AT_ONCE = 100;
/** What an open day has counted is written this often, so that a restart reads no more than that again. */
const WRITE_EVERY_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 2000;
/** Counting takes no more than this part of one core from those who wait for their acknowledgement. */
const SHARE = 1 / 20;
/** Days into which positions came late, or of a past that was never counted, take this long at a time. */
const STALE_MS = 400;

/**
 * Keeps every vehicle's days up to date with its positions, behind the commit and at its own pace: it reads what was
 * stored since it last looked, and counts days anew into which positions came late. All that it needs to go on after a
 * crash is in the database; docs/figures.md.
 */
export class DayManager {
  readonly #parts: DayManagerParts;
  readonly #vehicles = new Map<number, VehicleDays>();
  readonly #stale = new Set<number>();
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(parts: DayManagerParts) {
    this.#parts = parts;
  }

  /** Looks again and again, until `stop`. */
  start(): void {
    this.#timer = setTimeout(() => void this.#look(), FIRST_PAUSE_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#last.catch(() => {});
    const nowMs = Date.now();
    await this.#write(
      [...this.#vehicles.values()].flatMap(vehicle => vehicle.toWrite(nowMs)),
      nowMs,
    ).catch(() => {});
  }

  /** The days in memory of a vehicle; null while they were never looked at. */
  of(vehicleId: number): VehicleDays | null {
    return this.#vehicles.get(vehicleId) ?? null;
  }

  /** Positions are stored that its days do not have yet. */
  isBehind(vehicleId: number, nowMs: number): boolean {
    const newestMs = this.#parts.live.of(vehicleId)?.motion.fixAt ?? null;
    if (this.#stale.has(vehicleId)) return true;
    if (newestMs === null) return false;
    return Math.min(newestMs, nowMs - 1) > (this.#vehicles.get(vehicleId)?.throughMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Counts what these vehicles of an account have stored by now, for as long as `timeoutMs`. */
  async catchUp(accountId: number, vehicleIds: readonly number[], timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    await this.#inTurn(() => this.#followZones(accountId));
    const nowMs = Date.now();
    let due = this.#due(vehicleIds, nowMs);
    while (due.length > 0 && performance.now() < deadline) {
      const batch = due.slice(0, BATCH_VEHICLES);
      await this.#inTurn(() => this.#readOn(batch, nowMs));
      due = [...due.slice(BATCH_VEHICLES), ...this.#due(batch, nowMs)];
    }
    while ((await this.#inTurn(() => this.#countStale(accountId, deadline))) && performance.now() < deadline);
  }

  /** An account's days begin at other hours from now on. */
  forget(accountId: number): void {
    for (const [id, vehicle] of this.#vehicles) if (vehicle.accountId === accountId) this.#vehicles.delete(id);
  }

  async #look(): Promise<void> {
    const began = performance.now();
    let restedMs = 0;
    try {
      await this.#inTurn(() => this.#followZones(null));
      const nowMs = Date.now();
      const all = [...this.#parts.live.accounts()].flatMap(account =>
        [...this.#parts.directory.ofAccount(account)].map(({ id }) => id),
      );
      const due = this.#due(all, nowMs);
      for (let i = 0; i < due.length && !this.#isStopped; i += BATCH_VEHICLES) {
        const batchBegan = performance.now();
        await this.#inTurn(() => this.#readOn(due.slice(i, i + BATCH_VEHICLES), nowMs));
        // In between others have their turn, not only afterwards.
        const restMs =
          Math.min((performance.now() - batchBegan) / SHARE, 10_000) * (due.length > BATCH_VEHICLES ? 1 : 0);
        await rest(restMs);
        restedMs += restMs;
      }
      const staleBegan = performance.now();
      await this.#inTurn(() => this.#countStale(null, staleBegan + STALE_MS));
      restedMs += performance.now() - staleBegan;
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'Could not update daily figures; retrying');
    }
    if (this.#isStopped) return;
    const workedMs = performance.now() - began - restedMs;
    this.#timer = setTimeout(() => void this.#look(), Math.max(FIRST_PAUSE_MS, workedMs / SHARE - restedMs));
    this.#timer.unref();
  }

  /** One piece of work at a time: days are read, counted and written by one hand. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #followZones(accountId: number | null): Promise<void> {
    for (const changed of await this.#parts.calendars.refresh(accountId)) this.forget(changed);
  }

  #due(vehicleIds: readonly number[], nowMs: number): number[] {
    return vehicleIds.filter(id => {
      const newestMs = this.#parts.live.of(id)?.motion.fixAt ?? null;
      if (newestMs === null) return false;
      const vehicle = this.#vehicles.get(id);
      if (!vehicle) return true;
      return Math.min(newestMs, nowMs - 1) > vehicle.throughMs || vehicle.isDue(nowMs);
    });
  }

  async #readOn(ids: readonly number[], nowMs: number): Promise<void> {
    const { db, live } = this.#parts;
    try {
      await this.#load(ids, nowMs);
      let vehicles = ids.flatMap(id => this.#vehicles.get(id) ?? []);
      while (vehicles.length > 0 && !this.#isStopped) {
        const readers = vehicles.map(({ vehicleId, throughMs }) => ({
          vehicleId,
          throughMs,
          newestMs: live.of(vehicleId)?.motion.fixAt ?? throughMs,
        }));
        const fixes = await readOn(db.system, readers, nowMs, BATCH_FIXES);
        const written: Written[] = [];
        for (const vehicle of vehicles) {
          const again = await vehicle.take(db.system, fixes.get(vehicle.vehicleId) ?? []);
          if (vehicle.isDue(nowMs)) await vehicle.beginToday(db.system, nowMs);
          for (const day of again) written.push(...(await this.#countAnew(vehicle, day, nowMs)));
          const isTime = vehicle.writtenAtMs < nowMs - WRITE_EVERY_MS;
          if (again.length > 0 || isTime || vehicle.isDue(nowMs) || vehicle.hasChangedOver(nowMs)) {
            written.push(...vehicle.toWrite(nowMs));
          }
        }
        await this.#write(written, nowMs);
        vehicles = vehicles.filter(({ vehicleId }) => (fixes.get(vehicleId)?.length ?? 0) === BATCH_FIXES);
      }
    } catch (error) {
      // What is in memory may be ahead of what is written: what is written counts.
      for (const id of ids) this.#vehicles.delete(id);
      throw error;
    }
  }

  /** Answers whether there may be more. */
  async #countStale(accountId: number | null, deadline: number): Promise<boolean> {
    const { db, directory } = this.#parts;
    const nowMs = Date.now();
    const marks = await readStale(db.system, { accountId, nowMs, limit: STALE_AT_ONCE });
    this.#noteStale(accountId, await staleVehicles(db.system, accountId));
    // Marks of neighboring days bear on the same ones; what was counted since the marks were read has all of them.
    const counted = new Set<string>();
    for (const [nth, mark] of marks.entries()) {
      if (this.#isStopped || performance.now() > deadline) return false;
      if (directory.findById(mark.vehicleId) !== null) await this.#countLate(mark, nowMs, counted);
      await takeOff(db.system, mark);
      const isLast = marks.slice(nth + 1).every(({ vehicleId }) => vehicleId !== mark.vehicleId);
      if (isLast) this.#stale.delete(mark.vehicleId);
    }
    return marks.length === STALE_AT_ONCE;
  }

  #noteStale(accountId: number | null, vehicleIds: readonly number[]): void {
    for (const id of this.#stale) {
      if (accountId === null || this.#parts.directory.findById(id)?.accountId === accountId) this.#stale.delete(id);
    }
    for (const id of vehicleIds) this.#stale.add(id);
  }

  async #countLate(mark: Stale, nowMs: number, counted: Set<string>): Promise<void> {
    const { db } = this.#parts;
    try {
      await this.#load([mark.vehicleId], nowMs);
      const vehicle = this.#vehicles.get(mark.vehicleId);
      if (!vehicle) return;
      const written: Written[] = [];
      for (const day of await vehicle.concernedBy(db.system, mark, nowMs)) {
        const key = `${mark.vehicleId} ${day}`;
        if (counted.has(key)) continue;
        counted.add(key);
        written.push(...(await this.#countAnew(vehicle, day, nowMs)));
      }
      await this.#write([...written, ...vehicle.toWrite(nowMs)], nowMs);
    } catch (error) {
      this.#vehicles.delete(mark.vehicleId);
      throw error;
    }
  }

  /** What is to be written of it, besides what is in memory. */
  async #countAnew(vehicle: VehicleDays, day: number, nowMs: number): Promise<Written[]> {
    const { db, live } = this.#parts;
    const newestMs = live.of(vehicle.vehicleId)?.motion.fixAt ?? Number.NEGATIVE_INFINITY;
    const counted = await vehicle.countAnew(db.system, day, nowMs, newestMs);
    if (counted === null) return [];
    if (!counted.isEmpty) return vehicle.open(day) === null ? [vehicle.asWritten(counted)] : [];
    vehicle.forget(day);
    await db.system
      .deleteFrom('vehicle_day')
      .where('vehicle_id', '=', vehicle.vehicleId)
      .where('day', '=', vehicle.calendar.dateOf(day))
      .execute();
    return [];
  }

  async #write(days: readonly Written[], nowMs: number): Promise<void> {
    const ofKnown = days.filter(({ vehicleId }) => this.#parts.directory.findById(vehicleId) !== null);
    await writeDays(this.#parts.db.system, ofKnown, nowMs);
    for (const { vehicleId, day } of days) {
      day.isChanged = false;
      day.writtenUntilMs = Math.min(day.toMs, nowMs);
      const vehicle = this.#vehicles.get(vehicleId);
      if (vehicle) vehicle.writtenAtMs = nowMs;
    }
  }

  /** Those that are not in memory: as they were written, or from the beginning, today first. */
  async #load(ids: readonly number[], nowMs: number): Promise<void> {
    const { calendars, db, directory, live } = this.#parts;
    const missing = ids
      .filter(id => !this.#vehicles.has(id))
      .flatMap(id => directory.findById(id) ?? []) as DirectoryEntry[];
    if (missing.length === 0) return;
    const stored = Map.groupBy(
      await readStored(
        db.system,
        missing.map(({ id }) => id),
      ),
      ({ vehicleId }) => vehicleId,
    );
    for (const { id, accountId } of missing) {
      const calendar = calendars.of(accountId);
      const days = stored.get(id);
      if (days) {
        const vehicle = VehicleDays.fromStored(days as [Stored, ...Stored[]], calendar);
        await vehicle.recall(db.system, nowMs, live.of(id)?.motion.fixAt ?? vehicle.throughMs);
        this.#vehicles.set(id, vehicle);
        continue;
      }
      // A tracker that has never told a possible time has no days.
      const newestMs = live.of(id)?.motion.fixAt ?? null;
      if (newestMs === null) continue;
      // Not beyond its newest fix: what comes next may be of an earlier day, and is not late.
      const pastMs = Math.min(calendar.startOf(calendar.dayOf(nowMs)), newestMs + 1);
      await markPast(db.system, accountId, id, pastMs);
      this.#stale.add(id);
      this.#vehicles.set(id, new VehicleDays(accountId, id, calendar, pastMs - 1));
    }
  }
}

const rest = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms).unref());

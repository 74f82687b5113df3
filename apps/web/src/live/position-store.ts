import type { LiveState, PositionReport, Vehicle } from '@milepost/contract';
import { DEFAULT_THRESHOLDS, type Thresholds } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { newerReport, newerState, type TimedReport, type TimedState, timedReport, timedState } from './live-message.ts';
import { type Known, sameStatus, toEntry, type VehicleEntry } from './vehicle-entry.ts';

/** Messages that arrive together: those of one animation frame, or a snapshot. */
export interface LiveBatch {
  readonly reports: readonly PositionReport[];
  readonly states: readonly (readonly [imei: string, live: LiveState])[];
}

/**
 * Maximum number of new positions kept for pages that draw them. On a page that draws nothing they would otherwise fill
 * the memory.
 */
const NEW_POSITIONS_KEPT = 5000;

/**
 * Vehicles and their positions, outside React. It guarantees:
 * - Time never goes back: the newest fix wins, and the result doesn't depend on the order of snapshot and stream.
 * - Each call notifies once, with the vehicles that changed. Entries are replaced, never modified.
 * - Messages about vehicles that aren't in the list yet are kept and apply once they are.
 */
export class PositionStore {
  readonly #now: () => number;
  readonly #entries = new Map<string, VehicleEntry>();
  readonly #vehicles = new Map<string, Vehicle>();
  readonly #reports = new Map<string, TimedReport>();
  readonly #states = new Map<string, TimedState>();
  readonly #newPositions: PositionReport[] = [];
  #thresholds: Thresholds = DEFAULT_THRESHOLDS;
  #lastReportMs: number | null = null;
  #loaded = false;
  #version = 0;

  readonly #listeners = new Set<(changed: ReadonlySet<string>) => void>();
  readonly #reportListeners = new Set<(reports: readonly PositionReport[]) => void>();
  readonly #listenersOf = new Map<string, Set<() => void>>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Entries by IMEI. This is always the same map; `version` tells whether anything in it changed. */
  get entries(): ReadonlyMap<string, VehicleEntry> {
    return this.#entries;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether the list of vehicles has been read. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Reports that arrived live and haven't been cleared, oldest first [R7.33]. */
  get newPositions(): readonly PositionReport[] {
    return this.#newPositions;
  }

  /** When the last live report arrived, by the store's clock. */
  get lastReportMs(): number | null {
    return this.#lastReportMs;
  }

  get(imei: string): VehicleEntry | undefined {
    return this.#entries.get(imei);
  }

  /** Takes the server's list of vehicles. Vehicles that aren't in it are removed. */
  applyVehicles(vehicles: readonly Vehicle[]): void {
    const changed = new Set(this.#vehicles.keys());
    this.#vehicles.clear();
    for (const vehicle of vehicles) {
      this.#vehicles.set(vehicle.imei, vehicle);
      this.#keepState(vehicle.imei, timedState(vehicle.live));
      changed.add(vehicle.imei);
    }
    for (const known of [this.#reports, this.#states]) {
      for (const imei of known.keys()) if (changed.has(imei) && !this.#vehicles.has(imei)) known.delete(imei);
    }
    const isFirst = !this.#loaded;
    this.#loaded = true;
    // The first list notifies even if it is empty.
    this.#renew(changed, isFirst);
  }

  /** Takes the newest positions read from the server. They don't count as new positions. */
  applySnapshot(reports: readonly PositionReport[]): void {
    const changed = new Set<string>();
    for (const report of reports) if (this.#keepReport(report)) changed.add(report.imei);
    this.#renew(changed);
  }

  /** Takes the messages that arrived live since the last frame. */
  applyBatch({ reports, states }: LiveBatch): void {
    const changed = new Set<string>();
    for (const [imei, live] of states) if (this.#keepState(imei, timedState(live))) changed.add(imei);
    for (const report of reports) if (this.#keepReport(report)) changed.add(report.imei);
    if (reports.length > 0) {
      for (const report of reports) this.#newPositions.push(report);
      // Trimmed in large steps: moving thousands of entries for each new one would be slow.
      const excess = this.#newPositions.length - NEW_POSITIONS_KEPT;
      if (excess > NEW_POSITIONS_KEPT) this.#newPositions.splice(0, excess);
      this.#lastReportMs = this.#now();
    }
    this.#renew(changed);
    if (reports.length > 0) for (const listener of this.#reportListeners) listener(reports);
  }

  /** Called when the connection is lost [R4.12]. */
  clearNewPositions(): void {
    this.#newPositions.length = 0;
  }

  /** Drops everything, so that the next user doesn't see this user's vehicles. */
  clear(): void {
    const changed = new Set(this.#vehicles.keys());
    for (const map of [this.#vehicles, this.#reports, this.#states]) map.clear();
    this.#newPositions.length = 0;
    this.#lastReportMs = null;
    this.#loaded = false;
    this.#renew(changed);
  }

  /** Drops the reports and states of another moment. The list and the newest positions must follow. */
  rewind(): void {
    this.#reports.clear();
    this.#states.clear();
  }

  /** Sets the thresholds for statuses, from the account's settings. */
  judgeBy(thresholds: Thresholds): void {
    this.#thresholds = thresholds;
    this.reconsider([...this.#entries.keys()]);
  }

  /** Updates statuses as time passes: a silent vehicle's status changes without a message. */
  reconsider(imeis: Iterable<string>): void {
    const nowMs = epochMs(this.#now());
    const changed = new Set<string>();
    for (const imei of imeis) {
      const entry = this.#entries.get(imei);
      const known = this.#known(imei);
      if (entry && known && !sameStatus(entry.now, toEntry(known, nowMs, this.#thresholds).now)) changed.add(imei);
    }
    this.#renew(changed);
  }

  /** Calls back with the vehicles that changed or were added or removed. */
  subscribe(listener: (changed: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back with the reports that have just arrived live, including late ones. */
  subscribeToReports(listener: (reports: readonly PositionReport[]) => void): () => void {
    this.#reportListeners.add(listener);
    return () => this.#reportListeners.delete(listener);
  }

  /** Calls back when this vehicle has changed. */
  subscribeTo(imei: string, listener: () => void): () => void {
    const listeners = this.#listenersOf.get(imei) ?? new Set();
    this.#listenersOf.set(imei, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listenersOf.get(imei) === listeners) this.#listenersOf.delete(imei);
    };
  }

  #known(imei: string): Known | null {
    const vehicle = this.#vehicles.get(imei);
    const state = this.#states.get(imei);
    return vehicle && state ? { vehicle, state, report: this.#reports.get(imei) ?? null } : null;
  }

  #keepReport(report: PositionReport): boolean {
    const timed = timedReport(report);
    if (!timed) return false;
    const before = this.#reports.get(report.imei);
    const newest = before ? newerReport(before, timed) : timed;
    this.#reports.set(report.imei, newest);
    return newest !== before;
  }

  #keepState(imei: string, state: TimedState): boolean {
    const before = this.#states.get(imei);
    const newest = before ? newerState(before, state) : state;
    this.#states.set(imei, newest);
    return newest !== before;
  }

  #renew(changed: ReadonlySet<string>, always = false): void {
    if (changed.size === 0 && !always) return;
    const nowMs = this.#now();
    for (const imei of changed) {
      const known = this.#known(imei);
      if (known) this.#entries.set(imei, toEntry(known, nowMs, this.#thresholds));
      else this.#entries.delete(imei);
    }
    this.#version++;
    for (const imei of changed) for (const listener of this.#listenersOf.get(imei) ?? []) listener();
    for (const listener of this.#listeners) listener(changed);
  }
}

import type { LiveState, PositionReport, Vehicle } from '@milepost/contract';
import { DEFAULT_THRESHOLDS, type Thresholds } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { newerReport, newerState, type TimedReport, type TimedState, timedReport, timedState } from './live-message.ts';
import { type Known, sameStatus, toEntry, type VehicleEntry } from './vehicle-entry.ts';

/** What arrives together: one animation frame's messages, or a snapshot. */
export interface LiveBatch {
  readonly reports: readonly PositionReport[];
  readonly states: readonly (readonly [imei: string, live: LiveState])[];
}

/** New positions kept for those who draw them; a page that draws nothing must not fill the memory. */
const NEW_POSITIONS_KEPT = 5000;

/**
 * Vehicles and their positions, outside React. Guarantees:
 * - never back in time: the newest fix wins, whatever order snapshot and stream arrive in, and any order ends the same;
 * - one notification per call, with the vehicles that changed; entries are replaced, never changed in place;
 * - messages about vehicles that are not (yet) in the list are kept and count once the list names them.
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

  /** By IMEI. The map itself stays the same object: `version` tells whether anything in it changed. */
  get entries(): ReadonlyMap<string, VehicleEntry> {
    return this.#entries;
  }

  get version(): number {
    return this.#version;
  }

  /** The list of vehicles has been read. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Reports that arrived live and have not been cleared, oldest first [R7.33]. */
  get newPositions(): readonly PositionReport[] {
    return this.#newPositions;
  }

  /** When the last live report arrived, by this device's clock. */
  get lastReportMs(): number | null {
    return this.#lastReportMs;
  }

  get(imei: string): VehicleEntry | undefined {
    return this.#entries.get(imei);
  }

  /** The server's list of vehicles; vehicles missing from it are gone. */
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
    // A list without vehicles is news, too, the first time.
    this.#renew(changed, isFirst);
  }

  /** Newest positions read from the server: not news, so they are no new positions. */
  applySnapshot(reports: readonly PositionReport[]): void {
    const changed = new Set<string>();
    for (const report of reports) if (this.#keepReport(report)) changed.add(report.imei);
    this.#renew(changed);
  }

  /** What live messaging brought since the last frame. */
  applyBatch({ reports, states }: LiveBatch): void {
    const changed = new Set<string>();
    for (const [imei, live] of states) if (this.#keepState(imei, timedState(live))) changed.add(imei);
    for (const report of reports) if (this.#keepReport(report)) changed.add(report.imei);
    if (reports.length > 0) {
      for (const report of reports) this.#newPositions.push(report);
      // Trimmed in large steps: moving thousands of entries for each that arrives would cost more than it frees.
      const excess = this.#newPositions.length - NEW_POSITIONS_KEPT;
      if (excess > NEW_POSITIONS_KEPT) this.#newPositions.splice(0, excess);
      this.#lastReportMs = this.#now();
    }
    this.#renew(changed);
    if (reports.length > 0) for (const listener of this.#reportListeners) listener(reports);
  }

  /** On disconnect [R4.12]. */
  clearNewPositions(): void {
    this.#newPositions.length = 0;
  }

  /** Forgets everything: the next user must not see this one's vehicles. */
  clear(): void {
    const changed = new Set(this.#vehicles.keys());
    for (const map of [this.#vehicles, this.#reports, this.#states]) map.clear();
    this.#newPositions.length = 0;
    this.#lastReportMs = null;
    this.#loaded = false;
    this.#renew(changed);
  }

  /** What was shown of another moment does not count any more; the list and its newest positions come next. */
  rewind(): void {
    this.#reports.clear();
    this.#states.clear();
  }

  /** From now on by these limits; the account's settings have come, or were changed. */
  judgeBy(thresholds: Thresholds): void {
    this.#thresholds = thresholds;
    this.reconsider([...this.#entries.keys()]);
  }

  /** Ages statuses: a vehicle that falls silent changes its status without a message. */
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

  /** Calls back with the vehicles that changed, or were added or removed. */
  subscribe(listener: (changed: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back with the reports that have just arrived live, late ones included. */
  subscribeToReports(listener: (reports: readonly PositionReport[]) => void): () => void {
    this.#reportListeners.add(listener);
    return () => this.#reportListeners.delete(listener);
  }

  /** Calls back when this vehicle changed. */
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

import type { LiveState, PositionReport } from '@milepost/contract';
import type { LiveBatch } from './position-store.ts';

/** Up to this many reports are kept between two frames. Above that, only the newest of each vehicle is. */
const REPORTS_KEPT = 1000;

/**
 * Collects messages until the page can draw them. However long a hidden tab draws nothing, the number of waiting
 * messages is bounded by the number of vehicles (invariant I9): with too many reports, only the newest of each vehicle
 * is kept; of live states, always only the newest.
 */
export class Coalescer {
  #reports: PositionReport[] = [];
  #room = REPORTS_KEPT;
  readonly #states = new Map<string, LiveState>();

  get isEmpty(): boolean {
    return this.#reports.length === 0 && this.#states.size === 0;
  }

  addReport(report: PositionReport): void {
    this.#reports.push(report);
    if (this.#reports.length > this.#room) this.#compact();
  }

  addState(imei: string, live: LiveState): void {
    const known = this.#states.get(imei);
    if (!known || (live.heardAt ?? '') >= (known.heardAt ?? '')) this.#states.set(imei, live);
  }

  take(): LiveBatch {
    const batch = { reports: this.#reports, states: [...this.#states] };
    this.clear();
    return batch;
  }

  clear(): void {
    this.#reports = [];
    this.#room = REPORTS_KEPT;
    this.#states.clear();
  }

  #compact(): void {
    const newest = new Map<string, PositionReport>();
    for (const report of this.#reports) {
      const known = newest.get(report.imei);
      if (!known || stamp(report) >= stamp(known)) newest.set(report.imei, report);
    }
    this.#reports = [...newest.values()];
    this.#room = Math.max(REPORTS_KEPT, 2 * this.#reports.length);
  }
}

/** Date and time have a fixed width and are UTC, so comparing them as text compares the times. */
const stamp = ({ reportDate, reportTime }: PositionReport): string => reportDate + reportTime;

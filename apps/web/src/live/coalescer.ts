import type { LiveState, PositionReport } from '@milepost/contract';
import type { LiveBatch } from './position-store.ts';

/** Reports kept between two frames before only the newest of each vehicle counts. */
const REPORTS_KEPT = 1000;

/**
 * Gathers messages until the screen is ready for them. What waits is bounded by the number of vehicles, however long a
 * hidden tab draws nothing (invariant I9): of too many reports only the last of each vehicle is kept, of states always.
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

/** Both parts are fixed-width and UTC, so text compares as time does. */
const stamp = ({ reportDate, reportTime }: PositionReport): string => reportDate + reportTime;

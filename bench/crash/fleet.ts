import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { testImei } from '../../apps/server/testing/imei.ts';
import type { DoomedServer } from './doomed-server.ts';
import { PersistentTracker, type TrackerPlan } from './persistent-tracker.ts';

export interface FleetPlan {
  readonly teltonika: number;
  readonly mqtt: number;
}

/** What is wrong with the stored data, in sentences; empty if nothing is. */
export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  readonly complaints: readonly string[];
}

const BEHIND_MS = 12 * 3_600_000;
const MESSAGES: Readonly<Record<TrackerPlan['protocol'], Pick<TrackerPlan, 'perMessage' | 'everyMs'>>> = {
  teltonika: { perMessage: 20, everyMs: 200 },
  mqtt: { perMessage: 4, everyMs: 200 },
};

/** Trackers that report to a server which is killed again and again, and the checks afterward. */
export class Fleet {
  readonly #trackers: readonly PersistentTracker[];
  readonly #running: Promise<unknown>;
  readonly #server: DoomedServer;

  private constructor(server: DoomedServer, trackers: readonly PersistentTracker[]) {
    this.#server = server;
    this.#trackers = trackers;
    this.#running = Promise.all(trackers.map(tracker => tracker.run()));
  }

  /** Adds a vehicle for each tracker through the server's API, and starts the trackers. */
  static async start(server: DoomedServer, plan: FleetPlan): Promise<Fleet> {
    const call = await server.signIn();
    const firstFixMs = Math.floor((Date.now() - BEHIND_MS) / 1000) * 1000;
    const trackers: PersistentTracker[] = [];
    for (const protocol of ['teltonika', 'mqtt'] as const) {
      for (let i = 0; i < plan[protocol]; i++) {
        const imei = testImei(trackers.length);
        const { deviceKey } = (await call('POST', 'device', { imei, deviceName: `Unit ${imei}` })) as {
          deviceKey: string;
        };
        const port = server.ports[protocol];
        trackers.push(new PersistentTracker({ imei, deviceKey, protocol, port, firstFixMs, ...MESSAGES[protocol] }));
      }
    }
    return new Fleet(server, trackers);
  }

  get acknowledged(): number {
    return this.#trackers.reduce((sum, tracker) => sum + tracker.acknowledged, 0);
  }

  /** Resolves when every tracker has received another acknowledgement. */
  async progressOfAll(withinMs = 60_000): Promise<void> {
    const before = this.#trackers.map(tracker => tracker.acknowledged);
    for (const until = Date.now() + withinMs; Date.now() < until; await sleep(20)) {
      if (this.#trackers.every((tracker, index) => tracker.acknowledged > (before[index] ?? 0))) return;
    }
    throw new Error('Some trackers were not acknowledged anything for a minute');
  }

  async stop(): Promise<void> {
    for (const tracker of this.#trackers) tracker.stop();
    await this.#running;
  }

  /** Compares the positions acknowledged so far with those in the database. */
  async verify(): Promise<Verdict> {
    const acknowledged = this.#trackers.map(tracker => tracker.acknowledged);
    const client = new Client(this.#server.databaseUrl());
    await client.connect();
    try {
      const complaints: string[] = [];
      let stored = 0;
      for (const [index, tracker] of this.#trackers.entries()) {
        const { imei, firstFixMs } = tracker.plan;
        const { rows } = await client.query<{ n: number; odometer: number | null }>(
          `select (extract(epoch from fix_at) - $2)::int4 as n, round(odometer)::int4 as odometer
           from position join vehicle on vehicle.id = vehicle_id where imei = $1 order by fix_at`,
          [imei, firstFixMs / 1000],
        );
        stored += rows.length;
        const numbers = new Set(rows.map(row => row.n));
        const missing = Array.from({ length: acknowledged[index] ?? 0 }, (_, n) => n).filter(n => !numbers.has(n));
        const strange = rows.filter(({ n, odometer }) => n < 0 || n >= tracker.sent || odometer !== n);
        if (missing.length > 0)
          complaints.push(`${imei}: acknowledged and missing: ${missing.slice(0, 20).join(', ')}`);
        if (numbers.size !== rows.length)
          complaints.push(`${imei}: ${rows.length - numbers.size} positions are there twice`);
        if (strange.length > 0) complaints.push(`${imei}: ${strange.length} rows are not what was sent`);
      }
      complaints.push(...(await this.#verifyLive(acknowledged)));
      return { acknowledged: acknowledged.reduce((sum, count) => sum + count, 0), stored, complaints };
    } finally {
      await client.end();
    }
  }

  /** The live state must be at least as new as the last acknowledged position. */
  async #verifyLive(acknowledged: readonly number[]): Promise<string[]> {
    const call = await this.#server.signIn();
    const latest = (await call('GET', 'position/latest')) as { imei: string; reportDate: string; reportTime: string }[];
    const newest = new Map(
      latest.map(report => [report.imei, Date.parse(`${report.reportDate}T${report.reportTime}Z`)]),
    );
    return this.#trackers.flatMap(({ plan }, index) => {
      const count = acknowledged[index] ?? 0;
      const expected = plan.firstFixMs + (count - 1) * 1000;
      return count === 0 || (newest.get(plan.imei) ?? 0) >= expected
        ? []
        : [`${plan.imei}: its live position is too old`];
    });
  }
}

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../apps/simulator/src/drive/random.ts';
import { DoomedServer } from '../crash/doomed-server.ts';
import { dialTeltonika } from '../crash/persistent-tracker.ts';
import { addFleet, type MonthFleet, withDatabase } from './fleet.ts';
import { phonesOf } from './phones.ts';
import { reportsOf } from './reports.ts';
import { Tracker } from './senders.ts';
import type { Story } from './story.ts';

export interface Pace {
  /** Seconds of the story in a second. */
  readonly factor: number;
  /** A kill every so many seconds, on average. */
  readonly killEverySeconds: number;
}

export interface Lived {
  readonly fleet: MonthFleet;
  readonly beginMs: number;
  readonly endMs: number;
  readonly kills: number;
  readonly positions: number;
  /** What the server did not take, by driver. */
  readonly refused: readonly string[];
}

const CLOCK = join(import.meta.dirname, 'clock.ts');
const AT_ONCE = 24;
/** After the last report the vehicles stand, and everything becomes due. */
const AFTERWARD_MS = 30 * 60_000;

/** The time of the story, which stands still while the server is down. */
class Clock {
  #nowMs: number;
  #since: number | null = null;
  readonly #factor: number;

  constructor(nowMs: number, factor: number) {
    this.#nowMs = nowMs;
    this.#factor = factor;
  }

  now(): number {
    return this.#since === null ? this.#nowMs : this.#nowMs + (Date.now() - this.#since) * this.#factor;
  }

  /** From now on it passes; what a server must know of it. */
  go(): readonly [begin: number, real: number, factor: number] {
    this.#since ??= Date.now();
    return [this.#nowMs, this.#since, this.#factor];
  }

  stop(passedMs: number): void {
    this.#nowMs = Math.floor(this.now() + passedMs);
    this.#since = null;
  }
}

/** Lets a story happen: trackers and phones report it to a real server, which is killed again and again. */
export async function live(
  dataDir: string,
  seed: number,
  story: Story,
  { factor, killEverySeconds }: Pace,
  check: (server: DoomedServer, lived: Lived) => Promise<void>,
): Promise<Lived> {
  const random = randomFrom('live', seed);
  const server = await DoomedServer.in(dataDir, CLOCK);
  const beginMs = Math.floor(Date.now() / 60_000) * 60_000;
  const endMs = beginMs + story.seconds * 1000;
  const clock = new Clock(beginMs, factor);
  const start = async (): Promise<void> => {
    await server.start({ MONTH_CLOCK: String(clock.now()) });
    // Until it has heard, what trackers send would be from the future.
    await server.tell({ clock: clock.go() });
  };
  try {
    await start();
    const fleet = await withDatabase(server, db => addFleet(db, story));
    const trackers = fleet.vehicles.map(
      ({ imei }, nth) =>
        new Tracker(
          () => dialTeltonika(server.ports.teltonika, imei),
          reportsOf(nth, story.happenings, beginMs, story.seconds, randomFrom('reports', seed, nth)),
          randomFrom('tracker', seed, nth),
        ),
    );
    const phones = phonesOf(story, fleet, beginMs, seed);
    const send = sender(server);
    let kills = 0;
    let nextKill = Date.now() + killEverySeconds * 1000 * (0.5 + random());
    const isOver = (): boolean => trackers.every(one => one.isDone) && phones.every(one => one.isDone);
    while (!isOver()) {
      const nowMs = Math.floor(clock.now());
      const isLast = nowMs > endMs;
      const round = inTurn([
        ...trackers.map(one => () => one.send(nowMs, isLast)),
        ...phones.map(one => () => one.send(send, phones, nowMs, isLast)),
      ]);
      // At least once, however busy the machine is.
      if ((!isLast || kills === 0) && Date.now() > nextKill) {
        await sleep(random() * 300);
        kills++;
        if (random() < 0.25) server.killDatabase();
        else {
          await server.kill(random() < 0.5);
          clock.stop(random() * 3 * 3_600_000);
          await round;
          for (const tracker of trackers) tracker.hangUp();
          await start();
        }
        nextKill = Date.now() + killEverySeconds * 1000 * (0.5 + random());
      }
      await round;
      await sleep(50);
    }
    const untilMs = Math.max(endMs, clock.now()) + AFTERWARD_MS;
    while (clock.now() < untilMs) await sleep(50);
    await allRecorded(server, clock.now());
    const positions = trackers.reduce((sum, { sent }) => sum + sent, 0);
    const refused = phones.flatMap((phone, nth) => phone.refused.map(one => `${nth}: ${one}`));
    for (const tracker of trackers) tracker.hangUp();
    const lived = { fleet, beginMs, endMs, kills, positions, refused };
    await check(server, lived);
    return lived;
  } finally {
    await server.stop();
  }
}

/** A few at a time; what fails is tried again in the next round. */
async function inTurn(work: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...work];
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next().catch(() => {});
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const sender = (server: DoomedServer) => async (token: string, inputs: readonly object[]) => {
  const response = await fetch(`http://127.0.0.1:${server.ports.http}/api/v1/eld/duty`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ inputs }),
    // A batch of days takes its time on a busy machine; sent again meanwhile, it would take even longer.
    signal: AbortSignal.timeout(300_000),
  });
  if (!response.ok) throw new Error(`Duty answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { outcomes: { refusal: string | null }[] }).outcomes;
};

/** Resolves when no vehicle waits for its recorder. */
const allRecorded = (server: DoomedServer, nowMs: number): Promise<void> =>
  withDatabase(server, async ({ pool }) => {
    let waiting: readonly unknown[] = [];
    for (const until = Date.now() + 300_000; Date.now() < until; await sleep(500)) {
      // What a clock ahead reported has its mark in the future.
      const { rows } = await pool.query(
        `select vehicle_id, fix_through, next_at, late.*, newest.* from recorder_fold,
          lateral (select count(*)::int as late, min(from_at) as late_from from recorder_late
            where recorder_late.vehicle_id = recorder_fold.vehicle_id and from_at <= $1) late,
          lateral (select count(*)::int as beyond, max(fix_at) as newest_at from position
            where position.vehicle_id = recorder_fold.vehicle_id and fix_at > fix_through and doubts = 0) newest
          where late > 0 or beyond > 0`,
        [new Date(nowMs)],
      );
      if (rows.length === 0) return;
      waiting = rows;
    }
    throw new Error(
      `The recorder is not through after five minutes, at ${new Date(nowMs).toISOString()}: ${JSON.stringify(waiting)}`,
    );
  });

import { setTimeout as rest } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Databases } from '../../db/database.ts';
import type { Leader } from '../../db/leader.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { LiveStates } from '../../fleet/live.ts';
import { DAY_MS, drivenCells } from './driven.ts';
import { addRoads, dropRoadsBefore, firstDayKept, readFixes, readThrough } from './store.ts';

/** Older roads are dropped, however long positions are kept. */
export const ROADS_KEPT_DAYS = 90;

export interface RoadManagerParts {
  readonly db: Databases;
  /** Two that add to the same square at once would lose what one of them added. */
  readonly leader: Pick<Leader, 'leads'>;
  readonly log: Logger;
  readonly directory: Pick<Directory, 'ofAccount'>;
  readonly live: LiveStates;
}

const LOOK_EVERY_MS = 30_000;
const FIRST_PAUSE_MS = 4000;
/** How often a moving vehicle is processed; roads need not be live. */
const EACH_EVERY_MS = 10 * 60_000;
/** Each run repeats the last part of the previous one, so that roads have no gap between runs. */
const OVERLAP_MS = 15 * 60_000;
const FIXES_AT_ONCE = 1000;
/** The share of time that this work may take; the rest is for trackers waiting for acknowledgements. */
const SHARE = 1 / 8;

/**
 * Turns committed positions into road cells, in the background. The database holds all it needs to continue after a
 * crash.
 */
export class RoadManager {
  readonly #parts: RoadManagerParts;
  readonly #followedAt = new Map<number, number>();
  #timer: NodeJS.Timeout | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #droppedDay = 0;
  #isStopped = false;

  constructor(parts: RoadManagerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#again(FIRST_PAUSE_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#last;
  }

  #again(pauseMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#last = this.look().catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'Could not update driven roads; retrying'),
      );
      void this.#last.then(() => this.#again(LOOK_EVERY_MS));
    }, pauseMs);
    this.#timer.unref();
  }

  /** Processes every vehicle up to its newest fix. */
  async look(nowMs = Date.now()): Promise<void> {
    const { db, leader, live, directory } = this.#parts;
    if (!(await leader.leads())) return;
    await this.#dropOld(nowMs);
    const through = await readThrough(db.system);
    for (const accountId of live.accounts()) {
      for (const { id: vehicleId } of directory.ofAccount(accountId)) {
        if (this.#isStopped) return;
        const newestMs = live.of(vehicleId)?.motion.fixAt ?? null;
        const throughMs = through.get(vehicleId) ?? null;
        if (newestMs === null || (throughMs !== null && newestMs <= throughMs)) continue;
        // Late positions have moved the mark back, so process the vehicle now.
        const isUnderWay = throughMs !== null && newestMs - throughMs < EACH_EVERY_MS;
        if (isUnderWay && nowMs - (this.#followedAt.get(vehicleId) ?? 0) < EACH_EVERY_MS) continue;
        this.#followedAt.set(vehicleId, nowMs);
        await this.#follow({ accountId, vehicleId }, throughMs, Math.min(newestMs, nowMs));
      }
    }
  }

  async #follow(vehicle: { accountId: number; vehicleId: number }, fromMs: number | null, toMs: number): Promise<void> {
    const { db } = this.#parts;
    const oldestMs = toMs - ROADS_KEPT_DAYS * DAY_MS;
    let throughMs = fromMs;
    for (let isMore = true; isMore && !this.#isStopped && (await this.#parts.leader.leads()); ) {
      const began = performance.now();
      const startMs = Math.max(oldestMs, throughMs ?? oldestMs);
      const before = await readFixes(db.system, vehicle.vehicleId, startMs - OVERLAP_MS, startMs, FIXES_AT_ONCE);
      const fixes = await readFixes(db.system, vehicle.vehicleId, startMs, toMs, FIXES_AT_ONCE);
      isMore = fixes.length === FIXES_AT_ONCE;
      const afterMs = isMore ? (fixes.at(-1)?.fixMs ?? toMs) : toMs;
      await addRoads(db.system, vehicle, drivenCells([...before, ...fixes]), { beforeMs: throughMs, afterMs });
      throughMs = afterMs;
      await rest(Math.min((performance.now() - began) / SHARE, 10_000), undefined, { ref: false });
    }
  }

  async #dropOld(nowMs: number): Promise<void> {
    const today = Math.floor(nowMs / DAY_MS);
    if (this.#droppedDay === today) return;
    for (const accountId of this.#parts.live.accounts()) {
      await dropRoadsBefore(this.#parts.db.system, accountId, firstDayKept(ROADS_KEPT_DAYS, nowMs));
    }
    this.#droppedDay = today;
  }
}

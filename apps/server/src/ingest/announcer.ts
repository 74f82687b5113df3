import { type DeviceMessage, deviceTopic } from '@milepost/contract';
import type { Logger } from 'pino';
import type { Directory } from '../fleet/directory.ts';
import type { LiveStates } from '../fleet/live.ts';
import type { PrivateTime } from '../fleet/private-time.ts';
import { turn } from '../workers/turns.ts';
import type { Change } from './change.ts';
import type { LiveMessage, LiveMessages } from './live-messages.ts';
import { type ReportContext, toPositionReport } from './report.ts';

export interface AnnouncerParts {
  readonly log: Logger;
  readonly directory: Pick<Directory, 'findById'>;
  readonly live: Pick<LiveStates, 'accounts' | 'latest' | 'latestOf'>;
  readonly privateTime: Pick<PrivateTime, 'isUsed'>;
  readonly fanOut: LiveMessages;
  readonly reportContext: ReportContext;
}

/** More than any map shows or any tracker sends: the limit of what a flood of reports costs the subscribers. */
const MIN_INTERVAL_MS = 500;
const LOOK_EVERY_MS = 100;
/**
 * After publishing, changes are gathered for this long: every subscriber's connection costs a write each time, whatever
 * it carries. Nobody sees the difference.
 */
const GATHER_MS = 20;
/** How long publishing may use the thread at a time; acknowledgements wait no longer than this. */
const SLICE_MS = 4;
/** The clock is checked after this many. */
const CHANGES_BETWEEN_LOOKS = 16;

interface Announced {
  at: number;
  /** Changes that came too soon after it, merged into one. */
  waiting: Change | null;
}

/**
 * Tells the subscribers what commits change: the newest position of a vehicle, and its state where the motion changed.
 * Late positions are history and are not announced. A vehicle's first change is sent at once; while more come faster
 * than anyone can read, only the newest is sent (invariant I9). Nothing is built for vehicles that nobody watches.
 */
export class Announcer {
  readonly #parts: AnnouncerParts;
  readonly #announced = new Map<number, Announced>();
  /** Changes to publish now, by vehicle. */
  readonly #due = new Map<number, Change>();
  /** Vehicles that are in private time, as far as the subscribers know. */
  readonly #private = new Set<number>();
  #isPublishing = false;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #published: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
  }

  /** Resolves when everything that can be announced at once has been. */
  async announce(changes: readonly Change[]): Promise<void> {
    const now = performance.now();
    const due: Change[] = [];
    for (const change of changes) {
      if (!this.#parts.fanOut.isWatched(deviceTopic(change.vehicle.imei))) continue;
      const earlier = this.#announced.get(change.vehicle.id);
      if (earlier && now - earlier.at < MIN_INTERVAL_MS) {
        earlier.waiting = { ...change, before: earlier.waiting ? earlier.waiting.before : change.before };
      } else {
        this.#announced.set(change.vehicle.id, { at: now, waiting: null });
        due.push(earlier?.waiting ? { ...change, before: earlier.waiting.before } : change);
      }
    }
    this.#publish(due);
    if (this.#announced.size > 0) this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    await this.#published;
  }

  /** Tells the subscribers of vehicles whose private time has begun or ended since the last look. */
  announcePrivate(): void {
    const { directory, fanOut, live, privateTime } = this.#parts;
    const messages: LiveMessage[] = [];
    for (const accountId of live.accounts()) {
      if (!privateTime.isUsed(accountId)) continue;
      for (const latest of live.latest(accountId)) {
        const isPrivate = latest.live.private === true;
        if (isPrivate === this.#private.has(latest.vehicleId)) continue;
        if (isPrivate) this.#private.add(latest.vehicleId);
        else this.#private.delete(latest.vehicleId);
        const entry = directory.findById(latest.vehicleId);
        if (!entry || !fanOut.isWatched(deviceTopic(entry.imei))) continue;
        const message: DeviceMessage = { action: 'vehicleState', imei: entry.imei, live: latest.live };
        const payload = JSON.stringify(message);
        messages.push({ topic: deviceTopic(entry.imei), accountId, kind: message.action, payload });
      }
    }
    if (messages.length > 0) fanOut.publish(messages);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const now = performance.now();
    const due: Change[] = [];
    for (const [vehicleId, announced] of this.#announced) {
      if (now - announced.at < MIN_INTERVAL_MS) continue;
      if (announced.waiting) {
        due.push(announced.waiting);
        announced.waiting = null;
        announced.at = now;
      } else {
        this.#announced.delete(vehicleId);
      }
    }
    this.#publish(due);
    if (this.#announced.size === 0) this.stop();
  }

  #publish(changes: readonly Change[]): void {
    for (const change of changes) {
      const earlier = this.#due.get(change.vehicle.id);
      this.#due.set(change.vehicle.id, earlier ? { ...change, before: earlier.before } : change);
    }
    if (this.#due.size > 0 && !this.#isPublishing) this.#published = this.#publishDue();
  }

  /** A few milliseconds at a time; the first slice at once, unless the last publication was just now. */
  async #publishDue(): Promise<void> {
    this.#isPublishing = true;
    try {
      const early = this.#publishedAt + GATHER_MS - performance.now();
      if (early > 1) await new Promise(resolve => setTimeout(resolve, early));
      this.#publishSlice();
      while (this.#due.size > 0) {
        await turn();
        this.#publishSlice();
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'Publishing live positions failed');
    }
    this.#publishedAt = performance.now();
    this.#isPublishing = false;
  }

  #publishSlice(): void {
    const until = performance.now() + SLICE_MS;
    const messages: LiveMessage[] = [];
    let looked = 0;
    for (const [vehicleId, change] of this.#due) {
      if (++looked % CHANGES_BETWEEN_LOOKS === 0 && performance.now() > until) break;
      this.#due.delete(vehicleId);
      messages.push(...this.#messagesOf(change));
    }
    if (messages.length > 0) this.#parts.fanOut.publish(messages);
  }

  #messagesOf({ vehicle, before, after }: Change): LiveMessage[] {
    const { directory, reportContext } = this.#parts;
    const entry = directory.findById(vehicle.id);
    if (!entry || entry.imei !== vehicle.imei) return [];
    const messages: DeviceMessage[] = [];
    if (after.newest && after.newest !== before?.newest) {
      messages.push({ action: 'positionReport', ...toPositionReport(entry, after.newest, reportContext) });
    }
    if (isOtherMotion(before?.motion, after.motion)) {
      messages.push({ action: 'vehicleState', imei: entry.imei, live: this.#parts.live.latestOf(entry.id).live });
    }
    return messages.map(message => ({
      topic: deviceTopic(entry.imei),
      accountId: entry.accountId,
      kind: message.action,
      payload: JSON.stringify(message),
    }));
  }
}

type MotionState = Change['after']['motion'];

const isOtherMotion = (before: MotionState | undefined, after: MotionState): boolean =>
  before?.motion !== after.motion || before.since !== after.since || before.gpsValid !== after.gpsValid;

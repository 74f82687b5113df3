import type { MyDuty } from '@milepost/contract';
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import type { AppPin } from '../../../phone/device-key.ts';
import { type ClockAnchor, NOTICED_MS } from '../../../phone/duty-clock.ts';
import type { ChainEnd, EntryState, KeptEntry } from './entry.ts';
import { momentOf } from './moment-of.ts';

/** The log as last sent by the server; shown without a network. */
export interface KeptDuty {
  readonly owner: string;
  readonly duty: MyDuty;
  readonly clock: ClockAnchor;
}

/** A driver's salted PIN for leaving inspection mode, and the number of wrong tries since the last right one. */
export interface KeptPin {
  readonly owner: string;
  readonly salt: string;
  readonly hash: string;
  readonly wrong: number;
  readonly lastWrongMs: number;
}

/** This phone's enrollment for a driver: the key that signs, which can't be exported, and the PIN that opens the app. */
export interface KeptEnrollment {
  readonly owner: string;
  readonly phoneId: string;
  readonly name: string;
  readonly keys: CryptoKeyPair;
  /** Where the chain of signed entries begins. */
  readonly after: { readonly position: number; readonly hash: string };
  /** Whether the server knows the public key. */
  readonly isKnown: boolean;
  readonly pin: AppPin;
}

interface Tables extends DBSchema {
  enrollment: { key: string; value: KeptEnrollment };
  entry: { key: [string, number]; value: KeptEntry; indexes: { state: [string, EntryState] } };
  end: { key: string; value: ChainEnd };
  duty: { key: string; value: KeptDuty };
  pin: { key: string; value: KeptPin };
}

type SettleTables = ('entry' | 'duty' | 'end')[];
type EntryTable = IDBPObjectStore<Tables, SettleTables, 'entry', 'readwrite'>;
type EndTable = IDBPObjectStore<Tables, SettleTables, 'end', 'readwrite'>;

/** The server's decision about an entry. */
export interface Settled {
  readonly id: string;
  readonly refusal: string | null;
  readonly reason: string | null;
}

/** Number of settled entries that are kept, so that the hash chain of the last days can be checked. */
const KEPT_SETTLED = 400;
/** Fields that an earlier version of the app didn't store. The phone may have had no network since then. */
const ADDED_SINCE = { coDrivers: [], askedCoDriver: null, teamRequests: [], handedOver: [] } as const satisfies Partial<
  Record<keyof MyDuty, unknown>
>;
/** Waits until data is on the disk, so that a phone that dies right afterward still has it. */
const STRICT = { durability: 'strict' } as const;

/**
 * A driver's storage on the phone. Every change is one transaction, so a page that is killed has made it completely or
 * not at all.
 */
export class DutyStore {
  readonly #database: IDBPDatabase<Tables>;

  private constructor(database: IDBPDatabase<Tables>) {
    this.#database = database;
  }

  static async open(name = 'milepost-duty'): Promise<DutyStore> {
    const database = await openDB<Tables>(name, 2, {
      upgrade(tables, before) {
        tables.createObjectStore('enrollment', { keyPath: 'owner' });
        if (before >= 1) return;
        tables.createObjectStore('entry', { keyPath: ['owner', 'position'] }).createIndex('state', ['owner', 'state']);
        tables.createObjectStore('end', { keyPath: 'owner' });
        tables.createObjectStore('duty', { keyPath: 'owner' });
        tables.createObjectStore('pin', { keyPath: 'owner' });
      },
      // Another tab with a newer version of the app needs the tables. From now on, entries in this tab go straight to
      // the server.
      blocking: (_, __, event) => (event.target as IDBDatabase).close(),
    });
    return new DutyStore(database);
  }

  close(): void {
    this.#database.close();
  }

  /** Stores what a driver did, as `next` makes it from the entry before. Once this resolves, it is on the disk. */
  async append(owner: string, next: (last: ChainEnd | null, phoneId?: string) => KeptEntry): Promise<KeptEntry> {
    const work = this.#database.transaction(['entry', 'end', 'enrollment'], 'readwrite', STRICT);
    const ends = work.objectStore('end');
    const enrollment = await work.objectStore('enrollment').get(owner);
    const entry = next((await ends.get(owner)) ?? null, enrollment?.phoneId);
    const { position, hash, at } = entry;
    await Promise.all([
      work.objectStore('entry').add(entry),
      ends.put({ owner, position, hash, atMs: Date.parse(at) }),
      work.done,
    ]);
    return entry;
  }

  enrollment(owner: string): Promise<KeptEnrollment | undefined> {
    return this.#database.get('enrollment', owner);
  }

  /** The next entry is the first that this phone signs; `start` is the hash before the very first one. */
  async enroll(enrollment: Omit<KeptEnrollment, 'after'>, start: string): Promise<void> {
    const work = this.#database.transaction(['end', 'enrollment'], 'readwrite', STRICT);
    const end = await work.objectStore('end').get(enrollment.owner);
    const after = { position: end?.position ?? -1, hash: end?.hash ?? start };
    await Promise.all([work.objectStore('enrollment').put({ ...enrollment, after }), work.done]);
  }

  async keepEnrollment(enrollment: KeptEnrollment): Promise<void> {
    await this.#database.put('enrollment', enrollment);
  }

  async endEnrollment(owner: string): Promise<void> {
    await this.#database.delete('enrollment', owner);
  }

  /** Signs what was written down and not yet signed: also what an earlier page was killed over. */
  async signWaiting(owner: string, sign: (key: CryptoKey, hash: string) => Promise<string>): Promise<void> {
    const enrollment = await this.enrollment(owner);
    if (!enrollment) return;
    for (const entry of await this.entries(owner, 'waiting')) {
      if (entry.phoneId !== enrollment.phoneId || entry.signature !== undefined) continue;
      const signature = await sign(enrollment.keys.privateKey, entry.hash);
      const work = this.#database.transaction('entry', 'readwrite', STRICT);
      const now = await work.store.get([owner, entry.position]);
      if (now) await work.store.put({ ...now, signature });
      await work.done;
    }
  }

  /** In the order in which the driver made them. */
  async entries(owner: string, state: EntryState): Promise<KeptEntry[]> {
    const found = await this.#database.getAllFromIndex('entry', 'state', [owner, state]);
    return found.toSorted((a, b) => a.position - b.position);
  }

  /** All stored entries, settled or not. */
  all(owner: string): Promise<KeptEntry[]> {
    return this.#database.getAll('entry', IDBKeyRange.bound([owner, 0], [owner, Number.MAX_SAFE_INTEGER]));
  }

  async duty(owner: string): Promise<KeptDuty | undefined> {
    const kept = await this.#database.get('duty', owner);
    return kept && { ...kept, duty: { ...ADDED_SINCE, ...kept.duty } };
  }

  /** Stores the log that the server sent. */
  async keepDuty(kept: KeptDuty): Promise<void> {
    await this.settle(kept.owner, [], kept);
  }

  /** Marks an entry as refused that the server can't read and so will never take. */
  async refuse(owner: string, refused: Settled): Promise<void> {
    await this.settle(owner, [refused], null);
  }

  /**
   * Stores the server's decisions about these entries, together with the log that includes them, so that nothing shows
   * twice. A log older than the stored one is ignored, because answers may arrive out of order.
   */
  async settle(owner: string, settled: readonly Settled[], kept: KeptDuty | null): Promise<void> {
    const work = this.#database.transaction(['entry', 'duty', 'end'], 'readwrite', STRICT);
    const [entries, duties] = [work.objectStore('entry'), work.objectStore('duty')];
    const before = await duties.get(owner);
    const isNewest = kept !== null && (!before || Date.parse(before.duty.now) <= Date.parse(kept.duty.now));
    if (isNewest) await duties.put(kept);
    if (isNewest) await this.#setBack(owner, entries, work.objectStore('end'), kept.duty.now);
    const outcomes = new Map(settled.map(one => [one.id, one]));
    const waiting = outcomes.size === 0 ? [] : await entries.index('state').getAll([owner, 'waiting']);
    for (const entry of waiting) {
      const outcome = outcomes.get(entry.id);
      if (!outcome) continue;
      const { refusal, reason } = outcome;
      await entries.put({ ...entry, state: refusal === null ? 'taken' : 'refused', refusal, reason });
    }
    if (isNewest) await this.#answerAnew(owner, entries, kept.duty.answers ?? []);
    if (outcomes.size > 0) await this.#forgetOld(owner, entries);
    await work.done;
  }

  /**
   * The phone's clock was ahead when the newest entries were made, as the server's time shows: they were made before it,
   * and the next entry need not be later than they say. Smaller differences are the network's delay.
   */
  async #setBack(owner: string, entries: EntryTable, ends: EndTable, serverNow: string): Promise<void> {
    const nowMs = Date.parse(serverNow);
    const end = await ends.get(owner);
    if (!end || end.atMs <= nowMs + NOTICED_MS) return;
    await ends.put({ ...end, atMs: nowMs });
    for (const entry of await entries.index('state').getAll([owner, 'waiting'])) {
      if (Date.parse(momentOf(entry)) > nowMs) await entries.put({ ...entry, notAfter: serverNow });
    }
  }

  /** What a tracker reported later has changed what counts: a refusal goes, or the driver reads that there is one. */
  async #answerAnew(owner: string, entries: EntryTable, answers: readonly Settled[]): Promise<void> {
    if (answers.length === 0) return;
    const answerOf = new Map(answers.map(one => [one.id, one]));
    for (const state of ['taken', 'refused'] as const) {
      for (const entry of await entries.index('state').getAll([owner, state])) {
        const answer = answerOf.get(entry.id);
        if (!answer || (answer.refusal === null) === (state === 'taken')) continue;
        const { reason, refusal } = answer;
        await entries.put({ ...entry, state: refusal === null ? 'taken' : 'refused', refusal, reason });
        answerOf.delete(entry.id);
      }
    }
  }

  /** Deletes the oldest settled and seen entries; the rest stays a chain without gaps. */
  async #forgetOld(owner: string, entries: EntryTable): Promise<void> {
    const range = IDBKeyRange.bound([owner, 0], [owner, Number.MAX_SAFE_INTEGER]);
    let tooMany = (await entries.count(range)) - KEPT_SETTLED;
    for (let cursor = await entries.openCursor(range); cursor && tooMany > 0; cursor = await cursor.continue()) {
      if (cursor.value.state === 'waiting' || cursor.value.state === 'refused') return;
      await cursor.delete();
      tooMany--;
    }
  }

  /** The driver has read why an entry was refused. */
  async markSeen(owner: string, position: number): Promise<void> {
    const work = this.#database.transaction('entry', 'readwrite', STRICT);
    const entry = await work.store.get([owner, position]);
    if (entry?.state === 'refused') await work.store.put({ ...entry, state: 'seen' });
    await work.done;
  }

  /** Deletes the log at sign-out, so that the next driver can't see it. Waiting entries stay until they are sent. */
  async forgetDuty(owner: string): Promise<void> {
    await this.#database.delete('duty', owner);
  }

  pin(owner: string): Promise<KeptPin | undefined> {
    return this.#database.get('pin', owner);
  }

  async keepPin(pin: KeptPin): Promise<void> {
    await this.#database.put('pin', pin);
  }
}

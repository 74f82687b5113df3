import type { Task } from '@milepost/contract';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type OfficeChange, officeChanges } from '../tasks/office-changes.ts';
import type { Sendable } from './sendable.ts';

/** Something that a driver did or photographed, until the server has answered about it. */
export interface OutboxItem {
  /** In the order in which they were made. */
  readonly nth: number;
  /** The user who made it; nobody else's session ever sends it. */
  readonly owner: string;
  readonly what: Sendable;
  /** A refused one stays until the driver has read why. */
  readonly state: 'waiting' | 'refused';
  /** Of a refused one: the problem's code, and its sentence. */
  readonly refusal: string | null;
  readonly reason: string | null;
}
type Unnumbered = Omit<OutboxItem, 'nth'>;

/** The server's last list of a driver's tasks. */
interface KeptTasks {
  readonly owner: string;
  readonly tasks: readonly Task[];
  readonly atMs: number;
}

export type KeptChange = OfficeChange & { readonly owner: string };

interface Tables extends DBSchema {
  item: { key: number; value: Unnumbered & { nth?: number }; indexes: { owner: string } };
  tasks: { key: string; value: KeptTasks };
  change: { key: [string, string]; value: KeptChange };
}

/** Written to the disk before it counts: a phone that dies a moment later has kept it. */
const STRICT = { durability: 'strict' } as const;
const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner, ''], [owner, '\uffff']);

/** What a driver's phone keeps of tasks and photos. Every change is one transaction: all of it or nothing. */
export class Outbox {
  readonly #database: IDBPDatabase<Tables>;

  private constructor(database: IDBPDatabase<Tables>) {
    this.#database = database;
  }

  static async open(name = 'milepost-outbox'): Promise<Outbox> {
    const database = await openDB<Tables>(name, 1, {
      upgrade(tables) {
        tables.createObjectStore('item', { keyPath: 'nth', autoIncrement: true }).createIndex('owner', 'owner');
        tables.createObjectStore('tasks', { keyPath: 'owner' });
        tables.createObjectStore('change', { keyPath: ['owner', 'id'] });
      },
      blocking: (_, __, event) => (event.target as IDBDatabase).close(),
    });
    return new Outbox(database);
  }

  close(): void {
    this.#database.close();
  }

  /** All of them or none. Once this resolves they are on the disk. */
  async add(owner: string, sendables: readonly Sendable[]): Promise<void> {
    const work = this.#database.transaction('item', 'readwrite', STRICT);
    for (const what of sendables) {
      await work.store.add({ owner, what, state: 'waiting', refusal: null, reason: null });
    }
    await work.done;
  }

  /** In the order in which they were made. */
  async items(owner: string, state: OutboxItem['state']): Promise<OutboxItem[]> {
    const found = (await this.#database.getAllFromIndex('item', 'owner', owner)) as OutboxItem[];
    return found.filter(item => item.state === state).toSorted((a, b) => a.nth - b.nth);
  }

  /** The server has it, or the driver has read why it was refused. */
  async remove(nth: number): Promise<void> {
    await this.#database.delete('item', nth);
  }

  async refuse(item: OutboxItem, refusal: string, reason: string): Promise<void> {
    await this.#database.put('item', { ...item, state: 'refused', refusal, reason });
  }

  async tasks(owner: string): Promise<readonly Task[] | null> {
    return (await this.#database.get('tasks', owner))?.tasks ?? null;
  }

  /** The server's list, and with it what the office changed since the last one. */
  async keepTasks(owner: string, tasks: readonly Task[], atMs: number): Promise<void> {
    const work = this.#database.transaction(['tasks', 'change'], 'readwrite', STRICT);
    const before = await work.objectStore('tasks').get(owner);
    for (const change of officeChanges(before?.tasks ?? [], tasks, atMs)) {
      await work.objectStore('change').put({ ...change, owner });
    }
    await work.objectStore('tasks').put({ owner, tasks: [...tasks], atMs });
    await work.done;
  }

  /** What the office changed, and the driver has not read yet; the oldest first. */
  async changes(owner: string): Promise<KeptChange[]> {
    const found = await this.#database.getAll('change', ofOwner(owner));
    return found.toSorted((a, b) => a.atMs - b.atMs);
  }

  async forgetChanges(owner: string): Promise<void> {
    await this.#database.delete('change', ofOwner(owner));
  }

  /** After signing out: a driver's tasks are not for the next one. What waits stays until it is sent. */
  async forgetTasks(owner: string): Promise<void> {
    const work = this.#database.transaction(['tasks', 'change'], 'readwrite', STRICT);
    await Promise.all([
      work.objectStore('tasks').delete(owner),
      work.objectStore('change').delete(ofOwner(owner)),
      work.done,
    ]);
  }
}

import type { Task } from '@milepost/contract';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type OfficeChange, officeChanges } from '../tasks/office-changes.ts';
import type { Sendable } from './sendable.ts';

/** Something that a driver did or photographed, stored until the server has answered. */
export interface OutboxItem {
  /** In the order in which the driver made them. */
  readonly nth: number;
  /** The user who made it. Only their own session ever sends it. */
  readonly owner: string;
  readonly what: Sendable;
  /** A refused item stays until the driver has read why. */
  readonly state: 'waiting' | 'refused';
  /** For a refused item: the problem's code and message. */
  readonly refusal: string | null;
  readonly reason: string | null;
}
type Unnumbered = Omit<OutboxItem, 'nth'>;

/** A driver's tasks as last sent by the server. */
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

/** Waits until data is on the disk, so that a phone that dies right afterward still has it. */
const STRICT = { durability: 'strict' } as const;
const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner, ''], [owner, '\uffff']);

/**
 * A driver's tasks and photos on the phone. Every change is one transaction, so it is made completely or not at all.
 */
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

  /** Stores all of them or none. Once this resolves, they are on the disk. */
  async add(owner: string, sendables: readonly Sendable[]): Promise<void> {
    const work = this.#database.transaction('item', 'readwrite', STRICT);
    for (const what of sendables) {
      await work.store.add({ owner, what, state: 'waiting', refusal: null, reason: null });
    }
    await work.done;
  }

  /** In the order in which the driver made them. */
  async items(owner: string, state: OutboxItem['state']): Promise<OutboxItem[]> {
    const found = (await this.#database.getAllFromIndex('item', 'owner', owner)) as OutboxItem[];
    return found.filter(item => item.state === state).toSorted((a, b) => a.nth - b.nth);
  }

  /** Call when the server has the item, or when the driver has read why it was refused. */
  async remove(nth: number): Promise<void> {
    await this.#database.delete('item', nth);
  }

  async refuse(item: OutboxItem, refusal: string, reason: string): Promise<void> {
    await this.#database.put('item', { ...item, state: 'refused', refusal, reason });
  }

  async tasks(owner: string): Promise<readonly Task[] | null> {
    return (await this.#database.get('tasks', owner))?.tasks ?? null;
  }

  /** Stores the server's list, together with what the office has changed since the last one. */
  async keepTasks(owner: string, tasks: readonly Task[], atMs: number): Promise<void> {
    const work = this.#database.transaction(['tasks', 'change'], 'readwrite', STRICT);
    const before = await work.objectStore('tasks').get(owner);
    for (const change of officeChanges(before?.tasks ?? [], tasks, atMs)) {
      await work.objectStore('change').put({ ...change, owner });
    }
    await work.objectStore('tasks').put({ owner, tasks: [...tasks], atMs });
    await work.done;
  }

  /** Changes by the office that the driver has not read yet, oldest first. */
  async changes(owner: string): Promise<KeptChange[]> {
    const found = await this.#database.getAll('change', ofOwner(owner));
    return found.toSorted((a, b) => a.atMs - b.atMs);
  }

  async forgetChanges(owner: string): Promise<void> {
    await this.#database.delete('change', ofOwner(owner));
  }

  /** Deletes the tasks at sign-out, so that the next driver can't see them. Waiting items stay until they are sent. */
  async forgetTasks(owner: string): Promise<void> {
    const work = this.#database.transaction(['tasks', 'change'], 'readwrite', STRICT);
    await Promise.all([
      work.objectStore('tasks').delete(owner),
      work.objectStore('change').delete(ofOwner(owner)),
      work.done,
    ]);
  }
}

import { CHANGE_HEADER, type Change, type Changes } from '@milepost/contract';
import type { Socket } from 'socket.io-client';
import type { Person } from './people.ts';
import { joined } from './sockets.ts';

interface Entry {
  readonly id: string;
}
const LISTS = { folder: 'folder', department: 'department', driver: 'driver', view: 'view?page=fleet' } as const;
type ListName = keyof typeof LISTS;

/** The data that a page has of an account. */
export interface Known {
  readonly vehicles: readonly Entry[];
  readonly lists: Readonly<Record<ListName, unknown>>;
}

/**
 * Keeps its data up to date as the web app does: reads everything once, then follows changes by number and rereads
 * what they name, and after a disconnect asks for the changes it missed.
 */
export class FollowingBrowser {
  readonly #url: string;
  readonly #person: Person;
  #socket: Socket | null = null;
  #number: number | null = null;
  #isTold = false;
  #vehicles = new Map<string, Entry>();
  #lists: Record<ListName, unknown> = { folder: [], department: [], driver: [], view: [] };
  #work: Promise<void> = Promise.resolve();
  /** IDs of vehicles that it was notified of. */
  readonly toldVehicles = new Set<string>();

  constructor(url: string, person: Person) {
    this.#url = url;
    this.#person = person;
  }

  get known(): Known {
    return { vehicles: byId([...this.#vehicles.values()]), lists: this.#lists };
  }

  /** The data that a page loaded now would have. */
  async fresh(): Promise<Known> {
    const other = new FollowingBrowser(this.#url, this.#person);
    await other.readEverything();
    return other.known;
  }

  async readEverything(): Promise<void> {
    const vehicles = (await this.#read('device')) as readonly Entry[];
    this.#vehicles = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
    for (const name of Object.keys(LISTS) as ListName[]) await this.#readList(name);
  }

  async join(): Promise<void> {
    const socket = await joined(this.#url, '/eld', this.#person.token);
    this.#socket = socket;
    socket.on('changes', (told: Changes) => {
      this.#apply(told);
      if (this.#isTold) this.#number = told.number;
    });
    // A change of rights closes the connection; the client then reconnects.
    socket.once('disconnect', reason => {
      if (reason === 'io server disconnect') void this.join();
    });
    this.#isTold = false;
    const missed = (await socket.emitWithAck('follow_changes', { since: this.#number })) as Changes;
    if (this.#socket !== socket) return;
    this.#number = Math.max(missed.number, this.#number ?? 0);
    this.#isTold = true;
    this.#apply(missed);
  }

  get isCut(): boolean {
    return this.#socket === null;
  }

  cut(): void {
    this.#socket?.disconnect();
    this.#socket = null;
  }

  /** Resolves when everything announced until now has been reread. */
  settled(): Promise<void> {
    return this.#work;
  }

  #apply({ changes }: Changes): void {
    this.#work = this.#work.then(async () => {
      if (changes === 'everything') return this.readEverything();
      const of = (...kinds: readonly Change['kind'][]) => changes.filter(({ kind }) => kinds.includes(kind));
      for (const { id } of of('vehicle')) await this.#readVehicle(id);
      if (of('folder', 'vehicle').length > 0) await this.#readList('folder');
      if (of('department', 'driver').length > 0) await this.#readList('department');
      if (of('driver', 'vehicle').length > 0) await this.#readList('driver');
      if (of('view').length > 0) await this.#readList('view');
      // A vehicle's entry contains its driver.
      for (const { id } of of('driver')) {
        const driven = [...this.#vehicles.values()].filter(vehicle => JSON.stringify(vehicle).includes(`"${id}"`));
        for (const vehicle of driven) await this.#readVehicle(vehicle.id);
      }
    });
  }

  async #readVehicle(id: string | null): Promise<void> {
    if (id === null) throw new Error('A vehicle is told with its id, or not at all');
    this.toldVehicles.add(id);
    const { status, body } = await this.#person.call('GET', `device/${id}`);
    if (status === 200) this.#vehicles.set(id, body as Entry);
    else this.#vehicles.delete(id);
  }

  async #readList(name: ListName): Promise<void> {
    this.#lists = { ...this.#lists, [name]: byId((await this.#read(LISTS[name])) as readonly Entry[]) };
  }

  async #read(path: string): Promise<unknown> {
    const { body, headers, status } = await this.#person.call('GET', path);
    const number = Number(headers.get(CHANGE_HEADER));
    if (!this.#isTold && this.#socket === null) this.#number = Math.min(this.#number ?? number, number);
    return status === 200 ? body : [];
  }
}

const byId = <T extends Entry>(list: readonly T[]): readonly T[] =>
  list.toSorted((a, b) => String(a.id).localeCompare(String(b.id)));

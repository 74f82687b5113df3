import { sql } from 'kysely';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import { insertRow } from './insert-rows.ts';

/** Tables whose rows have numbers that other rows, saved addresses and logs name. */
export type NumberedTable =
  | 'folder'
  | 'department'
  | 'driver'
  | 'vehicle'
  | 'geofence_group'
  | 'geofence'
  | 'rule'
  | 'custom_role'
  | 'saved_view'
  | 'task'
  | 'webhook'
  | 'share_link';

/** Two of one account can't have the same name: the imported one gets a number after it. */
const NAMED_ONCE: ReadonlySet<NumberedTable> = new Set([
  'geofence_group',
  'geofence',
  'rule',
  'custom_role',
  'saved_view',
  'webhook',
]);
/** And no two links on a server can have the same address. */
const ONCE: ReadonlySet<NumberedTable> = new Set([...NAMED_ONCE, 'share_link']);
const NAMES_TRIED = 20;
/** Shortened so that the number fits into what the shortest of these names may have. */
const NAME_LENGTH = 35;

/** One file can't use up the numbers of a server. */
const REACH = 100_000;

/** Old ids to new ones. What refers to something that is not in the file refers to nothing. */
class Ids {
  readonly #ids = new Map<number, number>();
  /** All are what they were. */
  get areSame(): boolean {
    return [...this.#ids].every(([old, made]) => old === made);
  }
  set(old: number, made: number): void {
    this.#ids.set(old, made);
  }
  get(old: number | null): number | null {
    return old === null ? null : (this.#ids.get(old) ?? null);
  }
}

/**
 * Adds imported rows under the ids that they had, where these are free on this server, and under new ones otherwise. On an
 * empty server all ids stay, so that links, saved views and the records of the logbook still name the same things.
 */
export class KeptIds {
  readonly #trx: AccountTransaction;
  readonly #system: Databases['system'];
  readonly #of = new Map<NumberedTable, Ids>();
  readonly #former = { driver: new Ids(), vehicle: new Ids() };
  /** The last number that the server gave a row of each table, before this import and now. */
  readonly #last = new Map<NumberedTable, { readonly first: number; readonly last: number }>();

  constructor(trx: AccountTransaction, { system }: Pick<Databases, 'system'>) {
    this.#trx = trx;
    this.#system = system;
  }

  of(table: NumberedTable): Ids {
    const known = this.#of.get(table) ?? new Ids();
    this.#of.set(table, known);
    return known;
  }

  async add(table: NumberedTable, old: number, row: object): Promise<number> {
    const id = await this.addIfFree(table, old, row);
    if (id === null) throw new Error(`No number or name is free for a row of ${table}`);
    return id;
  }

  /** Null if another row on this server has a value that must be unique. */
  async addIfFree(table: NumberedTable, old: number, row: object): Promise<number | null> {
    const mayKeep = await this.keep(table, old);
    for (const named of namings(table, row)) {
      const kept = mayKeep ? await this.#insert(table, { id: old, ...named }) : null;
      const id = kept ?? (await this.#insert(table, named));
      if (id === null) continue;
      this.of(table).set(old, id);
      return id;
    }
    return null;
  }

  /** The name of a deleted driver or vehicle, under the id that it had, or a new one if that is another's here. */
  async addFormer(table: 'driver' | 'vehicle', old: number, row: object): Promise<boolean> {
    const isFree = await this.isFreeOrKept(table, old);
    const { rows } = isFree
      ? { rows: [{ id: old }] }
      : await sql<{ id: number }>`
          select nextval(pg_get_serial_sequence(${table}, 'id'))::int4 as id`.execute(this.#system);
    const id = rows[0]?.id ?? old;
    this.#former[table].set(old, id);
    return (await insertRow(this.#trx, `former_${table}`, { ...row, id })) !== null;
  }

  /** The new id of a driver or vehicle, deleted or not. */
  named(table: 'driver' | 'vehicle', old: number | null): number | null {
    return this.of(table).get(old) ?? this.#former[table].get(old);
  }

  areKept(table: NumberedTable): boolean {
    return this.of(table).areSame;
  }

  /** Whether an id is that of an imported row, or nobody's and stays so. */
  async isFreeOrKept(table: 'driver' | 'vehicle', id: number): Promise<boolean> {
    if (this.of(table).get(id) === id) return true;
    const other = await this.#system.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    return !other && (await this.keep(table, id));
  }

  /** Whether a row may have this id: the server will not give it to another from now on. */
  async keep(table: NumberedTable, id: number): Promise<boolean> {
    const { first, last } = this.#last.get(table) ?? (await this.#lastOf(table));
    if (id > first + REACH) return false;
    if (id > last) {
      const numbers = sql`pg_get_serial_sequence(${table}, 'id')::regclass`;
      // New rows may have gone further meanwhile.
      await sql`select setval(${numbers}, greatest(${id}, coalesce(pg_sequence_last_value(${numbers}), 1)))`.execute(
        this.#system,
      );
    }
    this.#last.set(table, { first, last: Math.max(id, last) });
    return true;
  }

  async #lastOf(table: NumberedTable): Promise<{ readonly first: number; readonly last: number }> {
    const { rows } = await sql<{ last: string | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`.execute(this.#system);
    const last = Number(rows[0]?.last ?? 0);
    return { first: last, last };
  }

  /** Null if the id is another row's, or the name where it must be the only one. */
  async #insert(table: NumberedTable, row: object): Promise<number | null> {
    const made = await insertRow(this.#trx, table, row, ONCE.has(table) ? 'anything' : 'id');
    return made && Number(made.id);
  }
}

/** The row, and where its name must be the only one, the same with other names. */
function namings(table: NumberedTable, row: object): readonly object[] {
  if (!NAMED_ONCE.has(table) || !('name' in row)) return [row];
  const name = String(row.name).slice(0, NAME_LENGTH);
  return [row, ...Array.from({ length: NAMES_TRIED }, (_, n) => ({ ...row, name: `${name} (${n + 2})` }))];
}

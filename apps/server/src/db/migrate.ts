import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import { StartupError } from '../lifecycle/startup-error.ts';
import { isAdditive } from './additive.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');
/** An arbitrary number. */
const LOCK = 0x6d_69_6c_65;

const INSUFFICIENT_PRIVILEGE = '42501';

const namesOfFiles = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter(name => /^\d{4}_.*\.sql$/.test(name)).sort();

const sqlOf = (name: string): Promise<string> => readFile(join(MIGRATIONS, name), 'utf8');

export interface Migrations {
  readonly applied: readonly string[];
  /** Would run at a start of this version. */
  readonly missing: readonly string[];
  /** Of a newer version. */
  readonly newer: readonly string[];
  /** Of those that are missing or newer: the version before them can't work on the data after them. */
  readonly notAdditive: readonly string[];
  /** The version that was last started here starts again after those that are missing. */
  readonly canGoBack: boolean;
}

/** What a database has, compared with this version. If a server is migrating it, waits until that is done. */
export async function readMigrations(pool: Pool): Promise<Migrations> {
  const names = await namesOfFiles();
  const rows = await inTurn(pool, async client => {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
    return rows[0]?.there ? (await client.query<Applied>(`${APPLIED} order by name`)).rows : [];
  });
  const applied = rows.map(({ name }) => name);
  const missing = names.filter(name => !applied.includes(name));
  const newer = rows.filter(({ name }) => !names.includes(name));
  const additive = await Promise.all(missing.map(async name => isAdditive(await sqlOf(name))));
  return {
    applied,
    missing,
    newer: newer.map(({ name }) => name),
    notAdditive: [
      ...missing.filter((_, index) => !additive[index]),
      ...newer.filter(migration => !migration.additive).map(({ name }) => name),
    ],
    canGoBack: additive.every(Boolean) && rows.some(({ isMarked }) => isMarked),
  };
}

interface Applied {
  readonly name: string;
  readonly additive: boolean;
  /** Versions that don't mark what is additive don't start after it either. */
  readonly isMarked: boolean;
}

const APPLIED = `
  select name, coalesce((to_jsonb(migration) ->> 'additive')::boolean, false) as additive,
    to_jsonb(migration) ? 'additive' as "isMarked"
  from migration`;

/**
 * Applies missing migrations from `migrations/NNNN_name.sql` in order, each in a transaction. Returns the names
 * applied. A database of a newer version is accepted if that version only added to it: so the old version can run
 * beside the new one during an upgrade, and again after it.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const names = await namesOfFiles();
  return inTurn(pool, async client => {
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<Applied>(APPLIED);
    const done = new Set(rows.map(row => row.name));
    const newer = rows.find(({ name, additive }) => !additive && !names.includes(name));
    if (newer) {
      throw new StartupError(
        `The database was changed by a newer Milepost (${newer.name}). Start that version, or restore a backup.`,
      );
    }
    await client.query('alter table migration add column if not exists additive boolean not null default false');
    const applied: string[] = [];
    for (const name of names.filter(name => !done.has(name))) {
      await client.query('begin');
      try {
        const sql = await sqlOf(name);
        await client.query(sql);
        await client.query('insert into migration (name, additive) values ($1, $2)', [name, isAdditive(sql)]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE
          ? new StartupError(
              `The database user may not prepare the database (${(error as Error).message}). Let it own the database and let it make roles (CREATEROLE), or make the role milepost_account and grant it to that user beforehand.`,
            )
          : error;
      }
      applied.push(name);
    }
    return applied;
  });
}

/** Keeps two starting servers from migrating, or looking at migrations, at the same time. */
async function inTurn<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    return await work(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

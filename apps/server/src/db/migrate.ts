import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { StartupError } from '../lifecycle/startup-error.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');
/** An arbitrary number that keeps two starting servers from migrating at the same time. */
const LOCK = 0x6d_69_6c_65;

const INSUFFICIENT_PRIVILEGE = '42501';

const namesOfFiles = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter(name => /^\d{4}_.*\.sql$/.test(name)).sort();

/** Which migrations a database has, which would run at a start of this version, and which it does not know. */
export async function readMigrations(pool: Pool): Promise<Record<'applied' | 'missing' | 'newer', string[]>> {
  const names = await namesOfFiles();
  const { rows: found } = await pool.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  const { rows } = found[0]?.there
    ? await pool.query<{ name: string }>('select name from migration order by name')
    : { rows: [] };
  const applied = rows.map(({ name }) => name);
  return {
    applied,
    missing: names.filter(name => !applied.includes(name)),
    newer: applied.filter(name => !names.includes(name)),
  };
}

/**
 * Applies missing migrations from `migrations/NNNN_name.sql` in order, each in a transaction. Returns the names
 * applied.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const names = await namesOfFiles();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migration');
    const done = new Set(rows.map(row => row.name));
    const newer = [...done].find(name => !names.includes(name));
    if (newer) {
      throw new StartupError(
        `The database was changed by a newer Milepost (${newer}). Start that version, or restore a backup.`,
      );
    }
    const applied: string[] = [];
    for (const name of names.filter(name => !done.has(name))) {
      await client.query('begin');
      try {
        await client.query(await readFile(join(MIGRATIONS, name), 'utf8'));
        await client.query('insert into migration (name) values ($1)', [name]);
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
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

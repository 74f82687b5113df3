import { createHmac } from 'node:crypto';
import { Client } from 'pg';
import type { DatabaseConnection } from '../../config/config.ts';

/**
 * The server's login role. It owns the database and its tables (so row-level security does not apply to it, and it
 * can create partitions) and nothing else. SQL run as this role can't read files, start programs or create roles.
 */
export const SERVER_ROLE = 'milepost_server';

/** Derived from the cluster's password, so that there is only one secret to store. */
export const serverPassword = (password: string): string =>
  createHmac('sha256', password).update(SERVER_ROLE).digest('base64url');

/** The role that copies the database's files: it may tell the database to prepare for that, and read no table. */
export const BACKUP_ROLE = 'milepost_backup';
export const backupPassword = (password: string): string =>
  createHmac('sha256', password).update(BACKUP_ROLE).digest('base64url');

const BACKUP_RIGHTS = 'pg_backup_start(text, boolean), pg_backup_stop(boolean), pg_switch_wal()';

/** Creates the role and its database if missing, and transfers to it what an earlier version created as superuser. */
export async function prepareServerRole(superuser: DatabaseConnection, password: string, database: string) {
  await as({ ...superuser, database: 'postgres' }, async client => {
    const has = async (catalog: string, name: string): Promise<boolean> =>
      (await client.query(catalog, [name])).rowCount === 1;
    const role = 'select from pg_roles where rolname = $1';
    if (!(await has(role, 'milepost_account'))) await client.query('create role milepost_account nologin');
    if (!(await has(role, SERVER_ROLE))) await client.query(`create role ${SERVER_ROLE}`);
    await client.query(
      `alter role ${SERVER_ROLE} login nosuperuser nocreatedb nocreaterole nobypassrls noreplication password '${serverPassword(password)}'`,
    );
    await client.query(`grant milepost_account to ${SERVER_ROLE}`);
    if (!(await has(role, BACKUP_ROLE))) await client.query(`create role ${BACKUP_ROLE}`);
    await client.query(`alter role ${BACKUP_ROLE} login nosuperuser password '${backupPassword(password)}'`);
    await client.query(`grant execute on function ${BACKUP_RIGHTS} to ${BACKUP_ROLE}`);
    const isThere = await has('select from pg_database where datname = $1', database);
    await client.query(
      isThere
        ? `alter database ${database} owner to ${SERVER_ROLE}`
        : `create database ${database} owner ${SERVER_ROLE}`,
    );
  });
  await as({ ...superuser, database }, client => client.query(TAKE_OVER));
}

/** A column's sequence moves with its table. */
const TAKE_OVER = `do $$
declare
  thing record;
begin
  for thing in
    select format('alter table %s owner to ${SERVER_ROLE}', oid::regclass) as statement
    from pg_class
    where relnamespace = 'public'::regnamespace and relowner = current_user::regrole
      and (relkind in ('r', 'p', 'v') or relkind = 'S' and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')))
    union all
    select 'alter schema public owner to pg_database_owner'
    from pg_namespace where nspname = 'public' and nspowner = current_user::regrole
    union all
    select format('alter routine %s owner to ${SERVER_ROLE}', oid::regprocedure)
    from pg_proc where pronamespace = 'public'::regnamespace and proowner = current_user::regrole
  loop
    execute thing.statement;
  end loop;
end $$`;

async function as<T>(connection: DatabaseConnection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connection);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

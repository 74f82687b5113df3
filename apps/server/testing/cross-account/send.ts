import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '@milepost/contract';
import type { Databases } from '../../src/db/database.ts';
import type { Answer, TestHttpServer } from '../http-server.ts';
import { eventually } from '../processes.ts';
import type { UserWithData } from './account-data.ts';
import type { Probe, RequestParts } from './probe.ts';

/** Makes a probe's call. */
export function send(
  server: Pick<TestHttpServer, 'call'>,
  route: Route,
  { params = {}, query, body, headers, token: own }: RequestParts,
  session?: string,
): Promise<Answer> {
  const token = own ?? session;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '1');
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return server.call(route.method, path + search, {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
    ...((typeof body === 'string' || body instanceof Uint8Array) &&
      route.bodyType && { headers: { 'content-type': route.bodyType } }),
  });
}

/**
 * An account's rows in every table with accounts; the change feed first numbers pending changes. Not the privacy ledger,
 * in which reading what one may see leaves an entry.
 */
export async function rowsOf(
  { context }: Pick<TestHttpServer, 'context'>,
  accountId: number,
  { isNoted }: Pick<Probe, 'isNoted'>,
  isMeant: (row: string) => boolean = () => true,
): Promise<string> {
  const { rows } = await context.db.pool.query<{ table: string; row: string }>({
    // Prepared: planning takes several times as long as reading.
    name: 'rows-of-account',
    text: await readingAllTables(context.db),
    values: [accountId],
  });
  const isTold = (table: string): boolean => !(isNoted && table === 'audit_entry') && table !== 'look';
  return JSON.stringify(rows.filter(({ table, row }) => isTold(table) && isMeant(row)));
}

/** Returns once all that preparing the probe's call changes in an account is written. */
export async function settled(server: TestHttpServer, accountId: number, probe: Probe): Promise<void> {
  if (!probe.hasAftermath) return;
  let before = '';
  await eventually(async () => {
    const now = await rowsOf(server, accountId, { isNoted: true });
    const isSettled = now === before;
    before = now;
    if (!isSettled) await sleep(250);
    return isSettled;
  });
}

const READING = new WeakMap<Databases, Promise<string>>();

/** Made once for each database: reading the catalog is slower than reading all these tables. */
function readingAllTables(db: Databases): Promise<string> {
  const reading =
    READING.get(db) ??
    db.pool
      .query<{ name: string }>(
        `select table_name as name from information_schema.columns
        where column_name = 'account_id' and table_schema = 'public'`,
      )
      .then(({ rows }) => {
        const each = rows.map(
          ({ name }) => `select '${name}' as "table", (to_jsonb(t) - 'number')::text as row
            from "${name}" t where account_id = $1`,
        );
        return `${each.join(' union all ')} order by 1, 2`;
      });
  READING.set(db, reading);
  return reading;
}

/** The rows that contain a user's marker or refer to their data. */
export function rowsAbout(server: TestHttpServer, of: UserWithData, probe: Probe): Promise<string> {
  const { accountId, colleagueId, departmentId, driverId, folderId, imei, marker, userId, vehicleId } = of;
  const named = [marker, imei, userId, colleagueId].map(text => `"${text}`);
  const ids = { vehicle_id: vehicleId, driver_id: driverId, folder_id: folderId, department_id: departmentId };
  const references = [
    ...Object.entries(ids),
    ['usual_driver_id', driverId],
    ['parent_id', folderId],
    ['parent_id', departmentId],
  ].map(([column, id]) => new RegExp(`"${column}": ${id}[,}]`));
  return rowsOf(
    server,
    accountId,
    probe,
    row => named.some(text => row.includes(text)) || references.some(reference => reference.test(row)),
  );
}

/** An account's rows as they were made, whenever its users were last seen: each call updates that. */
export async function rowsAsMade(server: TestHttpServer, accountId: number): Promise<string> {
  return (await rowsOf(server, accountId, {})).replaceAll(/last_seen_at[^,}]*/g, '');
}

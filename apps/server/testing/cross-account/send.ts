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

export type Rows = readonly { readonly table: string; readonly row: string }[];

/** An account's rows in every table with accounts; the change feed first numbers pending changes. */
export async function readRows({ context }: Pick<TestHttpServer, 'context'>, accountId: number): Promise<Rows> {
  const { rows } = await context.db.pool.query<Rows[number]>({
    // Prepared: planning takes several times as long as reading.
    name: 'rows-of-account',
    text: await readingAllTables(context.db),
    values: [accountId],
  });
  // Not the privacy ledger, in which reading what one may see leaves an entry.
  return rows.filter(({ table }) => table !== 'look');
}

function textOf(rows: Rows, { isNoted }: Pick<Probe, 'isNoted'>, isMeant: (row: string) => boolean = () => true) {
  return JSON.stringify(rows.filter(({ table, row }) => !(isNoted && table === 'audit_entry') && isMeant(row)));
}

export const rowsOf = async (
  server: Pick<TestHttpServer, 'context'>,
  accountId: number,
  probe: Pick<Probe, 'isNoted'>,
): Promise<string> => textOf(await readRows(server, accountId), probe);

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
        // Partitions are read with their table.
        `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
        where attname = 'account_id' and not attisdropped and relnamespace = 'public'::regnamespace
          and relkind in ('r', 'p', 'v') and not relispartition`,
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

/** Those of their account's rows that contain a user's marker or refer to their data. */
export function rowsAbout(rows: Rows, of: UserWithData, probe: Probe): string {
  const { colleagueId, departmentId, driverId, folderId, imei, marker, userId, vehicleId } = of;
  const named = [marker, imei, userId, colleagueId].map(text => `"${text}`);
  const ids = { vehicle_id: vehicleId, driver_id: driverId, folder_id: folderId, department_id: departmentId };
  const references = [
    ...Object.entries(ids),
    ['usual_driver_id', driverId],
    ['parent_id', folderId],
    ['parent_id', departmentId],
  ].map(([column, id]) => new RegExp(`"${column}": ${id}[,}]`));
  return textOf(
    rows,
    probe,
    row => named.some(text => row.includes(text)) || references.some(reference => reference.test(row)),
  );
}

/** An account's rows as they were made, whenever its users were last seen: each call updates that. */
export const rowsAsMade = (rows: Rows): string => textOf(rows, {}).replaceAll(/last_seen_at[^,}]*/g, '');

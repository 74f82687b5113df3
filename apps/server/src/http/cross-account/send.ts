import type { Route } from '@milepost/contract';
import { sql } from 'kysely';
import type { Answer, TestHttpServer } from '../../testing/http-server.ts';
import type { UserWithData } from './account-data.ts';
import type { Probe, RequestParts } from './probe.ts';

/** Makes a probe's call. */
export function send(
  server: Pick<TestHttpServer, 'call'>,
  route: Route,
  { params = {}, query, body, token: own }: RequestParts,
  session?: string,
): Promise<Answer> {
  const token = own ?? session;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '1');
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return server.call(route.method, path + search, {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
    ...((typeof body === 'string' || body instanceof Uint8Array) &&
      route.bodyType && { headers: { 'content-type': route.bodyType } }),
  });
}

/** Rows of an account, in every table that has accounts; the feed numbers what is there already. */
export async function rowsOf(
  { context }: Pick<TestHttpServer, 'context'>,
  accountId: number,
  { isNoted }: Probe,
  isMeant: (row: string) => boolean = () => true,
): Promise<string> {
  const { system } = context.db;
  const { rows: tables } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where column_name = 'account_id' and table_schema = 'public' order by 1`.execute(system);
  const contents = await Promise.all(
    tables.map(async ({ table_name: table }) => {
      if (isNoted && table === 'audit_entry') return [];
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(t) - 'number')::text as row from ${sql.table(table)} t where account_id = ${accountId} order by 1`.execute(
        system,
      );
      return [table, rows.map(({ row }) => row).filter(isMeant)];
    }),
  );
  return JSON.stringify(contents);
}

/** Those that hold somebody's marker, or name what they have. */
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

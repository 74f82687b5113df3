import { sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import type { AccountTransaction } from '../db/database.ts';

/** For the writer of ingest, which fills these columns by COPY or from arrays. */
export const copyPositions = (columns: string): string => `copy position (${columns}) from stdin (format binary)`;

/** As a common table expression; existing rows are left as they are. */
export const insertPositions = (columns: string, values: string, returned: string): string =>
  `insert into position (${columns}) ${values} on conflict do nothing returning ${returned}`;

/** Rows of an export, with their account and vehicle in this installation. */
export async function importPositions(trx: AccountTransaction, rows: readonly object[]): Promise<void> {
  await sql`insert into position select * from json_populate_recordset(null::"position", ${JSON.stringify(rows)}::json)
    on conflict do nothing`.execute(trx);
}

export interface Moment {
  readonly vehicleId: number;
  readonly fixAtMs: number;
}

export interface EventAt {
  readonly vehicle_id: number;
  readonly fix_at: Date;
  readonly event: string | null;
}

/** The events of the stored positions of these moments. */
export async function eventsAt(client: ClientBase, moments: readonly Moment[]): Promise<readonly EventAt[]> {
  const { rows } = await client.query<EventAt>(
    `select vehicle_id, fix_at, event from position
     where (vehicle_id, fix_at) in (select * from unnest($1::int4[], $2::timestamptz[]))`,
    [moments.map(({ vehicleId }) => vehicleId), moments.map(({ fixAtMs }) => new Date(fixAtMs))],
  );
  return rows;
}

export async function setEvent(
  client: ClientBase,
  { vehicleId, fixAtMs }: Moment,
  event: string | null,
): Promise<void> {
  await client.query('update position set event = $3 where vehicle_id = $1 and fix_at = $2', [
    vehicleId,
    new Date(fixAtMs),
    event,
  ]);
}

/** All positions of a vehicle; its sealed days are deleted with the vehicle's row. */
export async function deletePositions(trx: AccountTransaction, vehicleId: number): Promise<void> {
  await trx.deleteFrom('position').where('vehicle_id', '=', vehicleId).execute();
}

/** Positions that ingest wrote while the vehicle was being deleted. */
export async function deletePositionsOfGone(pool: Pool, vehicleId: number): Promise<void> {
  await pool.query('delete from position where vehicle_id = $1', [vehicleId]);
}

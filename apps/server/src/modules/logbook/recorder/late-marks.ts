import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';

interface Whose {
  readonly accountId: number;
  readonly vehicleId: number;
}

/** Records the vehicle again from a moment on, as soon as this transaction is over. */
export const markLate = (trx: AccountTransaction, whose: Whose, fromMs: number) => mark(trx, whose, fromMs, null);

/**
 * Records the vehicle again from a moment on once all transactions are over that were open when this one is committed:
 * they may have stored positions, and left no mark because they did not see that the vehicle is recorded.
 */
export const markBegun = (trx: AccountTransaction, whose: Whose, fromMs: number) => mark(trx, whose, fromMs, '0');

const mark = (trx: AccountTransaction, { accountId, vehicleId }: Whose, fromMs: number, waitsFor: string | null) =>
  trx
    .insertInto('recorder_late')
    .values({ account_id: accountId, vehicle_id: vehicleId, from_at: new Date(fromMs), waits_for: waitsFor })
    .execute();

/** Whether a look takes a mark: one that waits is left as long as a transaction that it waits for is open, maybe for hours. */
export const isMarkDue = sql<boolean>`(waits_for is null or waits_for = '0'
  or waits_for <= pg_snapshot_xmin(pg_current_snapshot()) or waits_for > pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * Takes off the marks up to now, or since a moment. What waits for others' transactions counts the first time, for what
 * is there already, and once they are over.
 */
export async function takeMarks(
  trx: AccountTransaction,
  vehicleId: number,
  { afterMs, nowMs }: { readonly afterMs: number | null; readonly nowMs: number },
) {
  const isSince = afterMs === null ? sql`true` : sql`from_at > ${new Date(afterMs)}`;
  const ofThese = sql`vehicle_id = ${vehicleId} and from_at <= ${new Date(nowMs)} and ${isSince}`;
  const [newest, oldest] = [sql`pg_snapshot_xmax(pg_current_snapshot())`, sql`pg_snapshot_xmin(pg_current_snapshot())`];
  // Of this look: whoever begins now sees what the mark's transaction has committed.
  const waitsFor = sql`case when waits_for = '0' then ${newest} else waits_for end`;
  // Later ones are of a database that was copied from another one.
  const isOver = sql`(waits_for is null or ${waitsFor} <= ${oldest} or waits_for > ${newest})`;
  const { rows } = await sql<{ from_at: Date }>`
    with waiting as (
      update recorder_late set waits_for = ${newest} where ${ofThese} and waits_for = '0' and not ${isOver}
      returning from_at
    ), taken as (
      delete from recorder_late where ${ofThese} and ${isOver} returning from_at
    )
    select from_at from waiting union all select from_at from taken`.execute(trx);
  return rows;
}

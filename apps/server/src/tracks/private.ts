import { doubtsOf } from '@milepost/geo';
import type { Pool } from 'pg';
import type { AccountTransaction } from '../db/database.ts';
import { type FixRow, readReportedFixes } from './fixes.ts';
import { readSpan } from './span.ts';
import type { ReceivedPosition } from './stored-position.ts';

/** A position of private time, on its way into a table that nothing else reads. */
export interface PrivatePosition {
  readonly vehicleId: number;
  readonly accountId: number;
  readonly position: ReceivedPosition;
}

/** One statement is one transaction; existing rows are left as they are. */
export async function writePrivate(pool: Pool, rows: readonly PrivatePosition[]): Promise<void> {
  const columns = rows.map(({ accountId, position, vehicleId }) => {
    const { fixAt, lat, lon, receivedAt, valid, ...rest } = position;
    const fix = {
      ...{ time: fixAt, lat, lon, valid },
      speed: rest.speed,
      course: rest.course,
      ignition: rest.ignition,
    };
    return {
      ...{ ...rest, account_id: accountId, vehicle_id: vehicleId, lat, lon, valid, late: false },
      ...{ fix_at: new Date(fixAt).toISOString(), received_at: new Date(receivedAt).toISOString() },
      // A place that is compared with nothing: only what is wrong by itself is marked.
      doubts: doubtsOf(null, fix, receivedAt).length === 0 ? 0 : 1,
    };
  });
  await pool.query(
    `insert into private_position select * from json_populate_recordset(null::private_position, $1::json)
     on conflict do nothing`,
    [JSON.stringify(columns)],
  );
}

/** The hidden fixes of [from, before), oldest first. For the recorder of logs, and for openings with a reason. */
export const readPrivate = (trx: AccountTransaction, vehicleId: number, from: Date, before: Date) =>
  trx
    .selectFrom('private_position')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .where('fix_at', '>=', from)
    .where('fix_at', '<', before)
    .orderBy('fix_at')
    .execute();

/** A fix as the recorder of logs takes it: an electronic log records private driving, too. */
export type RecordedFix = FixRow & { readonly isHidden: boolean; readonly received_at: Date };

/** What the tracker reported from `from` on, and of hidden fixes from `hiddenFrom` on, before a moment, oldest first. */
export async function readRecordedFixes(
  trx: AccountTransaction,
  vehicleId: number,
  { before, from, hiddenFrom }: { readonly from: Date; readonly hiddenFrom: Date | null; readonly before: Date },
): Promise<RecordedFix[]> {
  const shown = await readReportedFixes(trx, vehicleId, from, before);
  const hidden = hiddenFrom === null ? [] : await readPrivate(trx, vehicleId, hiddenFrom, before);
  const fixes = [
    ...shown.map(fix => ({ ...fix, isHidden: false })),
    ...hidden.map(fix => ({ ...fix, isHidden: true })),
  ];
  return hidden.length === 0 ? fixes : fixes.sort((a, b) => a.fix_at.getTime() - b.fix_at.getTime());
}

const AHEAD_MS = 10 * 60_000;
/** A clock that is this far behind was never set, or has missed a rollover; anything less may have been buffered. */
const BEHIND_MS = 15 * 365.25 * 24 * 3_600_000;

/** Milliseconds by which a report's time is wrong; 0 if it may be right. */
function clockErrorOf({ fix_at, received_at }: Pick<RecordedFix, 'fix_at' | 'received_at'>): number {
  const offset = fix_at.getTime() - received_at.getTime();
  return offset > AHEAD_MS || offset < -BEHIND_MS ? offset : 0;
}

/**
 * When reports with a wrong time were received, in [from, before), and by how much they were wrong, in milliseconds.
 *
 * @param fixes those of [from, before), already read
 */
export async function readWrongClocks(
  trx: AccountTransaction,
  vehicleId: number,
  { before, fixes, from }: { readonly from: Date; readonly before: Date; readonly fixes: readonly RecordedFix[] },
): Promise<{ readonly at: number; readonly offset: number }[]> {
  const ahead = { vehicleId, from: before };
  const behind = { vehicleId, before: new Date(before.getTime() - BEHIND_MS) };
  const columns = ['received_at'] as const;
  const hidden = await trx
    .selectFrom('private_position')
    .select(['fix_at', 'received_at'])
    .where('vehicle_id', '=', vehicleId)
    .where(eb => eb.or([eb('fix_at', '>=', ahead.from), eb('fix_at', '<', behind.before)]))
    .execute();
  const found = [
    ...fixes,
    ...(await readSpan(trx, ahead, { columns })),
    ...(await readSpan(trx, behind, { columns })),
    ...hidden,
  ];
  return found.flatMap(report => {
    const [at, offset] = [report.received_at.getTime(), clockErrorOf(report)];
    return offset !== 0 && at >= from.getTime() && at < before.getTime() ? [{ at, offset }] : [];
  });
}

/** Deletes the hidden positions of an account that are older than it keeps positions. */
export async function deletePrivateBefore(pool: Pool, accountId: number, before: Date): Promise<void> {
  await pool.query('delete from private_position where account_id = $1 and fix_at < $2', [accountId, before]);
}

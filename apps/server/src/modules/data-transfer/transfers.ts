import type { DataExport, DataImport } from '@milepost/contract';
import { DatabaseError } from 'pg';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { JOB_COLUMNS, toJob } from '../jobs/rows.ts';

/** What exports and imports have in common: both are jobs, and an account has one of each at a time. */

export type Kind = 'data-export' | 'data-import' | 'move-in';
type Transfer = Omit<DataExport, 'positions' | 'file'> & Omit<DataImport, 'rows' | 'phase'>;

const LISTED = 20;

const select = (trx: AccountTransaction, kind: Kind) =>
  trx
    .selectFrom('job')
    .innerJoin('app_user', 'app_user.id', 'job.user_id')
    .select([...JOB_COLUMNS, 'job.about', 'job.result'])
    .where('job.kind', '=', kind)
    .orderBy('job.created_at', 'desc')
    .limit(LISTED);
export type TransferRow = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

export const listTransfers = (db: Context['db'], accountId: number, kind: Kind): Promise<TransferRow[]> =>
  db.asAccount(accountId, trx => select(trx, kind).execute());

export async function readTransfer(db: Context['db'], accountId: number, kind: Kind, id: string): Promise<TransferRow> {
  const row = await db.asAccount(accountId, trx => select(trx, kind).where('job.id', '=', id).executeTakeFirst());
  if (!row) throw new AppError('not-found');
  return row;
}

export function toTransfer(row: TransferRow): Transfer {
  const { kind: _, startedAt: _at, ...transfer } = toJob(row);
  return transfer;
}

/** Jobs over files count kilobytes: the database counts to 2 billion. */
export const KB = 1024;
export const inBytes = (transfer: Transfer): Transfer => ({
  ...transfer,
  done: transfer.done * KB,
  total: transfer.total * KB,
});

/** The database allows one that is open. */
export const openProblem = (error: unknown, code: 'export-open' | 'import-open'): unknown =>
  error instanceof DatabaseError && error.constraint === 'job_one_transfer' ? new AppError(code) : error;

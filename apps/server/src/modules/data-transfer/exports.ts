import { join } from 'node:path';
import { type DataExport, EXPORTS_KEPT, EXPORTS_KEPT_DAYS } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import { problemOf } from '../../http/problem.ts';
import { JobProblem, type JobRun } from '../../jobs/one-off.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { Files } from '../documents/files.ts';
import { exportLines, type RowCounts } from './export.ts';
import { openKeptFiles } from './kept-files.ts';
import { roomIn } from './room.ts';
import { listTransfers, openProblem, readTransfer, type TransferRow, toTransfer } from './transfers.ts';

const KIND = 'data-export';
const KEPT_MS = EXPORTS_KEPT_DAYS * 86_400_000;

/** All that an account has, written to a file by a job and kept for a while to be downloaded. */
export interface Exports {
  list(accountId: number): Promise<DataExport[]>;
  start(by: By, wanted: { readonly positions: boolean }): Promise<DataExport>;
  cancel(by: By, id: string): Promise<DataExport>;
  /** One that is open is cancelled. */
  remove(by: By, id: string): Promise<void>;
  download(by: By, id: string): Promise<FileAnswer>;
  /** Removes old exports, and files that belong to none. */
  sweep(nowMs?: number): Promise<void>;
}

interface Options {
  /** In bytes, for tests. */
  readonly keptFree?: number;
}

export function openExports(context: Context, documents: Files, { keptFree }: Options = {}): Exports {
  const { config, db, jobs, log } = context;
  const files = openKeptFiles(join(config.dataDir, 'exports'), keptFree);

  const read = async (accountId: number, id: string): Promise<DataExport> => {
    const found = toExport(await readTransfer(db, accountId, KIND, id));
    if (!found) throw new AppError('not-found');
    return found;
  };

  /** Keeps this many finished ones of each account; of one account if it is named. */
  const forgetOld = async (kept: number, nowMs: number, accountId: number | null = null): Promise<void> => {
    const { rows } = await sql<{ id: string }>`
      delete from job using (
        select id, row_number() over (partition by account_id order by ended_at desc) as place from job
        where kind = ${KIND} and state = 'done' and account_id = coalesce(${accountId}::integer, account_id)
      ) old
      where job.id = old.id and (place > ${kept} or ended_at < ${new Date(nowMs - KEPT_MS)}) returning job.id`.execute(
      db.system,
    );
    for (const { id } of rows) await files.remove(id);
  };

  const write = async (run: JobRun): Promise<void> => {
    const { accountId, id } = run;
    const { positions } = run.work as Wanted;
    let rows: RowCounts = {};
    const lines = async function* (): AsyncGenerator<string> {
      rows = yield* exportLines(context, documents, { accountId, positions, progress: run.progress });
    };
    const bytes = await files.write(id, lines(), run.signal);
    if (bytes === null) return;
    if (await run.finish({ bytes, rows } satisfies Result)) await forgetOld(EXPORTS_KEPT - 1, Date.now(), accountId);
    else await files.remove(id);
  };

  jobs.oneOffs.define({
    kind: KIND,
    run: run =>
      write(run).catch((error: unknown) => {
        throw error instanceof AppError ? new JobProblem(problemOf(error)) : error;
      }),
  });

  const sweep = async (nowMs = Date.now()): Promise<void> => {
    await forgetOld(EXPORTS_KEPT, nowMs);
    const removed = await files.sweep(async ids => {
      const rows = await db.system.selectFrom('job').select(['id', 'state']).where('id', 'in', ids).execute();
      const withState = (...states: string[]) =>
        new Set(rows.filter(({ state }) => states.includes(state)).map(({ id }) => id));
      return { open: withState('waiting', 'running'), finished: withState('done') };
    }, nowMs);
    if (removed > 0) log.info({ removed }, 'Removed files of exports that are gone');
  };
  jobs.repeat({ name: 'old-exports', everySeconds: 3600, run: () => sweep() });

  return {
    list: async accountId => (await listTransfers(db, accountId, KIND)).map(toExport).filter(each => each !== null),

    start: async ({ session, author }, { positions }) => {
      const { accountId, userId } = session;
      if ((await roomIn(files.folder, keptFree)) === 0) throw new AppError('disk-full');
      const id = await db
        .asAccount(accountId, async trx => {
          const { vehicles } = await trx
            .selectFrom('vehicle')
            .select(({ fn }) => fn.countAll<string>().as('vehicles'))
            .executeTakeFirstOrThrow();
          const wanted: Wanted = { positions };
          const total = Math.max(1, Number(vehicles));
          const job = { accountId, userId, kind: KIND, about: wanted, work: wanted, total };
          const made = await jobs.oneOffs.add(trx, job);
          await audit(trx, author, {
            action: 'data.export-started',
            target: { id: made, name: fileName(new Date()) },
            changes: [{ field: 'positions', from: null, to: positions }],
          });
          return made;
        })
        .catch((error: unknown) => {
          throw openProblem(error, 'export-open');
        });
      await jobs.oneOffs.begin(id);
      return read(accountId, id);
    },

    cancel: async ({ session: { accountId }, author }, id) => {
      const { createdAt } = await read(accountId, id);
      if (await jobs.oneOffs.cancel(accountId, id)) {
        const target = { id, name: fileName(new Date(createdAt)) };
        await db.asAccount(accountId, trx => audit(trx, author, { action: 'data.export-canceled', target }));
      }
      return read(accountId, id);
    },

    remove: async ({ session: { accountId }, author }, id) => {
      const { createdAt } = await read(accountId, id);
      await jobs.oneOffs.cancel(accountId, id);
      await db.asAccount(accountId, async trx => {
        await trx.deleteFrom('job').where('id', '=', id).execute();
        await audit(trx, author, {
          action: 'data.export-deleted',
          target: { id, name: fileName(new Date(createdAt)) },
        });
      });
      await files.remove(id);
    },

    download: async ({ session: { accountId }, author }, id) => {
      const { file } = await read(accountId, id);
      if (!file || !(await files.has(id))) throw new AppError('not-found');
      const target = { id, name: file.name };
      await db.asAccount(accountId, trx => audit(trx, author, { action: 'data.exported', target }));
      return new FileAnswer(files.read(id), { type: 'application/x-ndjson', saveAs: file.name });
    },

    sweep,
  };
}

interface Wanted {
  readonly positions: boolean;
}

interface Result {
  readonly bytes: number;
  readonly rows: RowCounts;
}

const fileName = (startedAt: Date): string => `milepost-${startedAt.toISOString().slice(0, 10)}.ndjson`;

/** Null once it has expired, whenever it is removed. */
function toExport(row: TransferRow): DataExport | null {
  const { positions } = row.about as Wanted;
  const transfer = toTransfer(row);
  if (row.state !== 'done' || row.ended_at === null) return { ...transfer, positions, file: null };
  const { bytes, rows } = row.result as Result;
  const expiresAt = row.ended_at.getTime() + KEPT_MS;
  if (expiresAt <= Date.now()) return null;
  const file = { name: fileName(row.created_at), bytes, rows, expiresAt: new Date(expiresAt).toISOString() };
  return { ...transfer, positions, file };
}

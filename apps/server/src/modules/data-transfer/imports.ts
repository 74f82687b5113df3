import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor, DataImport } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { problemOf } from '../../http/problem.ts';
import { tellStored } from '../../ingest/other-nodes.ts';
import { CANCELLED, JobProblem, type JobRun } from '../../jobs/one-off.ts';
import { type Author, audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { Files } from '../documents/files.ts';
import { checkImport, importAccount, type RowsOfTables, refuseUnlessEmpty } from './import.ts';
import { openKeptFiles } from './kept-files.ts';
import { showStates } from './live-states.ts';
import { ABANDONED_MS, clearUploads, type Upload, withUpload } from './spool.ts';
import { inBytes, KB, listTransfers, openProblem, readTransfer, type TransferRow, toTransfer } from './transfers.ts';

const KIND = 'data-import';

/** An export of another account, which a job checks and then reads in: all of it or nothing. */
export interface Imports {
  list(accountId: number): Promise<DataImport[]>;
  /** Answers once the file is stored. */
  start(by: By, upload: Upload): Promise<DataImport>;
  cancel(by: By, id: string): Promise<DataImport>;
  /** Removes files of imports that have ended, and uploads that were never finished. */
  sweep(nowMs?: number): Promise<void>;
}

interface Work {
  readonly author: Author;
  /** What who imports may do: a file gives no rights that they could not give. */
  readonly grantor: Actor;
}

interface About {
  readonly phase: DataImport['phase'];
}

interface Result {
  readonly rows: RowsOfTables;
}

export function openImports(
  context: Context,
  documents: Files,
  organisation: Pick<Organisation, 'driving' | 'live'>,
): Imports {
  const { bus, config, db, feed, jobs, log } = context;
  const files = openKeptFiles(join(config.dataDir, 'imports'));
  /** The accounts whose upload is on its way to this server. */
  const uploading = new Set<number>();
  // At start, what is there was left behind, unless another server is taking it in.
  clearUploads(config.dataDir, bus.isShared ? ABANDONED_MS : 0).catch((error: unknown) =>
    log.warn({ err: error }, 'Could not remove old uploads'),
  );

  const read = async (accountId: number, id: string): Promise<DataImport> =>
    toImport(await readTransfer(db, accountId, KIND, id));

  const bringIn = async (run: JobRun): Promise<void> => {
    const { accountId, id } = run;
    const { author, grantor } = run.work as Work;
    const path = files.pathOf(id);
    // A try that was killed later leaves the file checked.
    if ((run.about as About).phase !== 'import') {
      const inKb = { ...run, progress: (bytes: number) => run.progress(Math.floor(bytes / KB)) };
      const rows = await checkImport(context, { run: inKb, grantor, path });
      if (rows !== null) await run.next({ phase: 'import' } satisfies About, rows);
    }
    const states = run.signal.aborted ? null : await importAccount(context, documents, { run, author, grantor, path });
    // Stopped, not cancelled: the next try needs it.
    if (states === null && run.signal.reason !== CANCELLED) return;
    await files.remove(id);
    if (states === null) return;
    showStates(organisation, accountId, states);
    await feed.settled();
    tellStored(bus);
  };

  jobs.oneOffs.define({
    kind: KIND,
    run: run =>
      bringIn(run).catch(async (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        await files.remove(run.id);
        throw new JobProblem(problemOf(error));
      }),
  });

  const sweep = async (nowMs = Date.now()): Promise<void> => {
    const removed = await files.sweep(async ids => {
      const open = db.system.selectFrom('job').select('id').where('id', 'in', ids);
      const rows = await open.where('state', 'in', ['waiting', 'running']).execute();
      return { open: new Set(rows.map(({ id }) => id)), finished: new Set() };
    }, nowMs);
    if (removed > 0) log.info({ removed }, 'Removed files of imports that have ended');
    await clearUploads(config.dataDir, ABANDONED_MS, nowMs);
  };
  jobs.repeat({ name: 'old-imports', everySeconds: 3600, run: () => sweep() });

  /** What is known before a file comes is said before it comes. */
  const refuseUseless = (accountId: number): Promise<void> =>
    db.asAccount(accountId, async trx => {
      const jobsOpen = trx.selectFrom('job').select('id').where('state', 'in', ['waiting', 'running']);
      if (await jobsOpen.where('kind', '=', KIND).executeTakeFirst()) throw new AppError('import-open');
      await refuseUnlessEmpty(trx);
    });

  /** Puts an uploaded file into its place and queues its job: both or neither, but for a file that a sweep removes. */
  const queue = async ({ session, author }: By, path: string): Promise<string> => {
    const { accountId, userId } = session;
    const { size } = await stat(path);
    try {
      return await db.asAccount(accountId, async trx => {
        const work: Work = { author, grantor: actorOf(session) };
        const about: About = { phase: 'check' };
        const total = Math.max(1, Math.ceil(size / KB));
        const id = await jobs.oneOffs.add(trx, { accountId, userId, kind: KIND, about, work, total });
        await audit(trx, author, {
          action: 'data.import-started',
          target: { id, name: KIND },
          changes: [{ field: 'bytes', from: null, to: size }],
        });
        await rename(path, files.pathOf(id));
        return id;
      });
    } catch (error) {
      throw openProblem(error, 'import-open');
    }
  };

  return {
    list: async accountId => (await listTransfers(db, accountId, KIND)).map(toImport),

    start: async (by, upload) => {
      const { accountId } = by.session;
      if (uploading.has(accountId)) throw new AppError('import-open');
      uploading.add(accountId);
      try {
        await refuseUseless(accountId);
        // The embedded database is on the same disk, and takes about as much as the file.
        const takes = config.databaseUrl === null ? 2 : 1;
        await mkdir(files.folder, { recursive: true, mode: 0o700 });
        const id = await withUpload(config.dataDir, upload, path => queue(by, path), { takes });
        await jobs.oneOffs.begin(id);
        return await read(accountId, id);
      } finally {
        uploading.delete(accountId);
      }
    },

    cancel: async ({ session: { accountId }, author }, id) => {
      await read(accountId, id);
      if (await jobs.oneOffs.cancel(accountId, id)) {
        const target = { id, name: KIND };
        await db.asAccount(accountId, trx => audit(trx, author, { action: 'data.import-canceled', target }));
      }
      const after = await read(accountId, id);
      // One that runs removes its file itself.
      if (after.endedAt !== null) await files.remove(id);
      return after;
    },

    sweep,
  };
}

const actorOf = ({ permissions = null, readOnly, role, scope }: Actor): Actor => ({
  permissions,
  readOnly,
  role,
  scope,
});

function toImport(row: TransferRow): DataImport {
  const isDone = row.state === 'done';
  // Those of earlier versions were checked before they had a job.
  const { phase = 'import' } = row.about as Partial<About>;
  const transfer = toTransfer(row);
  return {
    ...(phase === 'check' ? inBytes(transfer) : transfer),
    phase,
    rows: isDone ? { ...(row.result as Result).rows } : null,
  };
}

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
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
import { checkImport, importAccount, type RowsOfTables } from './import.ts';
import { openKeptFiles } from './kept-files.ts';
import { showStates } from './live-states.ts';
import { roomIn } from './room.ts';
import { ABANDONED_MS, clearUploads, IMPORT_LIMIT, withUpload } from './spool.ts';
import { listTransfers, openProblem, readTransfer, type TransferRow, toTransfer } from './transfers.ts';

const KIND = 'data-import';

/** An export of another account, checked while its sender waits and read in by a job: all of it or nothing. */
export interface Imports {
  list(accountId: number): Promise<DataImport[]>;
  /** `length`: as the request says. */
  start(by: By, body: Readable, length: number | null): Promise<DataImport>;
  cancel(by: By, id: string): Promise<DataImport>;
  /** Removes files of imports that have ended, and uploads that were never finished. */
  sweep(nowMs?: number): Promise<void>;
}

interface Work {
  readonly author: Author;
  /** What who imports may do: a file gives no rights that they could not give. */
  readonly grantor: Actor;
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
  // At start, what is there was left behind, unless another server is taking it in.
  clearUploads(config.dataDir, bus.isShared ? ABANDONED_MS : 0).catch((error: unknown) =>
    log.warn({ err: error }, 'Could not remove old uploads'),
  );

  const read = async (accountId: number, id: string): Promise<DataImport> =>
    toImport(await readTransfer(db, accountId, KIND, id));

  const bringIn = async (run: JobRun): Promise<void> => {
    const { accountId, id } = run;
    const { author, grantor } = run.work as Work;
    const states = await importAccount(context, documents, { run, author, grantor, path: files.pathOf(id) });
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

  const refuseSecond = async (accountId: number): Promise<void> => {
    const open = await db.asAccount(accountId, trx =>
      trx
        .selectFrom('job')
        .select('id')
        .where('kind', '=', KIND)
        .where('state', 'in', ['waiting', 'running'])
        .executeTakeFirst(),
    );
    if (open) throw new AppError('import-open');
  };

  /** Puts a checked file into its place and queues its job: both or neither, but for a file that a sweep removes. */
  const queue = async ({ session, author }: By, path: string, total: number): Promise<string> => {
    const { accountId, userId } = session;
    try {
      return await db.asAccount(accountId, async trx => {
        const work: Work = { author, grantor: actorOf(session) };
        const id = await jobs.oneOffs.add(trx, { accountId, userId, kind: KIND, about: {}, work, total });
        await audit(trx, author, {
          action: 'data.import-started',
          target: { id, name: KIND },
          changes: [{ field: 'rows', from: null, to: total }],
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

    start: async (by, body, length) => {
      const { accountId } = by.session;
      await refuseSecond(accountId);
      const room = await roomIn(files.folder);
      if ((length ?? 1) > room) throw new AppError('no-room', { freeBytes: room });
      const limit = Math.min(room, IMPORT_LIMIT);
      const id = await withUpload(
        config.dataDir,
        body,
        async path => queue(by, path, await checkImport(context, { accountId, grantor: actorOf(by.session), path })),
        limit,
      );
      await jobs.oneOffs.begin(id);
      return read(accountId, id);
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
  return { ...toTransfer(row), rows: isDone ? { ...(row.result as Result).rows } : null };
}

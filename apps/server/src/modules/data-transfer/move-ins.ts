import { join } from 'node:path';
import {
  type MoveIn,
  type MoveInFile,
  type MoveInReport,
  type MoveInSource,
  type RouteParsed,
  settingsSchema,
  type startMoveIn,
  type TrackOptions,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { problemOf } from '../../http/problem.ts';
import { tellStored } from '../../ingest/other-nodes.ts';
import { JobProblem, type JobRun } from '../../jobs/one-off.ts';
import { type Author, audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { Files } from '../documents/files.ts';
import { showStates } from './live-states.ts';
import { KEPT_MS, openMoveInFiles } from './move-in-files.ts';
import type { Upload } from './spool.ts';
import { importTraccar } from './traccar/import-traccar.ts';
import { importTracks } from './tracks/import-tracks.ts';
import { inBytes, KB, listTransfers, openProblem, readTransfer, type TransferRow, toTransfer } from './transfers.ts';

const KIND = 'move-in';

type Asked = RouteParsed<typeof startMoveIn>['body'];

/** Files that people bring from elsewhere, checked or imported by a job. */
export interface MoveIns {
  upload(by: By, upload: Upload): Promise<MoveInFile>;
  removeFile(by: By, id: string): Promise<void>;
  list(accountId: number): Promise<MoveIn[]>;
  start(by: By, asked: Asked): Promise<MoveIn>;
  cancel(by: By, id: string): Promise<MoveIn>;
}

interface About {
  readonly source: MoveInSource;
  readonly dryRun: boolean;
  readonly files: readonly string[];
  /** Of a dry run: what imports the same. Those of earlier versions don't have it. */
  readonly checked?: NonNullable<MoveIn['checked']>;
}

interface Work {
  readonly author: Author;
  readonly files: Asked['files'];
  readonly options: TrackOptions;
}

export function openMoveIns(
  context: Context,
  documents: Files,
  organisation: Pick<Organisation, 'driving' | 'live'>,
): MoveIns {
  const { bus, config, db, feed, jobs, log } = context;
  const files = openMoveInFiles(config.dataDir);

  const read = async (accountId: number, id: string): Promise<MoveIn> =>
    toMoveIn(await readTransfer(db, accountId, KIND, id));

  const found = async (accountId: number, wanted: Asked['files']) =>
    Promise.all(
      wanted.map(async ({ id, name }) => {
        const file = await files.find(accountId, id);
        if (!file) throw new AppError('not-found');
        return { ...file, name };
      }),
    );

  const bringIn = async (inKb: JobRun): Promise<void> => {
    const run: JobRun = { ...inKb, progress: bytes => inKb.progress(Math.floor(bytes / KB)) };
    const { accountId } = run;
    const { author, files: wanted, options } = run.work as Work;
    const { dryRun, source } = run.about as About;
    const parts = { context, run, files: await found(accountId, wanted), dryRun };
    if (source === 'traccar') {
      const scratch = join(config.dataDir, 'move-ins', `${run.id}.part`);
      const states = await importTraccar({ ...parts, documents, author, scratch });
      if (states === null || dryRun) return;
      showStates(organisation, accountId, states);
      for (const { id } of wanted) await files.remove(accountId, id);
      await feed.settled();
      return tellStored(bus);
    }
    const { live } = organisation;
    const result = await importTracks({ ...parts, live, options, keptDays: await keptDays(db, accountId) });
    if (result === null) return;
    const report = result.report();
    if (dryRun) return void (await run.finish({ report } satisfies Result));
    await db.asAccount(accountId, async trx => {
      const changes = [{ field: 'rows', from: null, to: report.accepted }];
      await audit(trx, author, {
        action: 'data.tracks-imported',
        target: { id: run.id, name: nameOf(wanted) },
        changes,
      });
      await run.finish({ report } satisfies Result, trx);
    });
    for (const { id } of wanted) await files.remove(accountId, id);
    await feed.settled();
    tellStored(bus);
  };

  jobs.oneOffs.define({
    kind: KIND,
    run: run =>
      bringIn(run).catch((error: unknown) => {
        throw error instanceof AppError ? new JobProblem(problemOf(error)) : error;
      }),
  });
  jobs.repeat({
    name: 'old-move-in-files',
    everySeconds: 3600,
    run: async () => {
      const removed = await files.sweep(Date.now());
      if (removed > 0) log.info({ removed }, 'Removed uploaded files that nobody imported');
    },
  });

  return {
    upload: ({ session }, upload) => files.save(session.accountId, upload),
    removeFile: async ({ session }, id) => {
      if (!(await files.remove(session.accountId, id))) throw new AppError('not-found');
    },
    list: async accountId => (await listTransfers(db, accountId, KIND)).map(toMoveIn),
    start: async ({ session: { accountId, userId }, author }, { dryRun, files: wanted, options, source }) => {
      const total = (await found(accountId, wanted)).reduce((sum, { bytes }) => sum + bytes, 0);
      const checked = { files: wanted, options };
      const about: About = { source, dryRun, files: wanted.map(({ name }) => name), ...(dryRun && { checked }) };
      const work: Work = { author, files: wanted, options };
      const id = await db
        .asAccount(accountId, async trx => {
          const made = await jobs.oneOffs.add(trx, {
            ...{ accountId, userId, kind: KIND, about, work },
            total: Math.max(1, Math.ceil(total / KB)),
          });
          const action = dryRun ? 'data.files-checked' : 'data.files-started';
          await audit(trx, author, { action, target: { id: made, name: nameOf(wanted) } });
          return made;
        })
        .catch((error: unknown) => {
          throw openProblem(error, 'import-open');
        });
      await jobs.oneOffs.begin(id);
      return read(accountId, id);
    },
    cancel: async ({ session: { accountId }, author }, id) => {
      await read(accountId, id);
      if (await jobs.oneOffs.cancel(accountId, id)) {
        const target = { id, name: KIND };
        await db.asAccount(accountId, trx => audit(trx, author, { action: 'data.import-canceled', target }));
      }
      return read(accountId, id);
    },
  };
}

/** How long the account keeps positions, in days; null: for good. */
async function keptDays(db: Context['db'], accountId: number): Promise<number | null> {
  const row = await db.asAccount(accountId, trx =>
    trx.selectFrom('account_setting').select('value').where('name', '=', 'keepPositionsDays').executeTakeFirst(),
  );
  return settingsSchema.shape.keepPositionsDays.safeParse(row?.value).data ?? null;
}

interface Result {
  readonly report: MoveInReport;
}

const nameOf = (files: Asked['files']): string => {
  const [first] = files;
  return files.length > 1 ? `${first?.name} + ${files.length - 1}` : (first?.name ?? '');
};

function toMoveIn(row: TransferRow): MoveIn {
  const { checked, dryRun, files, source } = row.about as About;
  const isDone = row.state === 'done';
  const isKept = row.created_at.getTime() > Date.now() - KEPT_MS;
  return {
    ...inBytes(toTransfer(row)),
    source,
    dryRun,
    files: [...files],
    report: isDone ? (row.result as Result).report : null,
    checked: isDone && isKept && checked ? checked : null,
  };
}

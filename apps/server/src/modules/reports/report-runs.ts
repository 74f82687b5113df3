import { join } from 'node:path';
import {
  REPORT_RUNS_KEPT,
  REPORT_RUNS_KEPT_DAYS,
  REPORT_RUNS_OPEN,
  type ReportFormat,
  type ReportQuery,
  type ReportRun,
} from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import { problemOf } from '../../http/problem.ts';
import { JobProblem, type JobRun } from '../../jobs/one-off.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { openKeptFiles } from '../data-transfer/kept-files.ts';
import { roomIn } from '../data-transfer/room.ts';
import { JOB_COLUMNS, toJob } from '../jobs/rows.ts';
import { reportFor } from './catalogue.ts';
import { FORMATS } from './files/formats.ts';
import { type ReportViewer, readReader } from './reader.ts';
import type { ReportSources } from './report.ts';
import { checkAsked, resultOf } from './run.ts';
import { composeReportMail } from './schedules/compose.ts';

export const REPORT_RUN = 'report-run';
const KEPT_MS = REPORT_RUNS_KEPT_DAYS * 86_400_000;
/** A file should have what has been stored, however long that takes to count. */
const CATCH_UP_MS = 30_000;
const LISTED = 50;

/** Whole reports, written to files by jobs and kept for a while to be downloaded by who asked for them. */
export interface ReportRuns {
  list(viewer: ReportViewer): Promise<ReportRun[]>;
  start(by: By, wanted: WantedRun): Promise<ReportRun>;
  cancel(by: By, id: string): Promise<ReportRun>;
  /** One that is open is canceled. */
  remove(by: By, id: string): Promise<void>;
  download(viewer: ReportViewer, id: string): Promise<FileAnswer>;
  /** Removes old reports, and files that belong to none. */
  sweep(nowMs?: number): Promise<void>;
}

export interface WantedRun {
  readonly key: string;
  readonly format: ReportFormat;
  readonly query: ReportQuery;
}

export interface About extends WantedRun {
  readonly title: string;
  /** What the user could see when it was asked for: with other rights, they have to ask again. */
  readonly rights: string;
}

/** For the recipient of a scheduled report: how they are told. */
interface Work extends WantedRun {
  readonly told?: { readonly name: string; readonly onlyIfNotEmpty: boolean };
}

interface Result {
  readonly bytes: number;
  readonly rows: number;
  readonly late: number;
}

export const rightsOf = ({ permissions, role, scope }: ReportViewer): string =>
  JSON.stringify([role, permissions ?? null, scope && [scope.folderIds, scope.departmentIds]]);

export function openReportRuns(context: Context, sources: ReportSources): ReportRuns {
  const { config, db, jobs, log, mailer } = context;
  const files = openKeptFiles(join(config.dataDir, 'reports'));

  const select = (trx: AccountTransaction, { userId }: Pick<ReportViewer, 'userId'>) =>
    trx
      .selectFrom('job')
      .innerJoin('app_user', 'app_user.id', 'job.user_id')
      .select([...JOB_COLUMNS, 'job.about', 'job.result'])
      .where('job.kind', '=', REPORT_RUN)
      .where('job.user_id', '=', userId)
      .orderBy('job.created_at', 'desc')
      .limit(LISTED);
  type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

  const toRun = (row: Row): ReportRun => {
    const { kind: _, startedAt: _at, startedBy: _by, ...job } = toJob(row);
    const { format, key, query, title } = row.about as About;
    const period = { from: query.from, to: query.to };
    const run = { ...job, key, title, format, period };
    if (row.state !== 'done' || row.ended_at === null) return { ...run, file: null };
    const { bytes, late, rows } = row.result as Result;
    const expiresAt = new Date(row.ended_at.getTime() + KEPT_MS).toISOString();
    const name = `${key}-${period.from}-${period.to}.${format}`;
    return { ...run, file: { name, bytes, rows, late, expiresAt } };
  };
  /** Not those that were asked for with other rights, nor those past their time. */
  const isOpenTo = (viewer: ReportViewer, row: Row): boolean =>
    (row.about as About).rights === rightsOf(viewer) &&
    (row.ended_at === null || row.ended_at.getTime() + KEPT_MS > Date.now());

  const read = async (viewer: ReportViewer, id: string): Promise<ReportRun> => {
    const row = await db.asAccount(viewer.accountId, trx =>
      select(trx, viewer).where('job.id', '=', id).executeTakeFirst(),
    );
    if (!row || !isOpenTo(viewer, row)) throw new AppError('not-found');
    return toRun(row);
  };

  /** Keeps the newest of each user. */
  const forgetOld = async (kept: number, nowMs: number, userId: string | null = null): Promise<void> => {
    const { rows } = await sql<{ id: string }>`
      delete from job using (
        select id, row_number() over (partition by user_id order by created_at desc) as place from job
        where kind = ${REPORT_RUN} and ended_at is not null and user_id = coalesce(${userId}::uuid, user_id)
      ) old
      where job.id = old.id and (place > ${kept} or ended_at < ${new Date(nowMs - KEPT_MS)}) returning job.id`.execute(
      db.system,
    );
    for (const { id } of rows) await files.remove(id);
  };

  const write = async ({ accountId, finish, id, progress, signal, userId, work }: JobRun): Promise<void> => {
    const { format, key, query, told } = work as Work;
    const reader = await db.asAccount(accountId, trx => readReader(trx, accountId, userId));
    if (!reader) throw new AppError('not-allowed');
    const result = await resultOf(reportFor(reader.viewer, key), {
      session: reader.viewer,
      query,
      sources,
      catchUpMs: CATCH_UP_MS,
      progress,
      signal,
    });
    const style = { ...reader.style, language: query.language };
    const bytes = await files.write(id, FORMATS[format].write(result, style), signal);
    if (bytes === null) return;
    const { late, total } = result.head;
    const done: Result = { bytes, rows: total, late: late.count };
    // Before it is done: a server that is killed in between tells again, with the same message ID.
    if (told && reader.email !== null && mailer.works && !(told.onlyIfNotEmpty && total === 0)) {
      const { from, to: until } = query;
      const address = `/reports/${key}?from=${from}&to=${until}`;
      const mail = { id: `report-${id}`, to: reader.email, name: reader.name, language: query.language };
      await mailer.deliver(
        composeReportMail({
          ...{ ...mail, schedule: told.name, title: result.head.title, from, until },
          ...{ rows: total, late: late.count, link: config.http.publicUrl + address },
        }),
      );
    }
    if (await finish(done)) await forgetOld(REPORT_RUNS_KEPT, Date.now(), userId);
    else await files.remove(id);
  };

  jobs.oneOffs.define({
    kind: REPORT_RUN,
    run: run =>
      write(run).catch((error: unknown) => {
        // Canceled, or the server stops: nothing of it is left.
        if (run.signal.aborted) return;
        throw error instanceof AppError ? new JobProblem(problemOf(error)) : error;
      }),
  });

  const sweep = async (nowMs = Date.now()): Promise<void> => {
    await forgetOld(REPORT_RUNS_KEPT, nowMs);
    const removed = await files.sweep(async ids => {
      const rows = await db.system.selectFrom('job').select(['id', 'state']).where('id', 'in', ids).execute();
      const withState = (...states: string[]) =>
        new Set(rows.filter(({ state }) => states.includes(state)).map(({ id }) => id));
      return { open: withState('waiting', 'running'), finished: withState('done') };
    }, nowMs);
    if (removed > 0) log.info({ removed }, 'Removed files of reports that are gone');
  };
  jobs.repeat({ name: 'old-reports', everySeconds: 3600, run: () => sweep() });

  return {
    list: async viewer => {
      const rows = await db.asAccount(viewer.accountId, trx => select(trx, viewer).execute());
      return rows.filter(row => isOpenTo(viewer, row)).map(toRun);
    },

    start: async ({ author, session }, { key, format, query }) => {
      const report = reportFor(session, key);
      const vehicles = await checkAsked(report, { session, query, sources, catchUpMs: 0 });
      if ((await roomIn(files.folder)) === 0) throw new AppError('disk-full');
      const id = await db.asAccount(session.accountId, async trx => {
        // One after the other, so that nobody has more at once than they may.
        await sql`select pg_advisory_xact_lock(hashtextextended(${session.userId}, 0))`.execute(trx);
        const { open } = await trx
          .selectFrom('job')
          .select(({ fn }) => fn.countAll<string>().as('open'))
          .where('kind', '=', REPORT_RUN)
          .where('user_id', '=', session.userId)
          .where('ended_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (Number(open) >= REPORT_RUNS_OPEN) throw new AppError('report-runs-open', { limit: REPORT_RUNS_OPEN });
        const wanted: WantedRun = { key, format, query };
        const title = report.title[query.language];
        const made = await jobs.oneOffs.add(trx, {
          ...{ accountId: session.accountId, userId: session.userId, kind: REPORT_RUN },
          about: { ...wanted, title, rights: rightsOf(session) } satisfies About,
          work: wanted,
          total: Math.max(1, vehicles),
          keptDays: REPORT_RUNS_KEPT_DAYS,
        });
        await audit(trx, author, { action: 'report.started', target: { id: made, name: nameOf(title, query) } });
        return made;
      });
      await jobs.oneOffs.begin(id);
      return read(session, id);
    },

    cancel: async ({ author, session }, id) => {
      const { period, title } = await read(session, id);
      if (await jobs.oneOffs.cancel(session.accountId, id)) {
        const target = { id, name: nameOf(title, period) };
        await db.asAccount(session.accountId, trx => audit(trx, author, { action: 'report.canceled', target }));
      }
      return read(session, id);
    },

    remove: async ({ author, session }, id) => {
      const { period, title } = await read(session, id);
      await jobs.oneOffs.cancel(session.accountId, id);
      await db.asAccount(session.accountId, async trx => {
        await trx.deleteFrom('job').where('id', '=', id).execute();
        await audit(trx, author, { action: 'report.deleted', target: { id, name: nameOf(title, period) } });
      });
      await files.remove(id);
    },

    download: async (viewer, id) => {
      const { file, format, key } = await read(viewer, id);
      reportFor(viewer, key);
      if (!file || !(await files.has(id))) throw new AppError('not-found');
      return new FileAnswer(files.read(id), { type: FORMATS[format].type, saveAs: file.name });
    },

    sweep,
  };
}

const nameOf = (title: string, { from, to }: { readonly from: string; readonly to: string }): string =>
  `${title}, ${from} – ${to}`;

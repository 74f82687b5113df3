import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  EVIDENCE_MAX_DAYS,
  type Language,
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
import { collect } from '../evidence/collect.ts';
import { evidencePack } from '../evidence/pack.ts';
import { EVIDENCE_WORDS } from '../evidence/words.ts';
import { DAY_MS } from '../history/days/calendar.ts';
import { JOB_COLUMNS, toJob } from '../jobs/rows.ts';
import { openMapFiles } from '../maps/map-files.ts';
import { reportFor } from './catalogue.ts';
import { FORMATS } from './files/formats.ts';
import { type Reader, type ReportViewer, readReader } from './reader.ts';
import type { ReportSources } from './report.ts';
import { checkAsked, resultOf } from './run.ts';
import { composeReportMail } from './schedules/compose.ts';

export const REPORT_RUN = 'report-run';
const KEPT_MS = REPORT_RUNS_KEPT_DAYS * 86_400_000;
/** A file should have what has been stored, however long that takes to count. */
const CATCH_UP_MS = 30_000;
const LISTED = 50;
/** Many mail servers refuse more than 20 MB, and an attachment grows by a third on its way. */
const ATTACHED_MAX_BYTES = 10_000_000;
/** A week with a change of the clock is an hour longer. */
const CLOCK_CHANGE_MS = 3_600_000;

/** Whole reports, written to files by jobs and kept for a while to be downloaded by who asked for them. */
export interface ReportRuns {
  list(viewer: ReportViewer): Promise<ReportRun[]>;
  start(by: By, wanted: WantedRun): Promise<ReportRun>;
  startEvidence(by: By, wanted: WantedEvidence): Promise<ReportRun>;
  /** Asks for the same once more, with what the user may see now. */
  again(by: By, id: string): Promise<ReportRun>;
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

/** ISO times, both included. */
export interface WantedEvidence {
  readonly vehicles: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly language: Language;
}

/** What an evidence pack is in the list of reports. */
const EVIDENCE = 'evidence';

export interface About extends WantedRun {
  readonly title: string;
  /** An evidence pack instead of a report. */
  readonly evidence?: WantedEvidence;
  /** What the user could see when it was asked for: with other rights, they have to ask again. */
  readonly rights: string;
}

interface Work extends WantedRun {
  /** An evidence pack instead of a report; the same whenever it is written. */
  readonly evidence?: WantedEvidence & { readonly madeAt: string };
  /** For the recipient of a scheduled report: how they are notified. */
  readonly told?: { readonly name: string; readonly onlyIfNotEmpty: boolean; readonly attaches: boolean };
}

interface Result {
  readonly bytes: number;
  readonly sha256?: string;
  readonly rows: number;
  readonly late: number;
}

export const rightsOf = ({ permissions, role, scope }: ReportViewer): string =>
  JSON.stringify([role, permissions ?? null, scope && [scope.folderIds, scope.departmentIds]]);

export function openReportRuns(context: Context, sources: ReportSources): ReportRuns {
  const { config, db, jobs, log, mailer } = context;
  const files = openKeptFiles(join(config.dataDir, 'reports'));
  const mapFiles = openMapFiles(config.dataDir);

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
    const { bytes, late, rows, sha256 = null } = row.result as Result;
    const expiresAt = new Date(row.ended_at.getTime() + KEPT_MS).toISOString();
    return { ...run, file: { name: fileNameOf(key, period, format), bytes, rows, sha256, late, expiresAt } };
  };
  /** Not those that were asked for with other rights, nor those past their time. */
  const isOpenTo = (viewer: ReportViewer, row: Row): boolean =>
    (row.about as About).rights === rightsOf(viewer) &&
    (row.ended_at === null || row.ended_at.getTime() + KEPT_MS > Date.now());

  const found = async (viewer: ReportViewer, id: string): Promise<Row> => {
    const row = await db.asAccount(viewer.accountId, trx =>
      select(trx, viewer).where('job.id', '=', id).executeTakeFirst(),
    );
    if (!row || !isOpenTo(viewer, row)) throw new AppError('not-found');
    return row;
  };
  const read = async (viewer: ReportViewer, id: string): Promise<ReportRun> => toRun(await found(viewer, id));

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

  /** Writes the pieces to the file of a job; null if it was canceled. */
  const writeFile = async (id: string, pieces: AsyncIterable<string | Uint8Array>, signal: AbortSignal) => {
    const digest = createHash('sha256');
    const hashed = async function* () {
      for await (const piece of pieces) {
        digest.update(piece);
        yield piece;
      }
    };
    const bytes = await files.write(id, hashed(), signal);
    return bytes === null ? null : { bytes, sha256: digest.digest('hex') };
  };

  const writeReport = async ({ id, progress, signal, work }: JobRun, reader: Reader): Promise<Result | null> => {
    const { format, key, query, told } = work as Work;
    const report = reportFor(reader.viewer, key);
    const reading = { session: reader.viewer, query, sources, catchUpMs: CATCH_UP_MS, progress, signal };
    const result = await resultOf(report, reading);
    const style = { ...reader.style, language: query.language };
    const written = await writeFile(id, FORMATS[format].write(result, style), signal);
    if (written === null) return null;
    const { late, total } = result.head;
    // Before it is done: a server that is killed in between tells again, with the same message ID.
    if (told && reader.email !== null && mailer.works && !(told.onlyIfNotEmpty && total === 0)) {
      const { from, to: until } = query;
      const address = `/reports/${key}?from=${from}&to=${until}`;
      const attached = told.attaches && written.bytes <= ATTACHED_MAX_BYTES ? await buffer(files.read(id)) : null;
      const mail = { id: `report-${id}`, to: reader.email, name: reader.name, language: query.language };
      const composed = composeReportMail({
        ...{ ...mail, schedule: told.name, title: result.head.title, from, until },
        ...{ rows: total, late: late.count, link: config.http.publicUrl + address },
        file: attached ? 'attached' : told.attaches ? 'too-large' : 'linked',
      });
      const file = { name: fileNameOf(key, query, format), type: FORMATS[format].type };
      await mailer.deliver({ ...composed, ...(attached && { attachment: { ...file, content: attached } }) });
    }
    return { ...written, rows: total, late: late.count };
  };

  const writeEvidence = async (
    { id, progress, signal }: JobRun,
    reader: Reader,
    { from, language, madeAt, to, vehicles: ids }: NonNullable<Work['evidence']>,
  ): Promise<Result | null> => {
    const { figures, visibility } = sources.parts;
    const { viewer } = reader;
    const vehicles = ids.map(vehicleId => visibility.vehicle(viewer, Number(vehicleId)));
    const numbers = vehicles.map(vehicle => vehicle.id);
    await figures.manager.catchUp(viewer.accountId, numbers, CATCH_UP_MS);
    const packing = {
      ...{ sources, viewer, style: { ...reader.style, language }, mapFiles },
      period: { from: new Date(from), to: new Date(to) },
      ...{ madeAt: new Date(madeAt), nowMs: Date.parse(madeAt), madeBy: reader.name },
      verifyPage: `${config.http.publicUrl}/verify-log.html`,
    };
    const collected = await collect({ ...packing, vehicles, progress, signal });
    const written = await writeFile(id, evidencePack(packing, collected), signal);
    return written && { ...written, rows: collected.events.length, late: 0 };
  };

  const write = async (run: JobRun): Promise<void> => {
    const { accountId, finish, id, userId, work } = run;
    const reader = await db.asAccount(accountId, trx => readReader(trx, accountId, userId));
    if (!reader) throw new AppError('not-allowed');
    const { evidence } = work as Work;
    const result = await (evidence ? writeEvidence(run, reader, evidence) : writeReport(run, reader));
    if (result === null) return;
    if (await finish(result)) await forgetOld(REPORT_RUNS_KEPT, Date.now(), userId);
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

  const add = async (
    { author, session }: By,
    wanted: WantedRun,
    { evidence, title, total }: { title: string; total: number; evidence?: Work['evidence'] },
  ): Promise<ReportRun> => {
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
      const made = await jobs.oneOffs.add(trx, {
        ...{ accountId: session.accountId, userId: session.userId, kind: REPORT_RUN },
        about: { ...wanted, title, rights: rightsOf(session), ...(evidence && { evidence }) } satisfies About,
        work: { ...wanted, ...(evidence && { evidence }) } satisfies Work,
        total: Math.max(1, total),
        keptDays: REPORT_RUNS_KEPT_DAYS,
      });
      await audit(trx, author, { action: 'report.started', target: { id: made, name: nameOf(title, wanted.query) } });
      return made;
    });
    await jobs.oneOffs.begin(id);
    return read(session, id);
  };

  const runs: ReportRuns = {
    again: async (by, id) => {
      const { evidence, format, key, query } = (await found(by.session, id)).about as About;
      return evidence ? runs.startEvidence(by, evidence) : runs.start(by, { key, format, query });
    },

    list: async viewer => {
      const rows = await db.asAccount(viewer.accountId, trx => select(trx, viewer).execute());
      return rows.filter(row => isOpenTo(viewer, row)).map(toRun);
    },

    start: async (by, { key, format, query }) => {
      const report = reportFor(by.session, key);
      const total = await checkAsked(report, { session: by.session, query, sources, catchUpMs: 0 });
      return add(by, { key, format, query }, { title: report.title[query.language], total });
    },

    startEvidence: async (by, { from, language, to, vehicles }) => {
      const { figures, visibility } = sources.parts;
      const { accountId } = by.session;
      if (Date.parse(to) - Date.parse(from) > EVIDENCE_MAX_DAYS * DAY_MS + CLOCK_CHANGE_MS) {
        throw new AppError('range-too-long', { days: EVIDENCE_MAX_DAYS });
      }
      const ids = [...new Set(vehicles)].map(id => String(visibility.vehicle(by.session, Number(id)).id));
      const calendar = figures.calendar(accountId);
      const dateAt = (iso: string): string => calendar.dateOf(calendar.dayOf(Date.parse(iso)));
      const query: ReportQuery = { from: dateAt(from), to: dateAt(to), language, vehicles: ids };
      const { title } = EVIDENCE_WORDS[language];
      const evidence = { vehicles: ids, from, to, language, madeAt: new Date().toISOString() };
      return add(by, { key: EVIDENCE, format: 'pdf', query }, { title, total: ids.length, evidence });
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
      if (key !== EVIDENCE) reportFor(viewer, key);
      if (!file || !(await files.has(id))) throw new AppError('not-found');
      return new FileAnswer(files.read(id), { type: FORMATS[format].type, saveAs: file.name });
    },

    sweep,
  };
  return runs;
}

const fileNameOf = (
  key: string,
  { from, to }: { readonly from: string; readonly to: string },
  format: string,
): string => `${key}-${from}-${to}.${format}`;

const nameOf = (title: string, { from, to }: { readonly from: string; readonly to: string }): string =>
  `${title}, ${from} – ${to}`;

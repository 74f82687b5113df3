import { createHash } from 'node:crypto';
import { type LogExport, may, type RouteParsed, type readOutputFile, type readVerifiableLog } from '@milepost/contract';
import {
  addDays,
  buildOutputFile,
  dayOf,
  describeOutputFault,
  outputFileName,
  startOfDate,
  writeOutputFile,
} from '@milepost/eld';
import { ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import { FileAnswer } from '../../../http/file-answer.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { importedAt } from '../../audit/imported-at.ts';
import { readLogFrom } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { hasLog, ownTerms } from '../desk/log-access.ts';
import { exportLog } from '../export.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver, readTermsOf } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { outputSubject } from './output-subject.ts';

const KEPT_MS = 184 * 24 * 3_600_000;

/** With which an officer can take a file without a session. */
interface FileLink {
  readonly hash: Buffer;
  readonly until: Date;
}

/** The files made of drivers’ logs: each is noted with its maker, and output files are kept. */
export function createLogFiles({ db, feed }: Pick<Context, 'db' | 'feed'>, roster: LogRoster) {
  /** The named driver’s terms for those who may read logs, or the caller’s own. */
  const termsFor = async (trx: AccountTransaction, { session }: By, driverId: string | undefined) => {
    if (driverId === undefined) return { terms: await ownTerms(trx, session), isOwn: true };
    const terms = await readTermsOf(trx, Number(driverId));
    const isOwn = terms?.userId === session.userId;
    if (!terms || !(isOwn || may(session, 'logbook.read'))) throw new AppError('not-found');
    if (!(await hasLog(trx, terms))) throw new AppError('not-found');
    if (!isOwn) await roster.seen(trx, session, terms.driverId);
    return { terms, isOwn };
  };

  const note = async (
    trx: AccountTransaction,
    { session, author }: By,
    terms: DriverTerms,
    file: Pick<LogExport, 'kind' | 'fileName' | 'from' | 'to' | 'comment' | 'atRoadside'> & { readonly text: string },
    now: number,
    link: FileLink | null = null,
  ): Promise<string> => {
    const { text, kind } = file;
    const user = await trx
      .selectFrom('app_user')
      .select('display_name')
      .where('id', '=', session.userId)
      .executeTakeFirst();
    const { id } = await trx
      .insertInto('log_export')
      .values({
        account_id: session.accountId,
        driver_id: terms.driverId,
        driver_name: terms.name,
        kind,
        file_name: file.fileName,
        from_date: file.from,
        to_date: file.to,
        comment: file.comment,
        made_at: new Date(now),
        made_by: session.userId,
        made_by_name: user?.display_name ?? session.userName,
        at_roadside: file.atRoadside,
        sha256: createHash('sha256').update(text).digest('hex'),
        // A whole log can be exported again at any time; what an officer was given can’t be made again.
        content: kind === 'output-file' ? text : null,
        ...(link && { token_hash: link.hash, token_until: link.until }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(trx, author, {
      action: 'log.exported',
      target: { id: terms.driverId, name: terms.name },
      changes: [{ field: 'file', from: null, to: file.fileName }],
    });
    return id;
  };

  /** An output file with its ID among the files that were made. */
  const makeOutputFile = async (
    by: By,
    query: RouteParsed<typeof readOutputFile>['query'],
    now: number,
    link: FileLink | null = null,
  ) => {
    const { session } = by;
    const made = await db.asAccount(session.accountId, async trx => {
      const { terms, isOwn } = await termsFor(trx, by, query.driverId);
      const home = homeOfTerminal(terms.terminal);
      const to = query.to ?? dayOf(epochMs(now), home);
      const from = query.from ?? addDays(to, 1 - Math.max(8, ruleSets[terms.ruleSet].cycle.days));
      const period = { from: startOfDate(from, home), to: startOfDate(addDays(to, 1), home) };
      const log = await readLogFrom(trx, logOfDriver(terms.driverId), period.from, home);
      const subject = await outputSubject(trx, terms, log, period, query.comment, now);
      const written = writeOutputFile(buildOutputFile(subject));
      if (!written.ok) {
        const [fault] = written.fault;
        throw new AppError('output-file-impossible', { reason: fault ? describeOutputFault(fault) : '' });
      }
      const { lastName, licenceNumber } = subject.driver;
      const fileName = outputFileName(lastName, licenceNumber, epochMs(now), home.timeZone);
      const text = written.value;
      const file = { kind: 'output-file', fileName, from, to, comment: query.comment, text } as const;
      const id = await note(trx, by, terms, { ...file, atRoadside: isOwn }, now, link);
      return { id, ...file };
    });
    await feed.settled();
    return made;
  };

  return {
    makeOutputFile,
    outputFile: async (...asked: Parameters<typeof makeOutputFile>): Promise<FileAnswer> => {
      const made = await makeOutputFile(...asked);
      return new FileAnswer(made.text, { type: 'text/csv', saveAs: made.fileName });
    },

    verifiableLog: async (
      by: By,
      { driverId, purpose }: RouteParsed<typeof readVerifiableLog>['query'],
      now: number,
    ): Promise<FileAnswer> => {
      const made = await db.asAccount(by.session.accountId, async trx => {
        const { terms } = await termsFor(trx, by, driverId);
        const text = await exportLog(trx, logOfDriver(terms.driverId), now);
        if (text === null) throw new AppError('no-log');
        const fileName = `log-${terms.driverId}-${iso(now).slice(0, 10)}.jsonl`;
        const file = {
          kind: 'verifiable-log',
          fileName,
          from: null,
          to: null,
          comment: '',
          atRoadside: false,
        } as const;
        if (purpose === 'file') await note(trx, by, terms, { ...file, text }, now);
        return { text, fileName };
      });
      await feed.settled();
      return new FileAnswer(made.text, { type: 'application/x-ndjson', saveAs: made.fileName });
    },

    /** An output file that was made before, exactly as it was given. */
    kept: async (by: By, id: string): Promise<FileAnswer> => {
      const { session } = by;
      const row = await db.asAccount(session.accountId, async trx => {
        const found = await trx
          .selectFrom('log_export')
          .select(['driver_id', 'file_name', 'content'])
          .where('id', '=', id)
          .executeTakeFirst();
        if (!found?.content) throw new AppError('not-found');
        await roster.seen(trx, session, found.driver_id);
        return found;
      });
      return new FileAnswer(row.content ?? '', { type: 'text/csv', saveAs: row.file_name });
    },

    /** The files made of these drivers’ logs in six months, newest first. */
    list: async (
      trx: AccountTransaction,
      drivers: readonly Pick<DriverTerms, 'driverId'>[],
      now: number,
    ): Promise<LogExport[]> => {
      const ids = new Set(drivers.map(({ driverId }) => driverId));
      const rows = await trx
        .selectFrom('log_export')
        .select(['id', 'driver_id', 'driver_name', 'kind', 'file_name', 'comment', 'made_at', 'made_by_name'])
        .select(['at_roadside', 'sha256', 'mailed_to', 'taken_at', 'imported_at'])
        .select(sql<string | null>`from_date::text`.as('from'))
        .select(sql<string | null>`to_date::text`.as('to'))
        .where('made_at', '>=', new Date(now - KEPT_MS))
        .orderBy('made_at', 'desc')
        .execute();
      return rows
        .filter(({ driver_id }) => ids.has(driver_id))
        .map(row => ({
          id: row.id,
          driverId: String(row.driver_id),
          driverName: row.driver_name,
          kind: row.kind,
          fileName: row.file_name,
          from: row.from,
          to: row.to,
          comment: row.comment,
          at: row.made_at.toISOString(),
          by: row.made_by_name,
          atRoadside: row.at_roadside,
          mailedTo: row.mailed_to,
          takenAt: row.taken_at?.toISOString() ?? null,
          ...importedAt(row),
          sha256: row.sha256,
        }));
    },
  };
}
export type LogFiles = ReturnType<typeof createLogFiles>;

import {
  may,
  type newReportScheduleSchema,
  REPORT_RUNS_KEPT_DAYS,
  REPORT_SCHEDULES_MAX,
  type ReportFormat,
  type ReportPeriod,
  type ReportRule,
  type ReportSchedule,
} from '@milepost/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { readAccountSettings } from '../../tenancy/settings.ts';
import { REPORTS, reportFor } from '../catalogue.ts';
import { type ReportViewer, readReader } from '../reader.ts';
import type { ReportSources } from '../report.ts';
import { type About, REPORT_RUN, rightsOf, type WantedRun } from '../report-runs.ts';
import { checkAsked } from '../run.ts';
import { daysOfPeriod, nextAt } from './when.ts';

type Row = Selectable<Database['report_schedule']>;

/** Reports that the server has written again and again. Each recipient gets what they may see themselves. */
export interface ReportSchedules {
  list(viewer: ReportViewer): Promise<ReportSchedule[]>;
  create(by: By, wanted: z.output<typeof newReportScheduleSchema>): Promise<ReportSchedule>;
  remove(by: By, id: number): Promise<void>;
  /** Starts what is due: each time once, whatever is killed. */
  startDue(nowMs?: number): Promise<void>;
}

export function openReportSchedules(context: Context, sources: ReportSources): ReportSchedules {
  const { db, jobs } = context;
  const { figures } = sources.parts;

  const toSchedule = (row: Row, names: ReadonlyMap<string, string>): ReportSchedule => ({
    id: String(row.id),
    name: row.name,
    key: row.report,
    format: row.format as ReportFormat,
    period: row.period as ReportPeriod,
    rule: row.rule as ReportRule,
    onlyIfNotEmpty: row.only_if_not_empty,
    attaches: row.attaches,
    recipients: row.recipients.map(id => ({ id, name: names.get(id) ?? '' })),
    zone: figures.calendar(row.account_id).zone,
    nextAt: row.next_at.toISOString(),
    lastAt: row.last_at?.toISOString() ?? null,
  });
  const answers = async (trx: AccountTransaction, rows: readonly Row[]): Promise<ReportSchedule[]> => {
    const ids = [...new Set(rows.flatMap(({ recipients }) => recipients))];
    const users =
      ids.length === 0
        ? []
        : await trx.selectFrom('app_user').select(['id', 'display_name']).where('id', 'in', ids).execute();
    const names = new Map(users.map(({ id, display_name }) => [id, display_name]));
    return rows.map(row => toSchedule(row, names));
  };

  /** Users whom the author may see; the others don't exist for them. */
  const checkRecipients = async (trx: AccountTransaction, viewer: ReportViewer, ids: readonly string[]) => {
    const others = ids.filter(id => id !== viewer.userId);
    if (others.length === 0) return;
    if (!may(viewer, 'users.read')) throw new AppError('not-allowed');
    const rows = await trx
      .selectFrom('app_user')
      .leftJoin('driver', 'driver.user_id', 'app_user.id')
      .select(['app_user.id', 'scope_folders', 'scope_departments', 'driver.id as driver_id', 'driver.department_id'])
      .where('app_user.id', 'in', others)
      .execute();
    const seen = rows.filter(row => {
      const { department_id: departmentId, scope_departments: departmentIds, scope_folders: folderIds } = row;
      const scope = folderIds && departmentIds && { folderIds, departmentIds };
      const driver = row.driver_id === null ? null : { departmentId };
      return sources.parts.visibility.holdsUser(viewer, { scope, driver });
    });
    if (new Set(seen.map(({ id }) => id)).size < new Set(others).size) throw new AppError('not-found');
  };

  const startOne = (accountId: number, id: number, nowMs: number): Promise<string[]> =>
    db.asAccount(accountId, async trx => {
      const row = await trx
        .selectFrom('report_schedule')
        .selectAll()
        .where('id', '=', id)
        .where('next_at', '<=', new Date(nowMs))
        .forUpdate()
        .executeTakeFirst();
      if (!row) return [];
      const calendar = figures.calendar(accountId);
      const { settings } = await readAccountSettings(trx);
      const due = calendar.dayOf(row.next_at.getTime());
      const days = daysOfPeriod(calendar, row.period as ReportPeriod, due, settings.firstWeekday);
      const started: string[] = [];
      const isOwnerActive = (await readReader(trx, accountId, row.user_id)) !== null;
      for (const userId of isOwnerActive ? row.recipients : []) {
        const reader = await readReader(trx, accountId, userId);
        if (!reader) continue;
        const { language } = reader.style;
        const query = {
          ...(row.query as object),
          language,
          from: calendar.dateOf(days.from),
          to: calendar.dateOf(days.to),
        };
        const wanted: WantedRun = { key: row.report, format: row.format as ReportFormat, query };
        const title = REPORTS.find(({ key }) => key === row.report)?.title[language] ?? row.report;
        const told = { name: row.name, onlyIfNotEmpty: row.only_if_not_empty, attaches: row.attaches };
        started.push(
          await jobs.oneOffs.add(trx, {
            ...{ accountId, userId, kind: REPORT_RUN, total: 1, keptDays: REPORT_RUNS_KEPT_DAYS },
            about: { ...wanted, title, rights: rightsOf(reader.viewer) } satisfies About,
            work: { ...wanted, told },
          }),
        );
      }
      const next = new Date(nextAt(calendar, row.rule as ReportRule, nowMs));
      await trx
        .updateTable('report_schedule')
        .set({ next_at: next, last_at: new Date(nowMs) })
        .where('id', '=', id)
        .execute();
      return started;
    });

  const startDue = async (nowMs = Date.now()): Promise<void> => {
    const due = await db.system
      .selectFrom('report_schedule')
      .select(['id', 'account_id'])
      .where('next_at', '<=', new Date(nowMs))
      .orderBy('next_at')
      .limit(DUE_AT_ONCE)
      .execute();
    for (const { account_id, id } of due) {
      for (const job of await startOne(account_id, id, nowMs)) await jobs.oneOffs.begin(job);
    }
  };
  jobs.repeat({ name: 'scheduled-reports', everySeconds: 60, run: () => startDue() });

  return {
    list: viewer =>
      db.asAccount(viewer.accountId, async trx =>
        answers(
          trx,
          await trx
            .selectFrom('report_schedule')
            .selectAll()
            .where('user_id', '=', viewer.userId)
            .orderBy('next_at')
            .orderBy('id')
            .execute(),
        ),
      ),

    create: async ({ author, session }, wanted) => {
      const { attaches, format, key, name, onlyIfNotEmpty, period, query, recipients, rule } = wanted;
      const { accountId, userId } = session;
      const report = reportFor(session, key);
      const nowMs = Date.now();
      const calendar = figures.calendar(accountId);
      const today = calendar.dateOf(calendar.dayOf(nowMs));
      const asked = { ...query, from: today, to: today, language: 'en-US' } as const;
      await checkAsked(report, { session, query: asked, sources, catchUpMs: 0 });
      return db.asAccount(accountId, async trx => {
        await checkRecipients(trx, session, recipients);
        const { count } = await trx
          .selectFrom('report_schedule')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= REPORT_SCHEDULES_MAX)
          throw new AppError('too-many-schedules', { limit: REPORT_SCHEDULES_MAX });
        const row = await trx
          .insertInto('report_schedule')
          .values({
            ...{ account_id: accountId, user_id: userId, name, report: key, format, period },
            query: JSON.stringify(query),
            rule: JSON.stringify(rule),
            ...{ only_if_not_empty: onlyIfNotEmpty, attaches },
            recipients: recipients.length === 0 ? [userId] : [...new Set(recipients)],
            next_at: new Date(nextAt(calendar, rule, nowMs)),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await audit(trx, author, { action: 'report.scheduled', target: { id: row.id, name } });
        const [schedule] = await answers(trx, [row]);
        return schedule as ReportSchedule;
      });
    },

    remove: ({ author, session }, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = await trx
          .deleteFrom('report_schedule')
          .where('id', '=', id)
          .where('user_id', '=', session.userId)
          .returning('name')
          .executeTakeFirst();
        if (!row) throw new AppError('not-found');
        await audit(trx, author, { action: 'report.unscheduled', target: { id, name: row.name } });
      }),

    startDue,
  };
}

const DUE_AT_ONCE = 500;

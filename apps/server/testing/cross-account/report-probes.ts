import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readReader } from '../../src/modules/reports/reader.ts';
import { REPORT_RUN, rightsOf } from '../../src/modules/reports/report-runs.ts';
import type { TestHttpServer } from '../http-server.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import { namesNothing, type Probes } from './probe.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const PERIOD = { from: daysAgo(3), to: daysAgo(0) };

/** A report of theirs, with its file; one that does not exist of those who do not. */
async function reportRun(
  { context }: TestHttpServer,
  { accountId, marker, userId, vehicleId }: UserWithData,
  isDone = false,
): Promise<string> {
  const id = randomUUID();
  if (vehicleId === UNKNOWN_IDS.vehicleId) return id;
  const { db, config } = context;
  const reader = await db.asAccount(accountId, trx => readReader(trx, accountId, userId));
  if (!reader) return id;
  const query = { ...PERIOD, language: 'en-US' };
  const about = { key: 'trips', format: 'csv', query, title: marker, rights: rightsOf(reader.viewer) };
  await db.system
    .insertInto('job')
    .values({
      ...{ id, account_id: accountId, user_id: userId, kind: REPORT_RUN, work: '{}', total: 1 },
      about: JSON.stringify(about),
      state: isDone ? 'done' : 'waiting',
      ended_at: isDone ? new Date() : null,
      result: isDone ? JSON.stringify({ bytes: marker.length, rows: 1, late: 0 }) : null,
    })
    .execute();
  const folder = join(config.dataDir, 'reports');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id), marker);
  return id;
}
const SCHEDULE = {
  name: 'Every morning',
  key: 'trips',
  format: 'csv',
  period: 'yesterday',
  rule: { every: 'day', minute: 360 },
};

/** A schedule of theirs; one that does not exist of those who do not. */
async function reportSchedule(
  { context }: TestHttpServer,
  { accountId, marker, userId, vehicleId }: UserWithData,
): Promise<string> {
  if (vehicleId === UNKNOWN_IDS.vehicleId) return '2000000000';
  const { key: report, rule, ...of } = SCHEDULE;
  const { id } = await context.db.system
    .insertInto('report_schedule')
    .values({
      ...{ ...of, account_id: accountId, user_id: userId, name: marker, report, rule: JSON.stringify(rule) },
      ...{ query: '{}', only_if_not_empty: false, recipients: [userId], next_at: new Date(Date.now() + 3_600_000) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}
const ofRun = (id: string) => ({ params: { id } });

export const reportProbes: Probes = {
  listReports: namesNothing,
  runReport: {
    call: ({ vehicleId }) => ({
      params: { key: 'daily-summary' },
      query: { ...PERIOD, vehicles: vehicleId, groupBy: 'vehicle', compare: 'true' },
    }),
    aboutOthers: 404,
  },
  listReportRuns: {
    call: async (of, _, server) => {
      await reportRun(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  startReportRun: {
    call: ({ vehicleId }) => ({ body: { ...PERIOD, key: 'trips', format: 'xlsx', vehicles: vehicleId } }),
    aboutOthers: 404,
  },
  startEvidencePack: {
    call: ({ vehicleId }) => ({
      body: { vehicles: [vehicleId], from: `${daysAgo(3)}T00:00:00Z`, to: `${daysAgo(1)}T00:00:00Z` },
    }),
    aboutOthers: 404,
  },
  listReportSchedules: {
    call: async (of, _, server) => {
      await reportSchedule(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  createReportSchedule: {
    call: ({ vehicleId }) => ({ body: { ...SCHEDULE, query: { vehicles: vehicleId } } }),
    aboutOthers: 404,
  },
  deleteReportSchedule: { call: async (of, _, server) => ofRun(await reportSchedule(server, of)), aboutOthers: 404 },
  repeatReportRun: { call: async (of, _, server) => ofRun(await reportRun(server, of, true)), aboutOthers: 404 },
  cancelReportRun: { call: async (of, _, server) => ofRun(await reportRun(server, of)), aboutOthers: 404 },
  deleteReportRun: { call: async (of, _, server) => ofRun(await reportRun(server, of, true)), aboutOthers: 404 },
  readReportFile: { call: async (of, _, server) => ofRun(await reportRun(server, of, true)), aboutOthers: 404 },
};

import { type Language, may, type Report as ReportAnswer, type ReportGrouping } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import { afterHours } from './definitions/after-hours.ts';
import { alertNoise } from './definitions/alert-noise.ts';
import { alertsResponse } from './definitions/alerts-response.ts';
import { auditLog } from './definitions/audit-log.ts';
import { chronology } from './definitions/chronology.ts';
import { coldChain } from './definitions/cold-chain.ts';
import { commandsSent } from './definitions/commands-sent.ts';
import { dailySummary } from './definitions/daily-summary.ts';
import { detention } from './definitions/detention.ts';
import { deviceHealth } from './definitions/device-health.ts';
import { due } from './definitions/due.ts';
import { formAndManner } from './definitions/form-and-manner.ts';
import { fuel } from './definitions/fuel.ts';
import { harshEvents } from './definitions/harsh-events.ts';
import { hoursViolations } from './definitions/hours-violations.ts';
import { idleCost } from './definitions/idle-cost.ts';
import { idleTime } from './definitions/idle-time.ts';
import { logEdits } from './definitions/log-edits.ts';
import { logSummary } from './definitions/log-summary.ts';
import { mileage } from './definitions/mileage.ts';
import { overLimit } from './definitions/over-limit.ts';
import { personalUse } from './definitions/personal-use.ts';
import { routePoints } from './definitions/route-points.ts';
import { scoreInputs } from './definitions/score-inputs.ts';
import { scores } from './definitions/scores.ts';
import { signIns } from './definitions/sign-ins.ts';
import { speeding } from './definitions/speeding.ts';
import { stateMiles } from './definitions/state-miles.ts';
import { stops } from './definitions/stops.ts';
import { tasks } from './definitions/tasks.ts';
import { temperatureAlerts } from './definitions/temperature-alerts.ts';
import { timeOnSite } from './definitions/time-on-site.ts';
import { trips } from './definitions/trips.ts';
import { uncertifiedDays } from './definitions/uncertified-days.ts';
import { unidentifiedDriving } from './definitions/unidentified-driving.ts';
import { utilization } from './definitions/utilization.ts';
import { visits } from './definitions/visits.ts';
import type { ReportViewer } from './reader.ts';
import type { Report } from './report.ts';

/** Every report, in the order of the page. */
export const REPORTS: readonly Report[] = [
  trips,
  stops,
  chronology,
  routePoints,
  visits,
  timeOnSite,
  detention,
  dailySummary,
  afterHours,
  idleTime,
  overLimit,
  speeding,
  harshEvents,
  scores,
  scoreInputs,
  logSummary,
  hoursViolations,
  formAndManner,
  uncertifiedDays,
  unidentifiedDriving,
  logEdits,
  personalUse,
  alertsResponse,
  alertNoise,
  mileage,
  stateMiles,
  utilization,
  fuel,
  idleCost,
  coldChain,
  temperatureAlerts,
  deviceHealth,
  due,
  tasks,
  commandsSent,
  signIns,
  auditLog,
];

const isOpenTo = (session: ReportViewer, { needs }: Report): boolean => needs === undefined || may(session, needs);

/** Folders are for those who may see them. */
export const groupingsFor = (session: ReportViewer, { groupings }: Report): ReportGrouping[] =>
  groupings.filter(grouping => grouping !== 'folder' || may(session, 'organisation.read'));

/** The report, if the caller may run it. */
export function reportFor(session: ReportViewer, key: string): Report {
  const report = REPORTS.find(each => each.key === key);
  if (!report) throw new AppError('not-found');
  if (!isOpenTo(session, report)) throw new AppError('not-allowed');
  return report;
}

const opensBy = (session: ReportViewer, report: Report): ReportGrouping | null => {
  const wanted = report.opensBy === undefined ? report.groupings[0] : report.opensBy;
  return groupingsFor(session, report).find(grouping => grouping === wanted) ?? null;
};

export const catalogueFor = (session: ReportViewer, language: Language): ReportAnswer[] =>
  REPORTS.filter(report => isOpenTo(session, report)).map(report => ({
    key: report.key,
    section: report.section,
    title: report.title[language],
    text: report.text[language],
    columns: columnsIn(report, language),
    groupings: groupingsFor(session, report),
    opensBy: opensBy(session, report),
    looksAhead: report.looksAhead ?? false,
    chart: report.chart ?? null,
    options: (report.options ?? []).map(({ key, title, value }) => ({ key, title: title[language], value })),
  }));

export const columnsIn = ({ columns }: Report, language: Language): ReportAnswer['columns'] =>
  columns.map(({ key, title, type, total }) => ({
    key,
    title: title[language],
    type,
    hasTotal: total !== undefined,
  }));

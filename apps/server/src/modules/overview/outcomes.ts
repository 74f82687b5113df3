import {
  may,
  OUTCOME_TILES,
  type OutcomeTile,
  type OverviewOutcomes,
  type PerformanceWeights,
  readOverviewOutcomes,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { Calendar } from '../history/days/calendar.ts';
import { fleetSums } from '../history/days/day-sums.ts';
import type { EvidenceItem } from '../logbook/performance/evidence.ts';
import { scoreOf } from '../logbook/performance/score.ts';
import { hoursViolations, violationsBegun } from '../reports/definitions/hours-violations.ts';
import { scores } from '../reports/definitions/scores.ts';
import { speeding } from '../reports/definitions/speeding.ts';
import { tasks } from '../reports/definitions/tasks.ts';
import { temperatureAlerts } from '../reports/definitions/temperature-alerts.ts';
import { logDayItems } from '../reports/log-items.ts';
import type { Asked, Report, ReportParts, ReportSources } from '../reports/report.ts';
import { askedOf, before } from '../reports/run.ts';
import { readScored } from '../reports/score-items.ts';
import { createReportSources } from '../reports/sources.ts';
import { watchedSince } from './alert-counts.ts';
import { askedPeriod, type Period, previousOf } from './period.ts';
import { tileOf } from './tiles.ts';

const REPORT_OF: Readonly<Record<OutcomeTile, Report>> = {
  score: scores,
  speeding,
  onTime: tasks,
  violations: hoursViolations,
  temperature: temperatureAlerts,
};

/** Reports about drivers, who have no folder. */
const OF_DRIVERS: ReadonlySet<OutcomeTile> = new Set(['score', 'violations']);

interface Days {
  readonly asked: Asked;
  readonly period: Period;
  readonly today: number;
  /** The first day on which any of the vehicles has figures. */
  readonly since: number;
  /** The first day on which alerts were watched for. */
  readonly watchedSince: number;
  /** A period that begins earlier is not compared with. */
  readonly comparedSince?: number | undefined;
  readonly distanceOn: (day: number) => number;
}

type Tile = Pick<OverviewOutcomes['tiles'][number], 'value' | 'previous' | 'change' | 'series' | 'rows'>;

/** The tiles that are sums of reports, made from the rows of those reports. */
export function registerOverviewOutcomes(http: Http, context: Context, parts: ReportParts): void {
  const sources = createReportSources(context, parts);
  http.handle(readOverviewOutcomes, async ({ session, query: { folderId, from, to } }) => {
    // As on the overview: fleet figures can't be split by who drove.
    if (session.role === 'driver') throw new AppError('not-allowed');
    const folders = folderId === undefined ? [] : [folderId];
    const query = { from, to, folders, language: 'en-US' as const };
    const { asked } = await askedOf(speeding, { session, query, sources, catchUpMs: 0 });
    const ids = asked.vehicles.map(({ id }) => id);
    const period = await askedPeriod(parts.figures, session.accountId, ids, { from, to });
    const days = await daysFor(asked, period, sources);
    if (days === null) return { tiles: [] };
    const tiles: OverviewOutcomes['tiles'] = [];
    for (const key of OUTCOME_TILES) {
      const { needs, ...report } = REPORT_OF[key];
      if ((needs && !may(session, needs)) || (asked.namesVehicles && OF_DRIVERS.has(key))) continue;
      // What counts for a score is known of finished days.
      const last = key === 'score' ? Math.min(period.to, days.today - 1) : period.to;
      const tile = last < period.from ? null : await TILES[key](days);
      const dates = { from: asked.calendar.dateOf(period.from), to: asked.calendar.dateOf(last) };
      if (tile) tiles.push({ key, ...tile, target: null, report: { key: report.key, ...dates } });
    }
    return { tiles };
  });
}

async function daysFor(asked: Asked, period: Period, { db, parts }: ReportSources): Promise<Days | null> {
  const { calendar, nowMs, session, vehicles } = asked;
  const range = { from: previousOf(period).from, detailFrom: period.from, to: period.to, nowMs };
  const { sums, watched } = await db.asAccount(session.accountId, async trx => ({
    sums: await fleetSums(trx, parts.figures, vehicles, range),
    watched: await watchedSince(trx, session.accountId, calendar),
  }));
  if (sums.since === null) return null;
  const distanceOn = (day: number): number => sums.days.get(day)?.distanceM ?? 0;
  return { asked, period, today: calendar.dayOf(nowMs), since: sums.since, watchedSince: watched, distanceOn };
}

const TILES: Readonly<Record<OutcomeTile, (days: Days) => Promise<Tile | null>>> = {
  score: scoreTile,
  speeding: days =>
    reportTile(alertDays(days), speeding, ['length'], ([seconds = 0], { metres }) =>
      metres > 0 ? seconds / metres : null,
    ),
  onTime: days =>
    reportTile(days, tasks, ['onTime', 'late'], ([onTime = 0, late = 0]) =>
      onTime + late > 0 ? onTime / (onTime + late) : null,
    ),
  violations: violationsTile,
  temperature: days => reportTile(alertDays(days), temperatureAlerts, ['length'], ([seconds = 0]) => seconds, 'sum'),
};

/** Reports about alerts are compared only with days that were watched. */
const alertDays = (days: Days): Days => ({ ...days, comparedSince: days.watchedSince });

interface DaySums {
  readonly rows: number;
  readonly sums: readonly number[];
}

const added = (one: DaySums | undefined, sums: readonly number[]): DaySums => ({
  rows: (one?.rows ?? 0) + 1,
  sums: sums.map((sum, i) => sum + (one?.sums[i] ?? 0)),
});

/** The sums of a report's columns by day, over the period and the one before; null without a row in either. */
async function reportTile(
  days: Days,
  report: Report,
  keys: readonly string[],
  figure: (sums: readonly number[], over: { readonly metres: number }) => number | null,
  compare: 'sum' | 'difference' = 'difference',
): Promise<Tile | null> {
  const columns = keys.map(key => report.columns.find(column => column.key === key));
  const found = new Map<number, DaySums>();
  for (const asked of [before(days.asked), days.asked]) {
    for await (const items of report.read(asked)) {
      for (const item of items) {
        const cells = columns.map(column => Number(column?.of(item, asked) ?? 0));
        if (item.day !== null) found.set(item.day, added(found.get(item.day), cells));
      }
    }
  }
  return found.size === 0 ? null : tileOfDays(days, found, keys.length, figure, compare);
}

function tileOfDays(
  { comparedSince, distanceOn, period, since, today }: Days,
  found: ReadonlyMap<number, DaySums>,
  width: number,
  figure: (sums: readonly number[], over: { readonly metres: number }) => number | null,
  compare: 'sum' | 'difference',
): Tile | null {
  const nothing = Array<number>(width).fill(0);
  const tile = tileOf<{ readonly sums: readonly number[]; readonly metres: number }>({
    ...{ period, today, compare, comparedSince },
    dayOf: day =>
      day < since || day > today ? null : { sums: found.get(day)?.sums ?? nothing, metres: distanceOn(day) },
    figureOf: some =>
      figure(
        nothing.map((_, i) => some.reduce((sum, { sums }) => sum + (sums[i] ?? 0), 0)),
        { metres: some.reduce((sum, { metres }) => sum + metres, 0) },
      ),
  });
  const isWithin = (day: number): boolean => day >= period.from && day <= period.to;
  const rows = [...found].reduce((sum, [day, of]) => sum + (isWithin(day) ? of.rows : 0), 0);
  return tile && { ...tile, rows };
}

/** Hours-of-service violations; none, too, if logs are kept. */
async function violationsTile(days: Days): Promise<Tile | null> {
  const { asked } = days;
  const found = new Map<number, DaySums>();
  let hasLogs = false;
  for await (const items of logDayItems({ ...asked, from: before(asked).from })) {
    for (const { day, log } of items) {
      hasLogs = true;
      for (const _ of violationsBegun(log)) if (day !== null) found.set(day, added(found.get(day), [1]));
    }
  }
  return hasLogs ? tileOfDays(days, found, 1, ([count = 0]) => count, 'sum') : null;
}

interface DayDriven {
  readonly km: number;
  readonly items: readonly EvidenceItem[];
}

/** What all drivers did, over all that they drove. The logs of both periods are read once: that takes most of the time. */
async function scoreTile({ asked, period, since, today }: Days): Promise<Tile | null> {
  const { calendar } = asked;
  const days = new Map<number, DayDriven>();
  const add = (day: number, { items, km }: DayDriven): void => {
    const known = days.get(day) ?? NOT_DRIVEN;
    days.set(day, { km: known.km + km, items: [...known.items, ...items] });
  };
  const both = { from: previousOf(period).from, to: Math.min(period.to, today - 1) };
  const { drivers, weights } = await readScored({ ...asked, ...both });
  for (const { items, km } of drivers) {
    for (const [day, each] of km) add(day, { km: each, items: [] });
    for (const item of items) add(dayOf(item, calendar), { km: 0, items: [item] });
  }
  const tile = tileOf<DayDriven>({
    ...{ period, today, compare: 'difference' },
    dayOf: day => (day < since || day >= today ? null : (days.get(day) ?? NOT_DRIVEN)),
    figureOf: some => scoreOver(some, weights),
  });
  return tile && { ...tile, rows: drivers.length };
}

/** A day that was certified late is meant as the log has it, which may begin a little before the account's. */
const dayOf = ({ at, kind, source }: EvidenceItem, calendar: Calendar): number =>
  kind === 'certification' && source.kind === 'log-day' ? calendar.numberOf(source.date) : calendar.dayOf(at);

const NOT_DRIVEN: DayDriven = { km: 0, items: [] };

const scoreOver = (days: readonly DayDriven[], weights: PerformanceWeights): number | null =>
  scoreOf(
    days.flatMap(({ items }) => items),
    weights,
    days.reduce((sum, { km }) => sum + km, 0),
  ).score;

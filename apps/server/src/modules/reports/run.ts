import {
  REPORT_MAX_DAYS,
  type ReportCell,
  type ReportGrouping,
  type ReportOptionKey,
  type ReportPage,
  type ReportQuery,
  type ReportRow,
} from '@milepost/contract';
import { agedBy } from '@milepost/geo';
import { AppError } from '../../app-error.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { columnsIn, groupingsFor } from './catalogue.ts';
import { counted } from './counted.ts';
import { ALL, bucketsOf, compareGroups, folderNames, type Group, groupOf } from './groups.ts';
import { type Found, partsOf, type Watched } from './parts.ts';
import type { FileStyle, ReportViewer } from './reader.ts';
import type { Asked, Report, ReportItem, ReportSources } from './report.ts';
import { Totals } from './totals.ts';
import { lateOf, someOf, whoOf } from './who.ts';

export interface Reading extends Watched {
  readonly session: ReportViewer;
  readonly query: ReportQuery;
  readonly sources: ReportSources;
  /** How long to wait for the vehicles' newest reports to be counted. */
  readonly catchUpMs: number;
}

export interface ChosenOption {
  readonly key: ReportOptionKey;
  readonly title: string;
  readonly value: number;
}

/** What was asked, for those who have only the file. */
export interface ReportAbout {
  readonly groupBy: ReportGrouping | null;
  readonly options: readonly ChosenOption[];
  /** The names of the chosen ones; null if nothing was chosen. */
  readonly vehicles: readonly string[] | null;
  /** The column that its chart shows. */
  readonly chart: string | null;
}

/** A whole report: what is said of it, and its rows, whose cells are made only when they are read. */
export interface ReportResult {
  readonly head: Omit<ReportPage, 'rows'>;
  readonly about: ReportAbout;
  /** A few at a time, so that others get their turn between. */
  rows(offset?: number, limit?: number): AsyncGenerator<ReportRow[]>;
  /** All rows as lines of CSV, where a report writes them itself; each overwritten once the next ones are asked for. */
  readonly lines?: (style: FileStyle) => AsyncGenerator<Uint8Array>;
}

/** Runs a report. The same question gives the same answer as long as nothing arrives late. */
export async function resultOf(report: Report, reading: Reading): Promise<ReportResult> {
  const { asked, head } = await askedOf(report, reading);
  const { sources } = reading;
  const found = report.counts ? counted : collect;
  const { groups, pages, totals, vehicles } = await found(report, asked, reading);
  const previous = reading.query.compare === 'true' ? await found(report, before(asked)) : null;
  const means = asked.groupBy === 'vehicle' && previous !== null ? folderMeans(report, asked, groups) : null;
  const known = report.isOfPositions ? (vehicles ?? (await sources.withData(asked))) : null;
  const silent = known === null ? [] : asked.vehicles.filter(({ id }) => !known.has(id) && !hasReported(id, asked));
  const rowOf = (item: ReportItem, group: Group | null): ReportRow => ({
    id: item.id,
    group: group?.key ?? null,
    deviceId: item.vehicle && String(item.vehicle.id),
    imei: item.vehicle?.imei ?? null,
    evidence: item.evidence ? { from: iso(item.evidence.fromMs), to: iso(item.evidence.toMs) } : null,
    isUnderWay: item.isUnderWay ?? false,
    cells: report.columns.map(({ of }): ReportCell => of(item, asked)),
  });
  return {
    head: {
      ...head,
      silent: someOf(silent, sources.parts.live),
      total: totals.rows,
      totals: totals.cells(),
      previous: previous && { total: previous.totals.rows, totals: previous.totals.cells() },
      groups:
        asked.groupBy === null
          ? []
          : groups.map(({ group, totals }) => ({
              ...{ ...group, total: totals.rows, totals: totals.cells() },
              folderMean: means?.(group.key) ?? null,
            })),
    },
    about: {
      groupBy: asked.groupBy,
      options: (report.options ?? []).map(({ key, title }) => ({
        ...{ key, title: title[asked.language] },
        value: asked.option(key),
      })),
      vehicles: asked.namesVehicles ? asked.vehicles.map(({ name }) => name) : null,
      chart: report.chart ?? null,
    },
    rows: async function* (offset = 0, limit = Number.POSITIVE_INFINITY) {
      for await (const { group, items } of pages(offset, limit)) {
        yield items.map(item => rowOf(item, asked.groupBy === null ? null : group));
      }
    },
    // What a driver may see is decided point by point.
    ...(report.lines &&
      vehicles &&
      asked.seesPosition === null && { lines: linesOf(report, asked, reading, vehicles) }),
  };
}

/** The lines of the vehicles that have any, one vehicle after the other. */
const linesOf = (
  { lines }: Report,
  asked: Asked,
  { progress, signal }: Watched,
  known: ReadonlySet<number>,
): NonNullable<ReportResult['lines']> =>
  async function* (style) {
    let done = 0;
    for (const vehicle of asked.vehicles) {
      if (!known.has(vehicle.id)) continue;
      for await (const piece of lines?.(asked, vehicle, style) ?? []) {
        signal?.throwIfAborted();
        yield piece;
      }
      await progress?.(++done);
    }
  };

/** Its last report is of the period, counted or not. */
function hasReported(vehicleId: number, { calendar, from, to, sources }: Asked): boolean {
  const lastMs = sources.parts.live.of(vehicleId)?.newest?.fixAt ?? null;
  return lastMs !== null && calendar.startOf(from) <= lastMs && lastMs < calendar.startOf(to + 1);
}

/** By the key of a vehicle's group, the mean of the report's vehicles in the same folder; null for one in no folder. */
function folderMeans(report: Report, { vehicles }: Asked, groups: Found['groups']) {
  const byKey = new Map(groups.map(({ group, totals }) => [group.key, totals]));
  const folderOf = new Map(vehicles.map(({ folderId, id }) => [String(id), folderId]));
  const means = new Map(
    [...Map.groupBy(vehicles, ({ folderId }) => folderId)].map(([folder, inside]) => {
      const all = inside.flatMap(({ id }) => byKey.get(String(id)) ?? []);
      return [folder, Totals.meanCells(report, all, inside.length)];
    }),
  );
  return (key: string): ReportCell[] | null => {
    const folder = folderOf.get(key) ?? null;
    return folder === null ? null : (means.get(folder) ?? null);
  };
}

/** Throws the problem with what is asked, before anything is read. Returns how many vehicles it is about. */
export const checkAsked = async (report: Report, reading: Reading): Promise<number> =>
  (await askedOf(report, reading)).asked.vehicles.length;

/** Who, when and how, from what was asked. */
export async function askedOf(report: Report, { session, query, sources, catchUpMs }: Reading) {
  const { db, parts } = sources;
  const { figures, live } = parts;
  const { accountId } = session;
  const groupBy: ReportGrouping | null = query.groupBy ?? null;
  if (groupBy !== null && !groupingsFor(session, report).includes(groupBy)) throw new AppError('not-allowed');
  const { settings, who } = await db.asAccount(accountId, async trx => ({
    settings: (await readAccountSettings(trx)).settings,
    who: await whoOf(trx, session, query, parts),
  }));
  const ids = who.vehicles.map(({ id }) => id);
  if (catchUpMs > 0 && report.isOfPositions && who.seesPosition === null && !report.counts)
    await figures.manager.catchUp(accountId, ids, catchUpMs);
  const calendar = figures.calendar(accountId);
  const nowMs = Date.now();
  const [from, to] = [calendar.numberOf(query.from), calendar.numberOf(query.to)];
  if (to - from + 1 > REPORT_MAX_DAYS) throw new AppError('range-too-long', { days: REPORT_MAX_DAYS });
  const option: Asked['option'] = key => query[key] ?? report.options?.find(each => each.key === key)?.value ?? 0;
  const asked: Asked = {
    ...{ session, language: query.language, calendar, from, to, nowMs, groupBy, option, sources },
    vehicles: who.vehicles,
    seesPosition: who.seesPosition,
    namesVehicles: (query.vehicles ?? []).length + (query.folders ?? []).length > 0,
    bucketOf: bucketsOf(calendar, groupBy, settings.firstWeekday),
  };
  const endMs = Math.min(nowMs, calendar.startOf(to + 1));
  const dates = (first: number, last: number) => ({ from: calendar.dateOf(first), to: calendar.dateOf(last) });
  // What is read from the positions needs no counting.
  const isCounted = report.isOfPositions && who.seesPosition === null && !report.counts;
  return {
    asked,
    head: {
      key: report.key,
      title: report.title[query.language],
      columns: columnsIn(report, query.language),
      zone: calendar.zone,
      currency: settings.currency,
      period: dates(from, to),
      previousPeriod: query.compare === 'true' ? dates(before(asked).from, before(asked).to) : null,
      until: iso(endMs),
      isOfPositions: report.isOfPositions,
      vehicles: ids.length,
      behind: isCounted
        ? ids.filter(id => figures.manager.isBehindBefore(id, endMs) || figures.manager.isBehind(id, endMs)).length
        : 0,
      passing: who.passing,
      late: someOf(
        report.isOfPositions ? lateOf(who.vehicles, live, { endMs, nowMs, thresholds: agedBy(settings) }) : [],
        live,
      ),
    },
  };
}

/** The same of the period of the same length right before. */
export const before = (asked: Asked): Asked => ({
  ...asked,
  from: asked.from - (asked.to - asked.from + 1),
  to: asked.from - 1,
});

async function collect(report: Report, asked: Asked, { progress, signal }: Watched = {}): Promise<Found> {
  const { calendar, bucketOf, groupBy, session, sources } = asked;
  const folders =
    groupBy === 'folder' ? await sources.db.asAccount(session.accountId, folderNames) : new Map<number, string>();
  const totals = new Totals(report);
  const groups = new Map<string, { readonly group: Group; readonly totals: Totals; readonly items: ReportItem[] }>();
  const seen = new Set<number>();
  for await (const items of report.read(asked)) {
    for (const item of items) {
      if (item.vehicle) seen.add(item.vehicle.id);
      const group = groupBy === null ? ALL : groupOf(groupBy, item, { calendar, bucketOf, folders });
      const known = groups.get(group.key) ?? { group, totals: new Totals(report), items: [] };
      if (known.items.length === 0) groups.set(group.key, known);
      known.items.push(item);
      totals.add(item, asked);
      if (groupBy !== null) known.totals.add(item, asked);
    }
    await progress?.(seen.size);
    signal?.throwIfAborted();
  }
  // Days stay in their order; of others, those that only say why nothing is known come last.
  const isDated = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
  const lacks = ({ totals }: { readonly totals: Totals }): number => Number(!isDated && totals.isUnknown);
  const sorted = [...groups.values()].toSorted((a, b) => lacks(a) - lacks(b) || compareGroups(a.group, b.group));
  return { groups: sorted, totals, vehicles: null, pages: (offset, limit) => partsOf(sorted, offset, limit) };
}

const iso = (ms: number): string => new Date(ms).toISOString();

import {
  type DriverPerformance,
  type OneDriverPerformance,
  PERFORMANCE_KINDS,
  type PerformanceDays,
  type PerformanceKind,
  type PerformanceWeights,
  performanceWeightsSchema,
  type RouteAnswer,
  type readPerformance,
} from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { mapInTurns } from '../../../workers/turns.ts';
import { calendarOf } from '../../history/days/calendar.ts';
import type { DailyFigures } from '../../history/days/daily-figures.ts';
import { readAccountSettings } from '../../tenancy/settings.ts';
import { iso } from '../days/shown.ts';
import { readNames } from '../desk/log-access.ts';
import { type DriverTerms, readDriverTerms } from '../settings/driver-terms.ts';
import { type DriverEvidence, type EvidenceItem, type EvidencePeriod, readEvidence } from './evidence.ts';
import {
  type CoachingRow,
  type DisputeRow,
  readCoaching,
  readDisputes,
  shownCoaching,
  shownDispute,
} from './replies.ts';
import { DEFAULT_WEIGHTS, pointsOf, scoreOf } from './score.ts';

const WEEK = 7;
/** The least that is shown week by week. */
const WEEKS = 8;
/** A week or a period before with less says nothing. */
const LEAST_KM = 100;
/** How long what counts is remembered; disputes, weights and coaching are always read. */
const REMEMBERED_MS = 5 * 60_000;
/** The same while trips are still being counted, as when a fleet’s past has just come. */
const REMEMBERED_BEHIND_MS = 10_000;

interface Account {
  readonly at: number;
  /** Trips were still being counted. */
  readonly isBehind: boolean;
  readonly period: EvidencePeriod;
  readonly evidence: Map<number, DriverEvidence>;
}

interface Looked {
  readonly account: Account;
  readonly weights: PerformanceWeights;
  readonly terms: readonly DriverTerms[];
  /** What is scored. */
  readonly scored: Days;
  readonly disputes: ReadonlyMap<number, ReadonlyMap<string, DisputeRow>>;
  readonly coaching: ReadonlyMap<number, readonly CoachingRow[]>;
}

/** The performance of an account’s drivers, in whole days up to yesterday. */
export function createPerformance(organisation: Organisation, { manager }: Pick<DailyFigures, 'manager'>) {
  const { directory, visibility } = organisation;
  const remembered = new Map<number, Account>();

  const look = async (
    trx: AccountTransaction,
    accountId: number,
    days: PerformanceDays,
    now: number,
  ): Promise<Looked> => {
    const terms = (await readDriverTerms(trx, null)).filter(({ archived }) => !archived);
    const { settings } = await readAccountSettings(trx);
    const calendar = calendarOf(settings.timeZone);
    const to = calendar.dayOf(now) - 1;
    // The period before is compared with it.
    const from = to - Math.max(2 * days, WEEKS * WEEK) + 1;
    const known = remembered.get(accountId);
    const kept = known?.isBehind ? REMEMBERED_BEHIND_MS : REMEMBERED_MS;
    const isFresh = known !== undefined && known.period.to === to && known.period.from <= from && now - known.at < kept;
    const endMs = calendar.startOf(to + 1);
    // Asked first: what is counted meanwhile may be missing below.
    const isBehind = !isFresh && [...directory.ofAccount(accountId)].some(({ id }) => manager.isBehind(id, endMs));
    const period = { calendar, from, to };
    const account =
      isFresh && terms.every(({ driverId }) => known.evidence.has(driverId))
        ? known
        : { at: now, isBehind, period, evidence: await readEvidence(trx, accountId, terms, period, organisation, now) };
    remembered.set(accountId, account);
    return {
      account,
      terms,
      scored: { from: to - days + 1, to },
      weights: await readWeights(trx),
      disputes: await readDisputes(trx),
      coaching: await readCoaching(trx),
    };
  };

  /** The score of these drivers together, what it is made of, and that of the period before. */
  const standingOf = (looked: Looked, driverIds: readonly number[]) => {
    const { scored, weights } = looked;
    const { items, km, arrivals } = together(looked, driverIds, scored);
    const length = scored.to - scored.from + 1;
    const before = together(looked, driverIds, { from: scored.from - length, to: scored.from - 1 });
    const { score, low, high } = scoreOf(items, weights, km);
    const amountOf = (kind: PerformanceKind) =>
      items.reduce((sum, item) => sum + (item.kind === kind ? item.amount : 0), 0);
    return {
      ...{ km, score, low, high },
      before: before.km < LEAST_KM ? null : scoreOf(before.items, weights, before.km).score,
      parts: PERFORMANCE_KINDS.map(kind => {
        const amount = amountOf(kind);
        const per1000Km = km > 0 ? (amount * 1000) / km : null;
        return { kind, amount, per1000Km, points: pointsOf({ kind, amount }, weights, km) };
      }),
      arrivals: { all: arrivals, late: amountOf('punctuality') },
    };
  };

  const rowOf = (
    looked: Looked,
    { driverId, name, departmentId }: DriverTerms,
    fleet: readonly { readonly score: number | null }[],
  ): DriverPerformance => {
    const disputed = together(looked, [driverId], looked.scored, true);
    return {
      driverId: String(driverId),
      name,
      departmentId: departmentId === null ? null : String(departmentId),
      ...standingOf(looked, [driverId]),
      withDisputed: scoreOf(disputed.items, looked.weights, disputed.km).score,
      openDisputes: [...(looked.disputes.get(driverId)?.values() ?? [])].filter(({ state }) => state === 'open').length,
      openCoaching: (looked.coaching.get(driverId) ?? []).filter(({ done_at }) => done_at === null).length,
      weeks: weeksOf(looked, [driverId]).map((week, i) => ({ ...week, fleet: fleet[i]?.score ?? null })),
    };
  };

  const weeksOf = (looked: Looked, driverIds: readonly number[]) => {
    const { account, scored, weights } = looked;
    const count = Math.max(WEEKS, (scored.to - scored.from + 1) / WEEK);
    return Array.from({ length: count }, (_, week) => {
      const from = scored.to - (count - week) * WEEK + 1;
      const { items, km } = together(looked, driverIds, { from, to: from + WEEK - 1 });
      const score = km < LEAST_KM ? null : scoreOf(items, weights, km).score;
      return { from: account.period.calendar.dateOf(from), score, km };
    });
  };

  const fleetWeeks = (looked: Looked) =>
    weeksOf(
      looked,
      looked.terms.map(({ driverId }) => driverId),
    );

  const periodOf = ({ account: { isBehind, period }, scored, weights }: Looked) => ({
    from: period.calendar.dateOf(scored.from),
    to: period.calendar.dateOf(scored.to),
    weights,
    isBehind,
  });

  const oneOf = async (trx: AccountTransaction, looked: Looked, terms: DriverTerms): Promise<OneDriverPerformance> => {
    const { account, scored, weights } = looked;
    const nameOf = await readNames(trx);
    const row = rowOf(looked, terms, fleetWeeks(looked));
    const start = account.period.calendar.startOf(scored.from);
    const disputes = looked.disputes.get(terms.driverId);
    const items = (account.evidence.get(terms.driverId)?.items ?? []).filter(({ at }) => at >= start);
    return {
      ...row,
      ...periodOf(looked),
      evidence: items
        .toSorted((a, b) => b.at - a.at)
        .map(item => {
          const vehicle = item.vehicleId === null ? null : directory.findById(item.vehicleId);
          const dispute = disputes?.get(item.id) ?? null;
          return {
            id: item.id,
            kind: item.kind,
            at: iso(item.at),
            amount: item.amount,
            weight: weights[item.kind],
            points: pointsOf(item, weights, row.km),
            counts: counts(item, disputes),
            vehicle: vehicle && { id: String(vehicle.id), imei: vehicle.imei, deviceName: vehicle.name },
            source: item.source,
            speed: item.speed,
            dispute: dispute && shownDispute(dispute, nameOf),
          };
        }),
      coaching: (looked.coaching.get(terms.driverId) ?? []).map(note => shownCoaching(note, nameOf)),
    };
  };

  return {
    list: async (
      trx: AccountTransaction,
      viewer: Viewer,
      days: PerformanceDays,
      now: number,
    ): Promise<RouteAnswer<typeof readPerformance>> => {
      const looked = await look(trx, viewer.accountId, days, now);
      const names = await readDepartmentNames(trx);
      const seen = looked.terms.filter(({ driverId, departmentId, userId }) =>
        visibility.seesDriver(viewer, { id: driverId, departmentId, userId }),
      );
      const fleet = fleetWeeks(looked);
      const rows = await mapInTurns(seen, terms => rowOf(looked, terms, fleet));
      const groups = [...Map.groupBy(seen, ({ departmentId }) => departmentId)];
      return {
        ...periodOf(looked),
        fleet: standingOf(
          looked,
          looked.terms.map(({ driverId }) => driverId),
        ),
        drivers: rows,
        departments: groups.map(([id, drivers]) => ({
          departmentId: id === null ? null : String(id),
          name: id === null ? null : (names.get(id) ?? null),
          drivers: drivers.length,
          ...standingOf(
            looked,
            drivers.map(({ driverId }) => driverId),
          ),
        })),
      };
    },

    /** One driver’s; the caller has checked who may see it. */
    one: async (
      trx: AccountTransaction,
      accountId: number,
      driverId: number,
      days: PerformanceDays,
      now: number,
    ): Promise<OneDriverPerformance> => {
      const looked = await look(trx, accountId, days, now);
      const terms = looked.terms.find(one => one.driverId === driverId);
      if (!terms) throw new AppError('not-found');
      return oneOf(trx, looked, terms);
    },
  };
}
export type Performance = ReturnType<typeof createPerformance>;

interface Days {
  readonly from: number;
  readonly to: number;
}

export const counts = ({ id }: EvidenceItem, disputes: ReadonlyMap<string, DisputeRow> | undefined): boolean =>
  (disputes?.get(id)?.state ?? 'rejected') === 'rejected';

/** What counts for a driver in some days, how far they drove, and how many tasks they reached. */
function within(looked: Looked, driverId: number, days: Days, withDisputed: boolean) {
  const { account, disputes } = looked;
  const { calendar } = account.period;
  const evidence = account.evidence.get(driverId);
  const [start, end] = [calendar.startOf(days.from), calendar.startOf(days.to + 1)];
  const own = disputes.get(driverId);
  let km = 0;
  for (const [day, driven] of evidence?.km ?? []) if (day >= days.from && day <= days.to) km += driven;
  const items = (evidence?.items ?? []).filter(
    item =>
      item.at >= start && item.at < end && (counts(item, own) || (withDisputed && own?.get(item.id)?.state === 'open')),
  );
  return { items, km, arrivals: (evidence?.arrivals ?? []).filter(at => at >= start && at < end).length };
}

function together(looked: Looked, driverIds: readonly number[], days: Days, withDisputed = false) {
  const each = driverIds.map(id => within(looked, id, days, withDisputed));
  return {
    items: each.flatMap(({ items }) => items),
    km: each.reduce((sum, { km }) => sum + km, 0),
    arrivals: each.reduce((sum, { arrivals }) => sum + arrivals, 0),
  };
}

async function readDepartmentNames(trx: AccountTransaction): Promise<ReadonlyMap<number, string>> {
  const rows = await trx.selectFrom('department').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function readWeights(trx: AccountTransaction): Promise<PerformanceWeights> {
  const row = await trx.selectFrom('performance_weight').select('weights').executeTakeFirst();
  const read = performanceWeightsSchema.partial().safeParse(row?.weights ?? {});
  const given = Object.entries(read.data ?? {}).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_WEIGHTS, ...Object.fromEntries(given) };
}

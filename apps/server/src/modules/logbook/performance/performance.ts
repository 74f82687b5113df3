import {
  type DriverPerformance,
  type OneDriverPerformance,
  PERFORMANCE_KINDS,
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
/** The score is of four weeks; four more are shown before them. */
const SCORED_DAYS = 4 * WEEK;
const WEEKS = 8;
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
  readonly disputes: ReadonlyMap<number, ReadonlyMap<string, DisputeRow>>;
  readonly coaching: ReadonlyMap<number, readonly CoachingRow[]>;
}

/** The performance of an account’s drivers, in whole days up to yesterday. */
export function createPerformance(organisation: Organisation, { manager }: Pick<DailyFigures, 'manager'>) {
  const { directory, visibility } = organisation;
  const remembered = new Map<number, Account>();

  const look = async (trx: AccountTransaction, accountId: number, now: number): Promise<Looked> => {
    const terms = (await readDriverTerms(trx, null)).filter(({ archived }) => !archived);
    const { settings } = await readAccountSettings(trx);
    const calendar = calendarOf(settings.timeZone);
    const to = calendar.dayOf(now) - 1;
    const known = remembered.get(accountId);
    const kept = known?.isBehind ? REMEMBERED_BEHIND_MS : REMEMBERED_MS;
    const isFresh = known !== undefined && known.period.to === to && now - known.at < kept;
    const endMs = calendar.startOf(to + 1);
    // Asked first: what is counted meanwhile may be missing below.
    const isBehind = !isFresh && [...directory.ofAccount(accountId)].some(({ id }) => manager.isBehind(id, endMs));
    const period = { calendar, to, from: to - WEEKS * WEEK + 1 };
    const account =
      isFresh && terms.every(({ driverId }) => known.evidence.has(driverId))
        ? known
        : { at: now, isBehind, period, evidence: await readEvidence(trx, accountId, terms, period, organisation, now) };
    remembered.set(accountId, account);
    return {
      account,
      terms,
      weights: await readWeights(trx),
      disputes: await readDisputes(trx),
      coaching: await readCoaching(trx),
    };
  };

  const rowOf = (
    looked: Looked,
    { driverId, name, departmentId }: DriverTerms,
    fleet: readonly { readonly score: number | null }[],
  ): DriverPerformance => {
    const { account, weights } = looked;
    const { to } = account.period;
    const scored = { from: to - SCORED_DAYS + 1, to };
    const { items, km } = within(looked, driverId, scored);
    const disputed = within(looked, driverId, scored, true);
    const { score, low, high } = scoreOf(items, weights, km);
    const before = within(looked, driverId, { from: scored.from - SCORED_DAYS, to: scored.from - 1 });
    return {
      driverId: String(driverId),
      name,
      departmentId: departmentId === null ? null : String(departmentId),
      km,
      score,
      low,
      high,
      withDisputed: scoreOf(disputed.items, weights, km).score,
      before: scoreOf(before.items, weights, before.km).score,
      parts: PERFORMANCE_KINDS.map(kind => {
        const amount = items.reduce((sum, item) => sum + (item.kind === kind ? item.amount : 0), 0);
        return {
          kind,
          amount,
          per1000Km: km > 0 ? (amount * 1000) / km : null,
          points: pointsOf({ kind, amount }, weights, km),
        };
      }),
      openDisputes: [...(looked.disputes.get(driverId)?.values() ?? [])].filter(({ state }) => state === 'open').length,
      openCoaching: (looked.coaching.get(driverId) ?? []).filter(({ done_at }) => done_at === null).length,
      weeks: weeksOf(looked, [driverId]).map((week, i) => ({ ...week, fleet: fleet[i]?.score ?? null })),
    };
  };

  const weeksOf = (looked: Looked, driverIds: readonly number[]) => {
    const { calendar, from } = looked.account.period;
    return Array.from({ length: WEEKS }, (_, week) => {
      const days = { from: from + week * WEEK, to: from + week * WEEK + WEEK - 1 };
      const { items, km } = together(looked, driverIds, days);
      return { from: calendar.dateOf(days.from), score: scoreOf(items, looked.weights, km).score, km };
    });
  };

  const fleetWeeks = (looked: Looked) =>
    weeksOf(
      looked,
      looked.terms.map(({ driverId }) => driverId),
    );

  const periodOf = ({ account: { period }, weights }: Looked) => ({
    from: period.calendar.dateOf(period.to - SCORED_DAYS + 1),
    to: period.calendar.dateOf(period.to),
    weights,
  });

  const oneOf = async (trx: AccountTransaction, looked: Looked, terms: DriverTerms): Promise<OneDriverPerformance> => {
    const { account, weights } = looked;
    const { to, calendar } = account.period;
    const nameOf = await readNames(trx);
    const row = rowOf(looked, terms, fleetWeeks(looked));
    const start = calendar.startOf(to - SCORED_DAYS + 1);
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
      now: number,
    ): Promise<RouteAnswer<typeof readPerformance>> => {
      const looked = await look(trx, viewer.accountId, now);
      const { to } = looked.account.period;
      const days = { from: to - SCORED_DAYS + 1, to };
      const all = together(
        looked,
        looked.terms.map(({ driverId }) => driverId),
        days,
      );
      const { score, low, high } = scoreOf(all.items, looked.weights, all.km);
      const seen = looked.terms.filter(({ driverId, departmentId, userId }) =>
        visibility.seesDriver(viewer, { id: driverId, departmentId, userId }),
      );
      const fleet = fleetWeeks(looked);
      const rows = await mapInTurns(seen, terms => rowOf(looked, terms, fleet));
      return { ...periodOf(looked), fleet: { score, low, high, km: all.km }, drivers: rows };
    },

    /** One driver’s; the caller has checked who may see it. */
    one: async (
      trx: AccountTransaction,
      accountId: number,
      driverId: number,
      now: number,
    ): Promise<OneDriverPerformance> => {
      const looked = await look(trx, accountId, now);
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

/** What counts for a driver in some days, and how far they drove. */
function within(looked: Looked, driverId: number, days: Days, withDisputed = false) {
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
  return { items, km };
}

function together(looked: Looked, driverIds: readonly number[], days: Days) {
  const each = driverIds.map(id => within(looked, id, days));
  return { items: each.flatMap(({ items }) => items), km: each.reduce((sum, { km }) => sum + km, 0) };
}

export async function readWeights(trx: AccountTransaction): Promise<PerformanceWeights> {
  const row = await trx.selectFrom('performance_weight').select('weights').executeTakeFirst();
  const read = performanceWeightsSchema.partial().safeParse(row?.weights ?? {});
  const given = Object.entries(read.data ?? {}).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_WEIGHTS, ...Object.fromEntries(given) };
}

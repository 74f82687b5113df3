import type { Alert, Leg, Visit } from '@milepost/contract';
import type { Range } from './address.ts';

/** A vehicle's trips and alerts during the replayed time. */
export interface Account {
  readonly vehicleId: string;
  readonly legs: readonly Leg[];
  readonly alerts: readonly Alert[];
  readonly visits: readonly Visit[];
  /** The server has reports of this time that the trips don't include yet. */
  readonly isBehind: boolean;
}

export interface FenceName {
  readonly name: string;
  /** Token of its color in the theme. */
  readonly token: string;
}

/** An event that the user can jump to. */
export interface Happening extends Range {
  readonly id: string;
  readonly vehicleId: string;
  readonly what:
    | { readonly kind: 'trip' | 'stop' | 'gap'; readonly leg: Leg }
    | { readonly kind: 'visit'; readonly visit: Visit }
    | { readonly kind: 'alert'; readonly alert: Alert };
}

/** Trips, stops, gaps, geofence visits and alerts of all vehicles in one list, if they began in this range. */
export function happeningsOf(accounts: readonly Account[], { fromMs, toMs }: Range): Happening[] {
  const all = accounts.flatMap(({ vehicleId, legs, visits, alerts }): Happening[] => [
    ...withoutOuterGaps(legs).map((leg): Happening => {
      const { kind, from, to } = leg;
      const [beginMs, endMs] = [Date.parse(from), Date.parse(to)];
      return { id: `${vehicleId}-${from}`, vehicleId, fromMs: beginMs, toMs: endMs, what: { kind, leg } };
    }),
    ...visits.map((visit): Happening => {
      const beginMs = Date.parse(visit.entry.at);
      // Still inside, as far as we know.
      const endMs = visit.exit ? Date.parse(visit.exit.at) : Math.max(beginMs, Math.min(toMs, Date.now()));
      return { id: `visit-${visit.id}`, vehicleId, fromMs: beginMs, toMs: endMs, what: { kind: 'visit', visit } };
    }),
    ...alerts.map((alert): Happening => {
      const openedMs = Date.parse(alert.openedAt);
      const endMs = alert.closedAt === null ? openedMs : Date.parse(alert.closedAt);
      return { id: alert.id, vehicleId, fromMs: openedMs, toMs: endMs, what: { kind: 'alert', alert } };
    }),
  ]);
  return all
    .filter(each => each.toMs >= fromMs && each.fromMs < toMs)
    .map(each => ({ ...each, fromMs: Math.max(fromMs, each.fromMs), toMs: Math.min(toMs, each.toMs) }))
    .toSorted((a, b) => a.fromMs - b.fromMs);
}

/** Drops gaps before a vehicle's first report and after its last, which mean nothing. */
function withoutOuterGaps(legs: readonly Leg[]): readonly Leg[] {
  const first = legs.findIndex(({ kind }) => kind !== 'gap');
  const last = legs.findLastIndex(({ kind }) => kind !== 'gap');
  return legs.slice(Math.max(first, 0), last + 1);
}

/** Events closer than this count as the same moment when stepping. */
const SAME_MS = 1000;

/** The next event in this direction, or null. */
export function nextFrom(happenings: readonly Happening[], atMs: number, direction: 1 | -1): Happening | null {
  if (direction === 1) return happenings.find(({ fromMs }) => fromMs >= atMs + SAME_MS) ?? null;
  return happenings.findLast(({ fromMs }) => fromMs <= atMs - SAME_MS) ?? null;
}

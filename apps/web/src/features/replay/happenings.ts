import type { Alert, Leg, Visit } from '@milepost/contract';
import type { Range } from './address.ts';

/** A vehicle's trips and alerts in the time that is replayed. */
export interface Account {
  readonly vehicleId: string;
  readonly legs: readonly Leg[];
  readonly alerts: readonly Alert[];
  readonly visits: readonly Visit[];
  /** Reports of this time have been stored that the trips do not include yet. */
  readonly isBehind: boolean;
}

export interface FenceName {
  readonly name: string;
  /** Its color in the theme. */
  readonly token: string;
}

/** Something that can be jumped to. */
export interface Happening extends Range {
  readonly id: string;
  readonly vehicleId: string;
  readonly what:
    | { readonly kind: 'trip' | 'stop' | 'gap'; readonly leg: Leg }
    | { readonly kind: 'visit'; readonly visit: Visit }
    | { readonly kind: 'alert'; readonly alert: Alert };
}

/** Trips, stops, times without data, visits to geofences and alerts of all vehicles in one row, as far as they began in this time. */
export function happeningsOf(accounts: readonly Account[], { fromMs, toMs }: Range): Happening[] {
  const all = accounts.flatMap(({ vehicleId, legs, visits, alerts }): Happening[] => [
    ...withoutOuterGaps(legs).map((leg): Happening => {
      const { kind, from, to } = leg;
      const [beginMs, endMs] = [Date.parse(from), Date.parse(to)];
      return { id: `${vehicleId}-${from}`, vehicleId, fromMs: beginMs, toMs: endMs, what: { kind, leg } };
    }),
    ...visits.map((visit): Happening => {
      const beginMs = Date.parse(visit.entry.at);
      // Inside until now, as far as is known.
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

/** Of the time before a vehicle's first report, or after its last, there is nothing to say. */
function withoutOuterGaps(legs: readonly Leg[]): readonly Leg[] {
  const first = legs.findIndex(({ kind }) => kind !== 'gap');
  const last = legs.findLastIndex(({ kind }) => kind !== 'gap');
  return legs.slice(Math.max(first, 0), last + 1);
}

/** Less than this is the same moment to someone who steps. */
const SAME_MS = 1000;

/** The next one in this direction, or null. */
export function nextFrom(happenings: readonly Happening[], atMs: number, direction: 1 | -1): Happening | null {
  if (direction === 1) return happenings.find(({ fromMs }) => fromMs >= atMs + SAME_MS) ?? null;
  return happenings.findLast(({ fromMs }) => fromMs <= atMs - SAME_MS) ?? null;
}

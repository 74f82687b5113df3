import type { AlertKind, Severity, TrackerProtocol } from '@milepost/contract';
import type { EpochMs } from '@milepost/units';
import type { AlertFigures } from '../../db/alert-schema.ts';
import { joinFigures } from './figures.ts';
import { quietMsOf, ruleOf } from './rules.ts';

/** An alert as far as reports change it. */
export interface AlertState {
  readonly id: string;
  readonly accountId: number;
  readonly vehicleId: number;
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly event: string | null;
  readonly openedAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly count: number;
  readonly closedAt: EpochMs | null;
  readonly late: boolean;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly figures: AlertFigures | null;
  readonly driverId: number | null;
  /** When someone acknowledged it; or on arrival, if it was history by then and needs no attention. */
  readonly acknowledgedAt: EpochMs | null;
  /** Null also where it was history when it came in. */
  readonly acknowledgedBy: string | null;
}

/** A report that says something about alerts, and is in the database for the first time. */
export interface Sighting {
  readonly vehicleId: number;
  readonly accountId: number;
  readonly at: EpochMs;
  readonly receivedAt: EpochMs;
  /** Came in after a newer one: it is recorded, and moves nothing (invariant I6). */
  readonly late: boolean;
  readonly event: string | null;
  readonly protocol: TrackerProtocol;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly figures: AlertFigures;
  readonly driverId: number | null;
}

const HOUR_MS = 3_600_000;
/** Nobody needs to be told after a day: a tracker out of its cellar brings a week at once. */
const OLD_NEWS_MS = 24 * HOUR_MS;

export const hourOf = (at: EpochMs): number => Math.floor(at / HOUR_MS);

/**
 * What reports make of alerts, vehicle by vehicle, in the order of the reports. Pure.
 *
 * - An event opens an alert of its kind, or is counted in the one that lasts.
 * - What lasts is closed by its end event, or by a report without it once it has been quiet for as long as its rule says.
 * - What was history when it came in waits for nobody: where it still stands within the day, another begins there.
 * - What comes late belongs to the alert that lasted then; else to one alert for each hour of its own time, closed from
 *   the start. So the alerts are the same in whatever order late reports come.
 *
 * `known` are those of these vehicles that last, those that lasted when a late one was sent, and the late ones of its
 * hour. Answers those that are new or changed.
 */
export function foldAlerts(
  known: readonly AlertState[],
  sightings: readonly Sighting[],
  newId: () => string,
): AlertState[] {
  const byVehicle = new Map<number, Map<string, AlertState>>();
  const changed = new Map<string, AlertState>();
  const of = (vehicleId: number): Map<string, AlertState> => {
    const alerts = byVehicle.get(vehicleId) ?? new Map<string, AlertState>();
    byVehicle.set(vehicleId, alerts);
    return alerts;
  };
  const put = (alert: AlertState): void => {
    of(alert.vehicleId).set(alert.id, alert);
    changed.set(alert.id, alert);
  };
  for (const alert of known) of(alert.vehicleId).set(alert.id, alert);

  for (const sighting of sightings) {
    const { at } = sighting;
    const alerts = [...of(sighting.vehicleId).values()];
    const rule = ruleOf(sighting.event);
    const kind = rule && 'kind' in rule ? rule.kind : null;
    if (sighting.late) {
      if (kind === null) continue;
      const same = alerts.find(alert => alert.kind === kind && holds(alert, at));
      put(same ? withLate(same, sighting) : opened(sighting, newId()));
      continue;
    }
    const lasting = alerts.filter(alert => alert.closedAt === null);
    if (kind !== null) {
      const same = lasting.find(alert => alert.kind === kind);
      const isNews = same && wasHistory(same) && !isHistory(sighting);
      // Closed by its own time, as always: what comes late finds the same alert before and after.
      if (isNews) put({ ...same, closedAt: at });
      const { event, lat, lon } = sighting;
      const again = same && !isNews;
      const figures = joinFigures(same?.figures ?? null, sighting.figures);
      const more = again && { ...same, event, lat, lon, figures, updatedAt: at, count: same.count + 1 };
      put(more || opened(sighting, newId()));
      continue;
    }
    const ended = rule && 'ends' in rule ? rule.ends : [];
    for (const alert of lasting) {
      const quietMs = quietMsOf(alert.kind, sighting.protocol);
      const isQuiet = quietMs !== null && at - alert.updatedAt >= quietMs;
      if (isQuiet || ended.includes(alert.kind)) put({ ...alert, closedAt: at });
    }
  }
  return [...changed.values()];
}

const isHistory = ({ at, receivedAt }: Pick<Sighting, 'at' | 'receivedAt'>): boolean => receivedAt - at > OLD_NEWS_MS;

/** Acknowledged by its age alone. Who was deleted since is as nobody, but came sooner. */
const wasHistory = ({ acknowledgedAt, acknowledgedBy, openedAt }: AlertState): boolean =>
  acknowledgedAt !== null && acknowledgedBy === null && isHistory({ at: openedAt, receivedAt: acknowledgedAt });

/** Whether something of that time belongs to this alert. */
function holds({ late, openedAt, closedAt }: AlertState, at: EpochMs): boolean {
  if (late) return hourOf(openedAt) === hourOf(at);
  return openedAt <= at && (closedAt === null || at <= closedAt);
}

function withLate(alert: AlertState, { at, figures: more }: Sighting): AlertState {
  const count = alert.count + 1;
  const figures = joinFigures(alert.figures, more);
  if (!alert.late) return { ...alert, count, figures };
  const openedAt = at < alert.openedAt ? at : alert.openedAt;
  const updatedAt = at > alert.updatedAt ? at : alert.updatedAt;
  return { ...alert, count, figures, openedAt, updatedAt, closedAt: updatedAt };
}

function opened(sighting: Sighting, id: string): AlertState {
  const { accountId, at, driverId, event, figures, late, lat, lon, receivedAt, vehicleId } = sighting;
  const rule = ruleOf(event);
  if (!rule || !('kind' in rule)) throw new TypeError(`The event ${event} opens no alert`);
  const { kind, severity } = rule;
  // A call for help needs an answer even if it comes late; speeding this morning is history.
  const isOver = isHistory(sighting) || (late && severity !== 'critical');
  return {
    ...{ id, accountId, vehicleId, kind, severity, event, late, lat, lon, figures, driverId },
    ...{ openedAt: at, updatedAt: at, count: 1, closedAt: late ? at : null },
    acknowledgedAt: isOver ? receivedAt : null,
    acknowledgedBy: null,
  };
}

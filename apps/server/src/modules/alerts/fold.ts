import type { AlertKind, Severity, TrackerProtocol } from '@milepost/contract';
import type { EpochMs } from '@milepost/units';
import type { AlertFigures } from '../../db/alert-schema.ts';
import { AS_BUILT, type BuiltInAlerts } from '../../fleet/built-in-alerts.ts';
import { joinFigures } from './figures.ts';
import { quietMsOf, ruleOf } from './rules.ts';

/** The part of an alert that reports change. */
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
  /** When a user acknowledged it, or when it arrived if it was too old by then to need attention. */
  readonly acknowledgedAt: EpochMs | null;
  /** Null also for an alert that was too old when it arrived. */
  readonly acknowledgedBy: string | null;
}

/** A report that affects alerts and is not a duplicate. */
export interface Sighting {
  readonly vehicleId: number;
  readonly accountId: number;
  readonly at: EpochMs;
  readonly receivedAt: EpochMs;
  /** Arrived after a newer report: it is recorded, but does not change the current state (invariant I6). */
  readonly late: boolean;
  readonly event: string | null;
  readonly protocol: TrackerProtocol;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly figures: AlertFigures;
  readonly driverId: number | null;
  /** m/s */
  readonly speed: number | null;
  readonly ignition: boolean | null;
}

/** What its account chose: how severe an alert is, if it wants it at all, and how long none follows it. */
export type Chosen = Pick<BuiltInAlerts, 'severityOf' | 'cooldownMs'>;

const HOUR_MS = 3_600_000;
/** Older alerts are not announced: a tracker coming back into coverage can send a week of reports at once. */
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
 * An account may have chosen other severities, or none for some vehicles, drivers and times: then nothing is opened. Nor
 * is it while an alert of the kind is more recent than the account's cool-down; late reports don't ask for it.
 *
 * `known` are those of these vehicles that last, those that lasted when a late one was sent, and the late ones of its
 * hour. Answers those that are new or changed.
 */
export function foldAlerts(
  known: readonly AlertState[],
  sightings: readonly Sighting[],
  newId: () => string,
  chosen: Chosen = AS_BUILT,
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
  const open = (sighting: Sighting): void => {
    const { accountId, at, late, vehicleId } = sighting;
    const rule = ruleOf(sighting.event);
    const quietMs = rule && 'kind' in rule ? chosen.cooldownMs(accountId, rule.kind) : 0;
    const isRecent = ({ kind, late: wasLate, openedAt }: AlertState): boolean =>
      rule !== null && 'kind' in rule && kind === rule.kind && !wasLate && at - openedAt < quietMs;
    if (quietMs > 0 && !late && [...of(vehicleId).values()].some(isRecent)) return;
    const alert = opened(sighting, newId(), chosen.severityOf);
    if (alert) put(alert);
  };
  for (const alert of known) of(alert.vehicleId).set(alert.id, alert);

  for (const sighting of sightings) {
    const { at } = sighting;
    const alerts = [...of(sighting.vehicleId).values()];
    const rule = ruleOf(sighting.event);
    const kind = rule && 'kind' in rule ? rule.kind : null;
    if (sighting.late) {
      if (kind === null) continue;
      const holding = alerts.filter(alert => alert.kind === kind && holds(alert, at));
      // Whatever the order in which they were read.
      const same = holding.find(alert => !alert.late) ?? holding[0];
      if (same) put(withLate(same, sighting));
      else open(sighting);
      continue;
    }
    const lasting = alerts.filter(alert => alert.closedAt === null);
    if (kind !== null) {
      const same = lasting.find(alert => alert.kind === kind);
      const isNews = same && wasHistory(same) && !isHistory(sighting);
      // Closed at its own time, so that late reports find the same alert before and after.
      if (isNews) put({ ...same, closedAt: at });
      const { event, lat, lon } = sighting;
      const again = same && !isNews;
      const figures = joinFigures(same?.figures ?? null, sighting.figures);
      if (again) put({ ...same, event, lat, lon, figures, updatedAt: at, count: same.count + 1 });
      else open(sighting);
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

/**
 * Acknowledged on arrival because of its age, and by nobody. Whoever acknowledged an alert stays named when they are
 * deleted.
 */
const wasHistory = ({ acknowledgedAt, acknowledgedBy, openedAt }: AlertState): boolean =>
  acknowledgedAt !== null && acknowledgedBy === null && isHistory({ at: openedAt, receivedAt: acknowledgedAt });

/** Whether a report of that time belongs to this alert. */
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

/** Null if the account wants no such alert. */
function opened(sighting: Sighting, id: string, severityOf: Chosen['severityOf']): AlertState | null {
  const { accountId, at, driverId, event, figures, late, lat, lon, receivedAt, vehicleId } = sighting;
  const rule = ruleOf(event);
  if (!rule || !('kind' in rule)) throw new TypeError(`The event ${event} opens no alert`);
  const { kind } = rule;
  const { ignition, speed } = sighting;
  const severity = severityOf({ accountId, vehicleId, kind, at, driverId, ignition, speed }, rule.severity);
  if (severity === null) return null;
  // A call for help needs an answer even if it comes late; speeding this morning is history.
  const isOver = isHistory(sighting) || (late && severity !== 'critical');
  return {
    ...{ id, accountId, vehicleId, kind, severity, event, late, lat, lon, figures, driverId },
    ...{ openedAt: at, updatedAt: at, count: 1, closedAt: late ? at : null },
    acknowledgedAt: isOver ? receivedAt : null,
    acknowledgedBy: null,
  };
}

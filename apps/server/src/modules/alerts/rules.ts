import type { AlertKind, Severity, TrackerProtocol } from '@milepost/contract';
import type { TrackerEvent } from '@milepost/decoders';

/** What a tracker's event means for alerts. */
export type EventRule =
  | {
      readonly kind: AlertKind;
      readonly severity: Severity;
      /** An event seen again within this time belongs to the same alert, whatever was reported in between. */
      readonly quietMs: number;
    }
  /** It closes open alerts of these kinds. */
  | { readonly ends: readonly AlertKind[] };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Closed by the first report without the event. */
const AT_ONCE = 0;
/** For events in quick succession, as on a rough road or with a hurried driver. */
const A_WHILE = 10 * MINUTE_MS;
/** For events reported only when they begin, and when they end if the tracker can: reports in between say nothing. */
const A_DAY = 24 * HOUR_MS;

const alert = (kind: AlertKind, severity: Severity, quietMs = AT_ONCE): EventRule => ({ kind, severity, quietMs });
const ends = (...kinds: readonly AlertKind[]): EventRule => ({ ends: kinds });

/** A rule for each tracker event; null if it does not affect alerts. */
export const EVENT_RULES: Readonly<Record<TrackerEvent, EventRule | null>> = {
  alarm: alert('trackerAlarm', 'warning'),
  sos: alert('sos', 'critical'),
  powerCut: alert('powerCut', 'critical', A_DAY),
  powerRestored: ends('powerCut', 'batteryLow'),
  powerLow: alert('batteryLow', 'warning', A_DAY),
  batteryLow: alert('batteryLow', 'warning', A_DAY),
  powerOn: null,
  powerOff: null,
  charging: ends('batteryLow'),
  ignitionOn: null,
  ignitionOff: null,
  movementStart: null,
  movementStop: null,
  tripStart: null,
  tripStop: null,
  idling: null,
  idlingEnd: null,
  overspeed: alert('overspeed', 'warning', A_WHILE),
  overspeedEnd: ends('overspeed'),
  harshAcceleration: alert('harshDriving', 'info', A_WHILE),
  harshBraking: alert('harshDriving', 'info', A_WHILE),
  harshCornering: alert('harshDriving', 'info', A_WHILE),
  laneChange: alert('harshDriving', 'info', A_WHILE),
  crash: alert('crash', 'critical'),
  rollover: alert('crash', 'critical'),
  fall: alert('crash', 'critical'),
  towing: alert('tow', 'critical', A_WHILE),
  theft: alert('tow', 'critical', A_WHILE),
  vibration: alert('vibration', 'warning', A_WHILE),
  tamper: alert('tamper', 'critical', A_WHILE),
  doorOpen: alert('doorOpen', 'warning', A_WHILE),
  geofenceEnter: alert('geofence', 'info'),
  geofenceExit: alert('geofence', 'info'),
  jamming: alert('jamming', 'critical', HOUR_MS),
  jammingEnd: ends('jamming'),
  falseBaseStation: alert('jamming', 'critical', HOUR_MS),
  simChanged: alert('tamper', 'critical', A_WHILE),
  airplaneMode: null,
  // Common in tunnels and parking garages; the status "no GPS" shows it where it matters.
  gpsLost: null,
  gpsFound: null,
  sleep: null,
  sound: alert('trackerAlarm', 'info'),
  button: null,
  driverIdentified: null,
};

export const ruleOf = (event: string | null): EventRule | null =>
  event !== null && Object.hasOwn(EVENT_RULES, event) ? EVENT_RULES[event as TrackerEvent] : null;

/** The longest `quietMs` of the events of a kind; none for kinds that no report closes. */
const QUIET_MS = new Map<AlertKind, number>();
for (const rule of Object.values(EVENT_RULES)) {
  if (rule && 'kind' in rule) QUIET_MS.set(rule.kind, Math.max(rule.quietMs, QUIET_MS.get(rule.kind) ?? 0));
}

/** Their trackers repeat an alarm in each report while it lasts, so a report without it closes the alert. */
const STANDING_ALARMS: ReadonlySet<TrackerProtocol> = new Set(['jt808', 'h02']);

/** How long after the last event a report without it closes the alert, in ms; null if none does. */
export function quietMsOf(kind: AlertKind, protocol: TrackerProtocol): number | null {
  const quietMs = QUIET_MS.get(kind);
  if (quietMs === undefined) return null;
  return STANDING_ALARMS.has(protocol) ? AT_ONCE : quietMs;
}

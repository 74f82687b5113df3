import type { AlertKind, Severity, TrackerProtocol } from '@milepost/contract';
import type { TrackerEvent } from '@milepost/decoders';

/** What a tracker's event means for alerts. */
export type EventRule =
  | {
      readonly kind: AlertKind;
      readonly severity: Severity;
      /** Seen again after no longer than this it is the same condition, whatever was reported between. */
      readonly quietMs: number;
    }
  /** It ends what lasts. */
  | { readonly ends: readonly AlertKind[] };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Over as soon as a report comes without it. */
const AT_ONCE = 0;
/** One of many in a row, as a rough road or a hurried driver makes them. */
const A_WHILE = 10 * MINUTE_MS;
/** Told when it begins, and when it ends if the tracker can: until then reports say nothing of it. */
const A_DAY = 24 * HOUR_MS;

const alert = (kind: AlertKind, severity: Severity, quietMs = AT_ONCE): EventRule => ({ kind, severity, quietMs });
const ends = (...kinds: readonly AlertKind[]): EventRule => ({ ends: kinds });

/** Every word of the trackers' vocabulary; null says nothing about alerts. */
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
  // Tunnels and car parks do it; the status "no GPS" says it where it matters.
  gpsLost: null,
  gpsFound: null,
  sleep: null,
  sound: alert('trackerAlarm', 'info'),
  button: null,
  driverIdentified: null,
};

export const ruleOf = (event: string | null): EventRule | null =>
  event !== null && Object.hasOwn(EVENT_RULES, event) ? EVENT_RULES[event as TrackerEvent] : null;

/** The longest that conditions of a kind stay quiet; null for kinds that no report ends. */
const QUIET_MS = new Map<AlertKind, number>();
for (const rule of Object.values(EVENT_RULES)) {
  if (rule && 'kind' in rule) QUIET_MS.set(rule.kind, Math.max(rule.quietMs, QUIET_MS.get(rule.kind) ?? 0));
}

/** Their alarms come with every report for as long as they last, so that a report without one ends it. */
const STANDING_ALARMS: ReadonlySet<TrackerProtocol> = new Set(['jt808', 'h02']);

/** How long after the last sighting a report without the event ends it; null: never does one. */
export function quietMsOf(kind: AlertKind, protocol: TrackerProtocol): number | null {
  const quietMs = QUIET_MS.get(kind);
  if (quietMs === undefined) return null;
  return STANDING_ALARMS.has(protocol) ? AT_ONCE : quietMs;
}

import type { TrackerEvent } from '../events.ts';

/**
 * "Event Code" of the GPRS protocols of MVT380, T1, T333, T366 and T622. Codes 2–8 and 9–16 report an input that became
 * active or inactive; 3 and 11 are the ignition in the maker's standard wiring. A code without a word here stays in
 * `eventCode`.
 */
export const EVENT_CODES: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [1, 'sos'],
  [3, 'ignitionOn'],
  [11, 'ignitionOff'],
  [17, 'batteryLow'],
  [18, 'powerLow'],
  [19, 'overspeed'],
  [20, 'geofenceEnter'],
  [21, 'geofenceExit'],
  [22, 'powerRestored'],
  [23, 'powerCut'],
  [24, 'gpsLost'],
  [25, 'gpsFound'],
  [26, 'sleep'],
  [28, 'tamper'],
  [29, 'powerOn'],
  [36, 'towing'],
  [37, 'driverIdentified'],
  [40, 'powerOff'],
  [41, 'movementStop'],
  [42, 'movementStart'],
  [44, 'jamming'],
  [54, 'theft'],
  [58, 'theft'],
  [63, 'jammingEnd'],
  [78, 'crash'],
  [79, 'fall'],
  [90, 'harshCornering'],
  [91, 'harshCornering'],
  [129, 'harshBraking'],
  [130, 'harshAcceleration'],
  [133, 'idling'],
  [134, 'idlingEnd'],
  [138, 'overspeedEnd'],
]);

/** Reports by time, distance, angle and on demand, which are not events. */
const ROUTINE = new Set([0, 31, 32, 33, 34, 35]);

export function eventOf(code: number): { event: TrackerEvent | null; eventCode: number | null } {
  const event = EVENT_CODES.get(code) ?? null;
  return { event, eventCode: event !== null || ROUTINE.has(code) ? null : code };
}

const TRACK_BY_TIME = 35;
/** "Reply to Current (Passive)": the answer to A10. */
export const ON_DEMAND = 34;

export function codeOf(event: string | null): number {
  for (const [code, word] of EVENT_CODES) if (word === event) return code;
  return TRACK_BY_TIME;
}

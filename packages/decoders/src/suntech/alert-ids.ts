import type { TrackerEvent } from '../events.ts';

/** "Alert ID Table" of the ST300 manual and the Universal Reporting Guide. `null`: back to normal, not an event. */
export const ALERT_IDS: ReadonlyMap<number, TrackerEvent | null> = new Map<number, TrackerEvent | null>([
  [1, 'overspeed'],
  [2, 'overspeedEnd'],
  [3, 'gpsLost'],
  [4, 'gpsFound'],
  [5, 'geofenceExit'],
  [6, 'geofenceEnter'],
  [8, 'gpsLost'],
  [9, 'sleep'],
  [10, null],
  [13, 'batteryLow'],
  [14, 'powerLow'],
  [15, 'vibration'],
  [16, 'crash'],
  [18, 'geofenceExit'],
  [19, 'geofenceEnter'],
  [33, 'ignitionOn'],
  [34, 'ignitionOff'],
  [40, 'powerRestored'],
  [41, 'powerCut'],
  [42, 'sos'],
  [44, null],
  [45, 'tamper'],
  [46, 'harshAcceleration'],
  [47, 'harshBraking'],
  [48, 'harshCornering'],
  [49, 'overspeed'],
  [50, 'jamming'],
  [59, 'driverIdentified'],
  [60, null],
  [61, 'idling'],
  [65, null],
  [66, null],
  [67, null],
  [73, 'theft'],
]);

/**
 * "Emergency Report": panic button, movement while parked, main power removed, and the anti-theft functions with their
 * sensors.
 */
export const EMERGENCY_IDS: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [1, 'sos'],
  [2, 'towing'],
  [3, 'powerCut'],
  [5, 'theft'],
  [6, 'theft'],
  [7, 'theft'],
  [8, 'theft'],
]);

export function alertOf(id: number): { event: TrackerEvent | null; alarmCode: number | null } {
  const event = ALERT_IDS.get(id);
  return event === undefined ? { event: 'alarm', alarmCode: id } : { event, alarmCode: null };
}

export function alertIdOf(event: string): number | null {
  for (const [id, word] of ALERT_IDS) if (word === event) return id;
  return null;
}

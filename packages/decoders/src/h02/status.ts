import type { TrackerEvent } from '../events.ts';

/**
 * The status word, "vehicle_status" of the maker's document: four bytes in negative logic, so a bit that is 0 is
 * active. Bits are counted from the lowest of the last byte. The most urgent comes first, because a report has one
 * event; the event is repeated in every report while the bit stays 0.
 */
export const ALARM_BITS: readonly (readonly [bit: number, event: TrackerEvent, meaning: string])[] = [
  [1, 'sos', 'robbery'],
  [18, 'sos', 'emergency'],
  [0, 'theft', 'theft'],
  [3, 'theft', 'illegal ignition'],
  [2, 'overspeed', 'overspeed'],
  [4, 'geofenceEnter', 'entered a forbidden area'],
  [7, 'geofenceExit', 'left its area'],
  [19, 'powerCut', 'runs on its own battery'],
  [5, 'gpsLost', 'GPS antenna cut'],
  [6, 'gpsLost', 'GPS antenna short-circuited'],
];
/** Of trackers with V6 and V8, "Appendix 1 Table": of these bits, and for other keywords none but the ones above. */
export const NEWER_ALARM_BITS: typeof ALARM_BITS = [
  [1, 'sos', 'emergency'],
  [2, 'overspeed', 'overspeed'],
  [25, 'towing', 'displacement'],
  [17, 'vibration', 'vibration'],
  [5, 'batteryLow', 'low battery'],
  [6, 'batteryLow', 'low battery'],
];
/** Of trackers that send stations in V5 ("G20LS Protocol Document", 4.1). */
export const STATION_ALARM_BITS: typeof ALARM_BITS = [
  [18, 'tamper', 'taken off'],
  [26, 'overspeed', 'overspeed'],
  [4, 'geofenceEnter', 'entered a geofence'],
  [7, 'geofenceExit', 'left a geofence'],
  [11, 'vibration', 'vibration'],
  [12, 'batteryLow', 'low battery'],
];
const IGNITION_OFF = 10;

/** States that are active while the bit is 0. */
export const STATE_BITS: readonly (readonly [bit: number, name: string])[] = [
  [8, 'doorOpen'],
  [9, 'armed'],
  [27, 'engineCut'],
];

const isActive = (word: number, bit: number): boolean => ((word >>> bit) & 1) === 0;

export interface Status {
  readonly event: TrackerEvent | null;
  readonly ignition: boolean;
  readonly attributes: Readonly<Record<string, string | boolean>>;
}

export function statusOf(word: number, alarms = ALARM_BITS): Status {
  const attributes: Record<string, string | boolean> = {
    status: (word >>> 0).toString(16).toUpperCase().padStart(8, '0'),
  };
  for (const [bit, name] of STATE_BITS) if (isActive(word, bit)) attributes[name] = true;
  const event = alarms.find(([bit]) => isActive(word, bit))?.[1] ?? null;
  return { event, ignition: !isActive(word, IGNITION_OFF), attributes };
}

/** The reverse. */
export function statusWord(event: string | null, ignition: boolean): number {
  const bit = ALARM_BITS.find(([, name]) => name === event)?.[0];
  const word = bit === undefined ? 0xffff_ffff : 0xffff_ffff ^ (1 << bit);
  return (ignition ? word : word ^ (1 << IGNITION_OFF)) >>> 0;
}

import type { TrackerEvent } from '../events.ts';

/**
 * Bits of the alarm word, JT/T 808-2013 Table 24; the most urgent comes first, because a report has one event. A bit
 * stays set as long as the alarm lasts, so the event is repeated in every report until then.
 */
export const ALARM_BITS: readonly (readonly [bit: number, event: TrackerEvent, meaning: string])[] = [
  [0, 'sos', 'emergency button'],
  [29, 'crash', 'collision'],
  [30, 'rollover', 'rollover'],
  [26, 'theft', 'vehicle stolen'],
  [27, 'theft', 'illegal ignition'],
  [28, 'towing', 'illegal displacement'],
  [8, 'powerCut', 'main power cut'],
  // Reserved until 2019, then assigned to the right-turn blind spot; recorded trackers report tampering this way.
  [17, 'tamper', 'tampering'],
  [31, 'doorOpen', 'illegal opening of a door'],
  [1, 'overspeed', 'overspeed'],
  [7, 'powerLow', 'main power low'],
  [5, 'gpsLost', 'GNSS antenna cut'],
  [6, 'gpsLost', 'GNSS antenna short-circuited'],
  [4, 'gpsLost', 'GNSS module out of order'],
];

/** Reserved until 2019; battery-powered trackers use them so ("JT/T808 Protocol for G10LS", Table 18). */
export const EARLIER_BITS: readonly (readonly [bit: number, event: TrackerEvent, meaning: string])[] = [
  [16, 'vibration', 'vibration'],
  [15, 'batteryLow', 'battery low'],
];

/** Bits without an event name of ours; together they are the event `alarm`, with their names in `alarms`. */
export const OTHER_ALARM_BITS: readonly (readonly [bit: number, name: string])[] = [
  [2, 'fatigue'],
  [3, 'danger'],
  [9, 'display'],
  [10, 'speech'],
  [11, 'camera'],
  [12, 'cardReader'],
  [13, 'overspeedWarning'],
  [14, 'fatigueWarning'],
  [15, 'violation'],
  [16, 'tirePressure'],
  [18, 'drivingTime'],
  [19, 'parkingTime'],
  [20, 'area'],
  [21, 'route'],
  [22, 'routeTime'],
  [23, 'routeDeparture'],
  [24, 'speedSensor'],
  [25, 'fuel'],
];

const isSet = (word: number, bit: number): boolean => ((word >>> bit) & 1) === 1;

/** The most urgent alarm, and the names of all if there are several or one has no event name. */
export function alarmsOf(
  word: number,
  versioned: boolean,
): { readonly event: TrackerEvent | null; readonly names: string | null } {
  if (word === 0) return { event: null, names: null };
  const earlier = versioned ? [] : EARLIER_BITS;
  const known = [...ALARM_BITS, ...earlier].filter(([bit]) => isSet(word, bit)).map(([, event]) => event);
  const others = OTHER_ALARM_BITS.filter(
    ([bit]) => isSet(word, bit) && !earlier.some(([number]) => number === bit),
  ).map(([, name]) => name);
  const names = [...new Set<string>([...known, ...others])].join(' ');
  const [first] = known;
  return { event: first ?? 'alarm', names: known.length + others.length > 1 || others.length > 0 ? names : null };
}

/** The inverse, for one event; 0 if the table has no bit for it. */
export const alarmWord = (event: string | null): number => {
  const row = ALARM_BITS.find(([, name]) => name === event);
  return row ? (1 << row[0]) >>> 0 : 0;
};

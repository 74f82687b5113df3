import type { TrackerEvent } from '../events.ts';

/** "Location Data Notes", device status: the upper sixteen bits are alarms. The first that is set is the event. */
export const ALARMS: readonly (readonly [bit: number, event: TrackerEvent, meaning: string])[] = [
  [16, 'sos', 'SOS'],
  [21, 'fall', 'fall'],
  [20, 'tamper', 'watch taken off'],
  [18, 'geofenceExit', 'left its fence'],
  [19, 'geofenceEnter', 'entered its fence'],
  [17, 'batteryLow', 'low battery'],
  [22, 'alarm', 'abnormal heart rate'],
];

/** The lower sixteen bits are states. */
export const STATES: readonly (readonly [bit: number, meaning: string])[] = [
  [0, 'low battery'],
  [1, 'out of its fence'],
  [2, 'in its fence'],
  [3, 'watch state'],
  [4, 'not moving'],
];

export const NOT_MOVING = 1 << 4;

export const isSet = (status: number, bit: number): boolean => Math.floor(status / 2 ** bit) % 2 === 1;

/** What an alarm is about; more than one, or one that is not in the table, keeps its status word as the code. */
export function alarmIn(status: number): { readonly event: TrackerEvent; readonly isPlain: boolean } {
  const known = ALARMS.filter(([bit]) => isSet(status, bit));
  const [, event = 'alarm'] = known[0] ?? [];
  return { event, isPlain: event !== 'alarm' && Math.floor(status / 2 ** 16) === 2 ** ((known[0]?.[0] ?? 0) - 16) };
}

/** The status word of an event; null if it has no alarm here. */
export function alarmWord(event: string | null): number | null {
  const [bit] = ALARMS.find(([, known]) => known === event && known !== 'alarm') ?? [];
  return bit === undefined ? null : 2 ** bit;
}

import type { TrackerEvent } from '../events.ts';

/** BO01, "Alarm message": one digit before the position. */
export const ALARMS: readonly (readonly [code: string, event: TrackerEvent, meaning: string])[] = [
  ['0', 'powerCut', 'main power off'],
  ['1', 'crash', 'accident'],
  ['2', 'sos', 'robbery, emergency button'],
  ['3', 'theft', 'anti-theft alert'],
  ['4', 'alarm', 'speed too low'],
  ['5', 'overspeed', 'speed too high'],
  ['6', 'geofenceExit', 'left its area'],
];

export const alarmOf = (code: string): TrackerEvent => ALARMS.find(([known]) => known === code)?.[1] ?? 'alarm';
export const alarmCode = (event: string | null): string | null =>
  ALARMS.find(([, known]) => known === event && known !== 'alarm')?.[0] ?? null;

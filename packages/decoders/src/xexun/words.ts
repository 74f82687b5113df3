import type { TrackerEvent } from '../events.ts';

/**
 * The field before the IMEI: "help me" in the manual of the TK102. The others are what the same trackers say in their
 * alarms by SMS.
 */
export const EVENTS: readonly (readonly [word: string, event: TrackerEvent])[] = [
  ['help me', 'sos'],
  ['low battery', 'batteryLow'],
  ['stockade', 'geofenceExit'],
  ['move', 'movementStart'],
  ['speed', 'overspeed'],
  ['ac alarm', 'powerCut'],
];

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Null without a word. Some firmware writes capitals, `helpme`, `help me!`, or the limit behind `speed`. */
export function eventOf(field: string): TrackerEvent | null {
  const word = lettersOf(field);
  if (word === '') return null;
  return EVENTS.find(([known]) => lettersOf(known) === word)?.[1] ?? 'alarm';
}

export const wordOf = (event: string | null): string => EVENTS.find(([, known]) => known === event)?.[0] ?? '';

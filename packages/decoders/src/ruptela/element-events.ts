import type { TrackerEvent } from '../events.ts';

/** The event when an element causes a report: by its value, or for any value that is not 0. */
type Meaning = Readonly<Record<number, TrackerEvent>> | TrackerEvent;

const IGNITION: Meaning = { 0: 'ignitionOff', 1: 'ignitionOn' };

export const EVENTS: Readonly<Record<number, Meaning>> = {
  5: IGNITION,
  34: 'driverIdentified',
  88: { 0: 'jammingEnd', 1: 'jamming' },
  134: 'harshBraking',
  135: 'harshBraking',
  136: 'harshAcceleration',
  143: 'harshCornering',
  169: { 0: 'idlingEnd', 1: 'idling' },
  171: 'driverIdentified',
  172: 'driverIdentified',
  173: { 0: 'movementStop', 1: 'movementStart' },
  251: IGNITION,
  409: IGNITION,
  410: { 1: 'towing' },
  411: { 1: 'rollover' },
  412: { 3: 'sleep', 4: 'sleep', 5: 'sleep', 6: 'sleep' },
  522: IGNITION,
  533: { 4: 'alarm' },
  537: { 1: 'alarm' },
  558: { 1: 'sos' },
  575: 'driverIdentified',
  617: 'driverIdentified',
  620: 'driverIdentified',
  651: 'geofenceEnter',
  739: { 1: 'geofenceExit' },
  758: { 1: 'tamper' },
  985: { 0: 'powerRestored', 1: 'powerCut' },
};

/** The group of zones in which the tracker is; 0 is outside of all. */
const ZONE = 651;

export function eventOf(id: number, value: number | undefined): TrackerEvent | null {
  const meaning = EVENTS[id];
  if (value === undefined || meaning === undefined) return null;
  if (id === ZONE && value === 0) return 'geofenceExit';
  return typeof meaning === 'string' ? (value === 0 ? null : meaning) : (meaning[value] ?? null);
}

import type { TrackerEvent } from '../events.ts';

/**
 * §5.5 "Warning package", "Warning". Others, and those that have no word of their own, are the event `alarm` with their
 * number.
 */
export const WARNINGS: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [0x01, 'powerCut'],
  [0x02, 'sos'],
  [0x03, 'batteryLow'],
  [0x04, 'vibration'],
  [0x05, 'towing'],
  // It came to light: the device was opened or taken from where it was hidden.
  [0x25, 'tamper'],
  [0x26, 'movementStart'],
  [0x82, 'overspeed'],
  [0x83, 'geofenceEnter'],
  [0x84, 'geofenceExit'],
  [0x85, 'vibration'],
  [0x86, 'fall'],
  [0x87, 'rollover'],
]);

/** The names of all warnings, for explaining them. */
export const WARNING_NAMES: Readonly<Record<number, string>> = {
  1: 'external power cut',
  2: 'SOS',
  3: 'battery low',
  4: 'activity',
  5: 'shift',
  8: 'GPS antenna open',
  9: 'GPS antenna shorted',
  32: 'internal temperature',
  33: 'humidity',
  34: 'illuminance',
  35: 'CO2',
  36: 'probe temperature',
  37: 'light wakeup',
  38: 'motion wakeup',
  130: 'speed',
  131: 'into a fence',
  132: 'out of a fence',
  133: 'shock',
  134: 'free fall',
  135: 'tilt',
};

export const POWER = [0x01, 0x03] as const;
export const SPEED = 0x82;
export const ACCELERATION = [0x85, 0x86, 0x87] as const;

/** The sensor that is out of its range: its name, and the steps of a unit. */
export const SENSORS: Readonly<Record<number, readonly [name: string, steps: number]>> = {
  32: ['deviceTemperature', 256],
  33: ['humidity', 10],
  34: ['illuminance', 256],
  35: ['co2', 1],
  36: ['temperature', 16],
};

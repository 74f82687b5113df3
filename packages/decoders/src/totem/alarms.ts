import type { TrackerEvent } from '../events.ts';

interface Alarm {
  readonly what: string;
  readonly event: TrackerEvent | null;
}

const alarm = (what: string, event: TrackerEvent | null): Alarm => ({ what, event });

/**
 * "Alarm type", AVL02 User Guide V1.5, §3, and TZ-AVL05 User Guide V4.2.0, p. 26; 08 from AVL05 User Guide V3.32, p. 21,
 * which also says what makes a parking alarm: ten seconds of trembling.
 */
export const ALARMS: Readonly<Record<string, Alarm>> = {
  '01': alarm('SOS button', 'sos'),
  '08': alarm('external power cut', 'powerCut'),
  '09': alarm('shut down', 'powerOff'),
  '10': alarm('low battery', 'batteryLow'),
  '11': alarm('over speed', 'overspeed'),
  '13': alarm('no longer over speed', 'overspeedEnd'),
  '14': alarm('deceleration', 'harshBraking'),
  '15': alarm('acceleration', 'harshAcceleration'),
  '30': alarm('parking alarm', 'vibration'),
  '42': alarm('out of a fence', 'geofenceExit'),
  '43': alarm('into a fence', 'geofenceEnter'),
  '49': alarm('button A', 'button'),
  '50': alarm('input 1 closed', null),
  '51': alarm('input 1 open', null),
  '52': alarm('input 2 closed', null),
  '53': alarm('input 2 open', null),
  '54': alarm('input 3 closed', null),
  '55': alarm('input 3 open', null),
  '56': alarm('input 4 closed', null),
  '57': alarm('input 4 open', null),
  '60': alarm('begins to charge', 'charging'),
  '61': alarm('ends to charge', null),
  '88': alarm('heartbeat', null),
  '91': alarm('sleeps', 'sleep'),
  '92': alarm('wakes up', null),
  AA: alarm('report by time', null),
};

export const HEARTBEAT = '88';
export const BY_TIME = 'AA';

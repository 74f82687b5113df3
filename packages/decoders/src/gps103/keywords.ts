import type { TrackerEvent } from '../events.ts';

/** What the keyword of a report means, Coban GPRS Protocol, "Keyword explanation". `tracker` is a scheduled report. */
export const EVENTS: Readonly<Record<string, TrackerEvent>> = {
  'help me': 'sos',
  'low battery': 'batteryLow',
  stockade: 'geofenceExit',
  move: 'movementStart',
  speed: 'overspeed',
  'acc on': 'ignitionOn',
  'acc off': 'ignitionOff',
  'acc alarm': 'ignitionOn',
  'ac alarm': 'powerCut',
  'door alarm': 'doorOpen',
  'sensor alarm': 'vibration',
  'bonnet alarm': 'tamper',
  'accident alarm': 'crash',
  'footbrake alarm': 'alarm',
  oil: 'alarm',
  oil1: 'alarm',
  oil2: 'alarm',
  DTC: 'alarm',
  rfid: 'driverIdentified',
};

/** A keyword that says of itself that it is an alarm is one, whichever it is. */
export const eventOf = (keyword: string): TrackerEvent | null =>
  EVENTS[keyword.replace(/^oil [\d.]+$/, 'oil')] ?? (/ alarm$/.test(keyword) ? 'alarm' : null);

/** A command is confirmed by a report with its letter and a `t`. */
export const CONFIRMATIONS: Readonly<Record<string, string>> = {
  bt: 'position',
  ct: 'interval set',
  dt: 'tracking ended',
  et: 'alarm ended',
  gt: 'movement alarm set',
  ht: 'speed limit set',
  it: 'time zone set',
  jt: 'oil and power cut',
  kt: 'oil and power restored',
  lt: 'armed',
  mt: 'disarmed',
  nt: 'SMS mode',
};

/** The reverse: the keyword that reports an event. */
export const keywordOf = (event: string | null): string =>
  Object.entries(EVENTS).find(([, name]) => name === event && name !== 'alarm')?.[0] ?? 'tracker';

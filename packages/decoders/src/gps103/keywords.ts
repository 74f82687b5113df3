import type { TrackerEvent } from '../events.ts';

/** The meaning of a report's keyword, Coban GPRS Protocol, "Keyword explanation". `tracker` is a scheduled report. */
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

/** Any keyword that ends in "alarm" is an alarm. Some firmware writes capitals, or `help me!` as its SMS does. */
export function eventOf(keyword: string): TrackerEvent | null {
  const word = keyword.replace(/^oil [\d.]+$/, 'oil');
  const spoken = word.replace(/[!. ]+$/, '').toLowerCase();
  const known = [word, spoken].find(name => Object.hasOwn(EVENTS, name));
  return known === undefined ? (/ alarm$/.test(spoken) ? 'alarm' : null) : (EVENTS[known] ?? null);
}

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

/** What a keyword confirms; undefined if it is no confirmation. */
export const confirmedBy = (keyword: string): string | undefined =>
  Object.hasOwn(CONFIRMATIONS, keyword) ? CONFIRMATIONS[keyword] : undefined;

/** The inverse: the keyword that reports an event. */
export const keywordOf = (event: string | null): string =>
  Object.entries(EVENTS).find(([, name]) => name === event && name !== 'alarm')?.[0] ?? 'tracker';

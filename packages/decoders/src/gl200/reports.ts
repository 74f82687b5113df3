import type { TrackerEvent } from '../events.ts';

/**
 * Reports by name, with the event that each stands for. A report with a state ("report type") has an event for each
 * state. From the @Track Air Interface Protocols of GL200, GL300, GL500, GV55, GV200, GV300 and GV350M, and those of the
 * first models GL100 and GT300 (GTEST and after it).
 */
type Meaning = TrackerEvent | null | { readonly 0: TrackerEvent | null; readonly 1: TrackerEvent | null };

export const REPORTS: Readonly<Record<string, Meaning>> = {
  GTFRI: null,
  GTERI: null,
  GTRTL: null,
  GTDOG: null,
  GTNMR: { 0: 'movementStop', 1: 'movementStart' },
  GTSOS: 'sos',
  GTIGN: 'ignitionOn',
  GTIGF: 'ignitionOff',
  GTVGN: 'ignitionOn',
  GTVGF: 'ignitionOff',
  GTIGL: { 0: 'ignitionOn', 1: 'ignitionOff' },
  GTTOW: 'towing',
  GTSPD: { 0: 'overspeedEnd', 1: 'overspeed' },
  GTHBM: { 0: 'harshBraking', 1: 'harshAcceleration' },
  GTGEO: { 0: 'geofenceExit', 1: 'geofenceEnter' },
  GTGIN: 'geofenceEnter',
  GTGOT: 'geofenceExit',
  GTMPN: 'powerRestored',
  GTMPF: 'powerCut',
  GTEPN: 'powerRestored',
  GTEPF: 'powerCut',
  GTBPL: 'batteryLow',
  GTBTC: 'charging',
  GTSTC: null,
  GTSTR: 'movementStart',
  GTSTP: 'movementStop',
  GTPNA: 'powerOn',
  GTPFA: 'powerOff',
  GTIDN: 'idling',
  GTIDF: 'idlingEnd',
  GTJDR: 'jamming',
  GTCRA: 'crash',
  GTIDA: 'driverIdentified',
  GTTSW: 'tamper',
  GTLSW: 'tamper',
  GTEST: 'overspeed',
  GTMSA: 'fall',
  GTBND: 'simChanged',
  GTPLA: 'batteryLow',
};

/** The event of a report; `type` is its report type, if it has one. */
export function eventOf(name: string, type: string | null): TrackerEvent | null {
  const meaning = REPORTS[name] ?? null;
  if (meaning === null || typeof meaning === 'string') return meaning;
  return type === '0' ? meaning[0] : type === '1' ? meaning[1] : null;
}

/** The report for an event, and its report type. For the encoder. */
export function reportOf(event: string | null): readonly [name: string, type: string] {
  for (const [name, meaning] of Object.entries(REPORTS)) {
    if (meaning === null || event === null) continue;
    if (meaning === event) return [name, '0'];
    if (typeof meaning === 'object' && (meaning[0] === event || meaning[1] === event)) {
      return [name, meaning[1] === event ? '1' : '0'];
    }
  }
  return ['GTFRI', '0'];
}

/** Motion states of GTSTT, as in the device status. */
export const motionEvent = (state: string): TrackerEvent | null =>
  /^[124]2$/.test(state) ? 'movementStart' : /^[124]1$/.test(state) ? 'movementStop' : state === '16' ? 'towing' : null;

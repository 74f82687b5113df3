import type { ShownClocks, ShownRecord } from '@milepost/contract';
import { DUTY_CODES, DUTY_STATES, formatSequence, INDICATION_CODES, isDutyEvent, type LogRecord } from '@milepost/eld';
import type { Clock, Clocks, Violation } from '@milepost/hos';

/** Parts of logs in the form of the contract: times in ISO 8601, durations in seconds. */

export const iso = (at: number): string => new Date(at).toISOString();

/** The name of a user by their id, as in the records’ `by`; null for one who no longer exists. */
export type NameOf = (by: string) => string | null;

export function shownClocks({ drive, window, onDuty, break: breakClock, cycle }: Clocks): ShownClocks {
  return {
    drive: shownClock(drive),
    window: shownClock(window),
    onDuty: onDuty && shownClock(onDuty),
    break: breakClock && shownClock(breakClock),
    cycle: shownClock(cycle),
  };
}

/** More than anyone can drive: what a limit that an exception has lifted looks like as a number. */
const UNLIMITED_MS = 7 * 24 * 3_600_000;
const finite = (duration: number): number => Math.min(duration, UNLIMITED_MS) / 1000;
const shownClock = ({ limit, remaining }: Clock) => ({ limitS: finite(limit), leftS: Math.floor(finite(remaining)) });

export const shownViolation = ({ rule, clause, start, end, over, severity }: Violation) => ({
  rule,
  clause,
  from: iso(start),
  to: iso(end),
  overS: Math.round(over / 1000),
  severity,
});

export function shownRecord(record: LogRecord, nameOf: NameOf): ShownRecord {
  const { id, event, status, by, recordedAt, replaces, annotation, automaticFrom } = record;
  const head = {
    id,
    type: event.type,
    code: event.code,
    status: statusOf(record),
    at: iso(event.at),
    state: record.isWithdrawn ? ('change-withdrawn' as const) : status,
    by: by === 'eld' ? null : nameOf(by),
    recordedAt: iso(recordedAt),
    sequence: formatSequence(event.sequence),
    replaces,
    vehicle: event.vehicle.powerUnit,
    vin: event.vehicle.vin,
    trailers: event.trailers,
    shippingDocument: event.shippingDocument,
    note: annotation,
    isLocked: automaticFrom !== null && event.type === 1 && event.code === DUTY_CODES.D,
  };
  if (isDutyEvent(event)) {
    const { origin, miles, hours, lat, lon, malfunction, diagnostic } = event;
    const place = event.placeByDriver ?? event.place;
    return { ...head, origin, miles, hours, lat, lon, place, fault: null, malfunction, diagnostic };
  }
  return {
    ...head,
    origin: null,
    miles: 'totalMiles' in event ? event.totalMiles : null,
    hours: 'totalHours' in event ? event.totalHours : null,
    lat: event.type === 6 ? event.lat : null,
    lon: event.type === 6 ? event.lon : null,
    place: null,
    fault: event.type === 7 ? event.faultCode : null,
    malfunction: false,
    diagnostic: false,
  };
}

/** The status that begins with a record; null for records that are none, and for the end of an indication. */
export function statusOf({ event }: Pick<LogRecord, 'event'>): ShownRecord['status'] {
  if (event.type === 1) return DUTY_STATES.find(name => DUTY_CODES[name] === event.code) ?? null;
  if (event.type !== 3) return null;
  if (event.code === INDICATION_CODES['personal-use']) return 'PC';
  return event.code === INDICATION_CODES['yard-move'] ? 'YM' : null;
}

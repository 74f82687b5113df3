import { epochMs } from '@milepost/units';
import { DUTY_CODES, type DutyState, INDICATION_CODES, type Indication } from '../event/codes.ts';
import { withCheck } from '../event/duty-event.ts';
import type { CertificationEvent, DutyEvent } from '../event/event.ts';
import type { EntryWithEvent, LogEntry } from '../log/entry.ts';
import type { LogTerms } from '../log/state.ts';

/** Entries of a fictional driver, for tests: February 3, 2026 in Chicago, times as `HH:MM` on that day. */

export const HOME = { timeZone: 'America/Chicago', startOfDay: 0 };
export const TERMS: LogTerms = { log: 'driver:12', home: HOME };
export const UNIDENTIFIED: LogTerms = { log: 'unidentified:7', home: HOME };
export const VEHICLE = { powerUnit: 'T204', vin: '1M8GDM9AXKP042788' };

/** `9:05`, or `+1 9:05` on the next day, `-1 9:05` on the previous day. */
export function at(clock: string): number {
  const [, days = '0', hours = '0', minutes = '0'] = /^(?:([+-]\d+) )?(\d+):(\d\d)$/.exec(clock) ?? [];
  return Date.parse('2026-02-03T06:00:00Z') + ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000;
}

let made = 0;
export const newId = (): string => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

export function duty(state: DutyState, clock: string, more: Partial<DutyEvent> = {}): DutyEvent {
  return dutyEvent(1, DUTY_CODES[state], clock, more);
}

export const indication = (which: Indication, clock: string, more: Partial<DutyEvent> = {}): DutyEvent =>
  dutyEvent(3, INDICATION_CODES[which], clock, more);
export const intermediate = (clock: string, more: Partial<DutyEvent> = {}): DutyEvent =>
  dutyEvent(2, 1, clock, { origin: 'automatic', ...more });

function dutyEvent(type: 1 | 2 | 3, code: number, clock: string, more: Partial<DutyEvent>): DutyEvent {
  const event = {
    sequence: 0,
    at: at(clock),
    vehicle: VEHICLE,
    trailers: '',
    shippingDocument: 'BOL 7741',
    type,
    code,
    origin: type === 1 && code === DUTY_CODES.D ? ('automatic' as const) : ('driver' as const),
    miles: 12,
    hours: 1.5,
    lat: '41.88',
    lon: '-87.63',
    milesSinceFix: 0,
    malfunction: false,
    diagnostic: false,
    annotation: '',
    placeByDriver: null,
    place: null,
    ...more,
  };
  return withCheck(event, 'arivera', HOME.timeZone);
}

export function certification(date: string, clock: string, code = 1): CertificationEvent {
  return {
    sequence: 0,
    at: at(clock),
    vehicle: VEHICLE,
    trailers: '',
    shippingDocument: '',
    type: 4,
    code,
    zoneOffset: '06',
    date,
  };
}

type Body<T> = T extends LogEntry ? Omit<T, 'id' | 'log' | 'recordedAt' | 'by' | 'device'> : never;
type Head = Partial<Pick<EntryWithEvent, 'id' | 'log' | 'recordedAt' | 'by' | 'device'>>;

/** An entry of driver 12 on vehicle 7, written when its event happens. */
export function entry(body: Body<LogEntry>, head: Head = {}): LogEntry {
  const device = 'event' in body ? { device: 'vehicle:7' } : {};
  const recordedAt = 'event' in body ? body.event.at : epochMs(0);
  return { id: newId(), log: TERMS.log, recordedAt, by: 'eld', ...device, ...body, ...head } as LogEntry;
}

export const recorded = (event: DutyEvent, head: Head = {}): LogEntry => entry({ action: 'record', event }, head);

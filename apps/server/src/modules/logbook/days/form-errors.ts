import type { LogDay } from '@milepost/contract';
import { type DutyEvent, INDICATION_CODES, isDutyEvent, type LogRecord } from '@milepost/eld';

/** What a form and manner check finds (49 CFR 395.8(d), 395.24, 395.30; Appendix A, 4.3.2 and 4.3.3). */
const FORM_ERRORS = {
  'not-certified': 'The driver has not certified this day.',
  'changed-since': 'The day changed after it was certified. It has to be certified again.',
  'place-missing': 'A change of duty status has no place.',
  'shipping-document-missing': 'There is driving without a shipping document number.',
  'note-missing': 'Personal use or a yard move has no note.',
  'starts-later': 'The log has no records for the beginning of the day.',
  'proposal-waiting': 'A proposed change waits for the driver’s answer.',
} as const;
type FormError = keyof typeof FORM_ERRORS;

const NO_COORDINATES = /^[XME]$/;

export interface CheckedDay {
  readonly isOver: boolean;
  /** Whether the day’s first status is known. */
  readonly isWhole: boolean;
  readonly hasDriving: boolean;
  readonly certification: LogDay['certification'];
  readonly proposals: number;
  /** Of the day. */
  readonly records: readonly LogRecord[];
}

export function formErrorsOf(day: CheckedDay): LogDay['formErrors'] {
  const events = day.records.flatMap((record): { event: DutyEvent; note: string }[] =>
    record.status === 'active' && isDutyEvent(record.event) ? [{ event: record.event, note: record.annotation }] : [],
  );
  const found: Readonly<Record<FormError, boolean>> = {
    'not-certified': day.isOver && day.certification.count === 0,
    'changed-since': day.isOver && day.certification.changedSince,
    'place-missing': events.some(({ event }) => event.type === 1 && isNowhere(event)),
    'shipping-document-missing': day.hasDriving && events.every(({ event }) => event.shippingDocument === ''),
    'note-missing': events.some(
      ({ event, note }) => event.type === 3 && event.code !== INDICATION_CODES.none && note === '',
    ),
    'starts-later': !day.isWhole,
    'proposal-waiting': day.proposals > 0,
  };
  return (Object.keys(found) as FormError[])
    .filter(code => found[code])
    .map(code => ({ code, text: FORM_ERRORS[code] }));
}

const isNowhere = ({ lat, place, placeByDriver }: DutyEvent): boolean =>
  NO_COORDINATES.test(lat) && place === null && placeByDriver === null;

/** What the records of a day should have and lack, by name: the tracker did not report it. */
export function missingIn(records: readonly LogRecord[]): string[] {
  const events = records.flatMap(({ event, status }) => (status === 'active' && isDutyEvent(event) ? [event] : []));
  // In personal use, miles and hours are blank on purpose (4.7.3).
  const counted = events.filter(({ type, origin }) => type === 1 && origin !== 'driver');
  const missing: string[] = [];
  if (counted.some(({ hours }) => hours === null)) missing.push('engine-hours');
  if (counted.some(({ miles }) => miles === null)) missing.push('odometer');
  if (events.some(({ vehicle }) => vehicle.vin === '')) missing.push('vin');
  if (events.some(({ lat }) => NO_COORDINATES.test(lat))) missing.push('position');
  return missing;
}

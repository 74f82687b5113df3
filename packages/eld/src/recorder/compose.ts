import { type Metres, type Seconds, toMiles } from '@milepost/units';
import { coordinatesOf, milesSinceFix, type PlaceKnowledge } from '../event/coordinates.ts';
import { withCheck } from '../event/duty-event.ts';
import type { DutyEvent, EngineEvent, SessionEvent } from '../event/event.ts';
import { secondOf } from '../event/second-of.ts';
import type { Mark } from './recorder-state.ts';

/** Instrument readings when an event is recorded; null for what is unknown. */
export interface Readings {
  readonly odometer: Metres | null;
  readonly engineTime: Seconds | null;
  /** The readings at engine start: accumulated miles and elapsed hours count from there (7.1, 7.13). */
  readonly atPowerUp: { readonly odometer: Metres | null; readonly engineTime: Seconds | null };
  readonly place: Omit<PlaceKnowledge, 'reduced'>;
  /** `6mi SSW IL Chicago`; null if the gazetteer has no town nearby. */
  readonly location: string | null;
}

/** What every event of this driver on this vehicle carries. */
export interface RecordContext {
  readonly vehicle: { readonly powerUnit: string; readonly vin: string };
  readonly trailers: string;
  readonly shippingDocument: string;
  readonly userName: string;
  readonly timeZone: string;
  readonly malfunction: boolean;
  readonly diagnostic: boolean;
}

export type Composed = DutyEvent | SessionEvent | EngineEvent;

const SECONDS_PER_HOUR = 3600;
const MOST_MILES = 9999;
const MOST_HOURS = 99_999.9;

/**
 * The event with its required elements (Appendix A, 4.5.1). `missing` names required elements that the instruments do
 * not provide: data diagnostic 3.
 */
export function compose(
  mark: Mark,
  sequence: number,
  readings: Readings,
  context: RecordContext,
): { readonly event: Composed; readonly missing: readonly string[] } {
  const { type, code, reduced, origin } = mark;
  const { vehicle, trailers, shippingDocument } = context;
  const head = { sequence, at: secondOf(mark.at), vehicle, trailers, shippingDocument, code };
  const totals = {
    totalMiles: readings.odometer === null ? null : wholeMiles(readings.odometer),
    totalHours: readings.engineTime === null ? null : tenths(readings.engineTime),
  };
  const where = {
    ...coordinatesOf({ ...readings.place, reduced }),
    milesSinceFix: milesSinceFix(readings.place.since),
  };
  const place = where.lat === 'X' ? ['place'] : [];
  const ofTotals = [
    ...(totals.totalMiles === null ? ['totalMiles'] : []),
    ...(totals.totalHours === null ? ['totalHours'] : []),
  ];
  if (type === 5) return { event: { ...head, type, ...totals }, missing: ofTotals };
  if (type === 6) return { event: { ...head, type, ...totals, ...where }, missing: [...ofTotals, ...place] };
  const { odometer, engineTime } = sincePowerUp(readings);
  const miles = reduced || odometer === null ? null : Math.min(MOST_MILES, wholeMiles(odometer));
  const hours = reduced || engineTime === null ? null : tenths(engineTime);
  const event = withCheck(
    {
      ...head,
      type,
      origin,
      miles,
      hours,
      ...where,
      malfunction: context.malfunction,
      diagnostic: context.diagnostic,
      annotation: mark.annotation ?? '',
      placeByDriver: null,
      place: readings.location,
    },
    context.userName,
    context.timeZone,
  );
  const isAutomatic = origin === 'automatic' && !reduced;
  return {
    event,
    missing: [
      ...(isAutomatic && miles === null ? ['miles'] : []),
      ...(isAutomatic && hours === null ? ['hours'] : []),
      ...place,
    ],
  };
}

const wholeMiles = (distance: Metres): number => Math.max(0, Math.floor(toMiles(distance)));
const tenths = (time: Seconds): number =>
  Math.min(MOST_HOURS, Math.max(0, Math.floor((time / SECONDS_PER_HOUR) * 10) / 10));

function sincePowerUp({ odometer, engineTime, atPowerUp }: Readings) {
  const known = <T extends number>(now: T | null, then: T | null): T | null =>
    now === null || then === null ? null : ((now - then) as T);
  return { odometer: known(odometer, atPowerUp.odometer), engineTime: known(engineTime, atPowerUp.engineTime) };
}

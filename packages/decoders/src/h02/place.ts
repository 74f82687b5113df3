import { degrees, type EpochMs, fromKnots } from '@milepost/units';
import { clockTimeOf, dayFirst, dayTimeOf, numberOf, timeOf, withZeros } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import type { PositionMessage } from '../protocol.ts';

const DATE = /^\d{5,6}$/;

/** `at` is the index of the validity field, `end` the one after the date. */
export interface Place {
  readonly at: number;
  readonly end: number;
  readonly position: Pick<PositionMessage, 'time' | 'valid' | 'lat' | 'lon' | 'speed' | 'course'>;
}

/** Seen in recordings: one more field before the date. */
const DATE_AFTER = [2, 3];
/** These mean a valid fix; anything else, an invalid one. `B` is one of BeiDou (Cantrack). */
export const VALID = new Set(['A', 'B', '1']);

/**
 * Time, validity, latitude, longitude, speed in knots, course, date; a year of four digits only where the
 * document has the date, because a status word has eight characters, too.
 */
export function reportIn(fields: readonly string[], receivedAt: EpochMs, from = 0): Place | null {
  const place = placeIn(fields, from + 1);
  if (place === null) return null;
  const after = DATE_AFTER.find(offset => DATE.test(fields[place.end + offset] ?? '')) ?? DATE_AFTER[0] ?? 0;
  const end = place.end + after + 1;
  const time = fixTime(fields[place.at - 2] ?? '', dayFirst(fields[end - 1] ?? ''), receivedAt);
  if (time === null) return null;
  const speed = numberOf(fields[place.end]);
  const course = numberOf(fields[place.end + 1]);
  const position = {
    time,
    valid: VALID.has((fields[place.at - 1] ?? '').toUpperCase()),
    lat: place.lat,
    lon: place.lon,
    speed: speed === null ? null : fromKnots(speed),
    course: course === null ? null : degrees(course),
  };
  return { at: place.at - 1, end, position };
}

export const CLOCK = /^\d\d:?\d\d:?\d\d/;

/** Some trackers leave out the time (VP1), or the date: the nearest matching moment to the arrival is used. */
function fixTime(clock: string, date: string, receivedAt: EpochMs): EpochMs | null {
  const padded = withZeros(clock);
  if (date === '') return clockTimeOf(padded, receivedAt);
  return CLOCK.test(padded) ? timeOf(padded, date, 'dmy') : dayTimeOf(date, 'dmy', receivedAt);
}

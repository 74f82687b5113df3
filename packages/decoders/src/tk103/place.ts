import {
  type Degrees,
  degrees,
  type EpochMs,
  epochMs,
  fromKilometresPerHour,
  type Metres,
  metres,
} from '@milepost/units';
import { angleOf, decimalAngleOf, numberOf, timeOf } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import { possible, withoutFix } from '../possible.ts';
import type { Attributes, DecodedMessage, PositionMessage } from '../protocol.ts';

/**
 * §2.3 "GPS data format": date, validity, latitude, longitude; then speed in km/h, time in UTC, course, eight
 * characters for inputs and outputs, `L` and the mileage in meters as hexadecimal. Models write shorter numbers, or pad
 * them with spaces instead of zeros, omit fields from the end, and add more before and after.
 */
const WHERE = /(\d{6})([AV])([\d. ]{4,20})([NS])([\d. ]{4,20})([EW])/i;
/** The time follows the speed, which usually has one decimal; the first match that is a valid time counts. */
const SPEEDS = [
  /^ *\d{1,4}\.\d(?=\d{6})/,
  /^[\d. ]{5}(?=\d{6})/,
  /^ *\d{1,3}\.\d{2}(?=\d{6})/,
  /^ *\d{3}(?=\d{6})/,
  /^(?=\d{6})/,
];
const CLOCK_DIGITS = 6;
const COURSES = [
  /^([\d. ]{0,6}?),?([0-9A-F]{8})L([0-9A-F]{1,8})/i,
  /^([\d. ]{6}),?([0-9A-F]{8})/i,
  /^ *(\d{1,3}(?:\.\d{0,2})?)/,
];

const LINES = /()([0-9A-F]{8})L([0-9A-F]{1,8})/i;

/** The same with commas, spaces or minus signs between the pieces; the replacement leaves these out. */
const LOOSE =
  /(\d{6})[ ,]*([AV])[ ,]*-?([\d.]{4,20})[ ,]*([NS])[ ,]*-?([\d.]{4,20})[ ,]*([EW])[ ,]*(\d{1,4}\.\d{1,2}|)[ ,]*(\d{6})(?:[ ,]*([\d.]{1,6})[ ,]+([0-9A-F]{8})[ ,]*(L[0-9A-F]{1,8}|)|[ ,]*)/i;
const TIGHT = '$1$2$3$4$5$6$7$8$9$10$11';

/** The pieces of the text as sent, for the decoder and the explanation. */
export interface PlaceText {
  /** Where the date begins in the text. */
  readonly at: number;
  readonly date: string;
  readonly flag: string;
  readonly lat: string;
  readonly north: string;
  readonly lon: string;
  readonly east: string;
  readonly speed: string;
  readonly clock: string;
  readonly time: EpochMs | null;
  readonly course: string;
  readonly io: string | undefined;
  readonly mileage: string | undefined;
}

export function placeText(text: string): PlaceText | null {
  const where = WHERE.exec(text);
  if (where === null) return null;
  const [all, date = '', flag = '', lat = '', north = '', lon = '', east = ''] = where;
  const behind = text.slice(where.index + all.length);
  const { speed, clock, time } = motionIn(behind, date);
  const rest = behind.slice(speed.length + clock.length);
  // Without a readable time, nothing says where the course begins.
  const [, course = '', io, mileage] = firstOf(time === null ? [LINES] : COURSES, rest) ?? [];
  return { at: where.index, date, flag, lat, north, lon, east, speed, clock, time, course, io, mileage };
}

function firstOf(forms: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const form of forms) {
    const match = form.exec(text);
    if (match !== null) return match;
  }
  return null;
}

function motionIn(text: string, date: string): Pick<PlaceText, 'speed' | 'clock' | 'time'> {
  for (const form of SPEEDS) {
    const [speed] = form.exec(text) ?? [];
    if (speed === undefined) continue;
    const clock = text.slice(speed.length, speed.length + CLOCK_DIGITS);
    const time = timeOf(clock, date, 'ymd');
    if (time !== null) return { speed, clock, time };
  }
  return { speed: '', clock: '', time: null };
}

type Coordinates = readonly [lat: Degrees, lon: Degrees];

function coordinatesOf({ lat, north, lon, east }: PlaceText): Coordinates | null {
  for (const notation of [decimalAngleOf, angleOf]) {
    const angles = [notation(lat.trim(), north.toUpperCase()), notation(lon.trim(), east.toUpperCase())];
    const [first = null, second = null] = angles;
    if (first !== null && second !== null) return [first, second];
  }
  return null;
}

/** As documented. */
export function readPlace(text: string, event: PositionMessage['event']): DecodedMessage | null {
  const place = placeText(text);
  return place && messageOf(place, event);
}

/** With separators between the pieces. */
export function readLoosePlace(text: string, event: PositionMessage['event']): DecodedMessage | null {
  const place = LOOSE.test(text) ? placeText(text.replace(LOOSE, TIGHT)) : null;
  return place && messageOf(place, event);
}

interface Lines {
  readonly ignition: boolean | null;
  readonly odometer: Metres | null;
  readonly attributes: Attributes;
}

/** The first character is 0 while main power is connected, the second 1 while the ignition is on. */
const linesOf = (io: string | undefined, mileage: string | undefined): Lines => ({
  ignition: io === undefined ? null : io[1] === '1',
  odometer: mileage === undefined ? null : metres(Number.parseInt(mileage, 16)),
  attributes: io === undefined ? {} : { externalPower: io[0] === '0', inputs: io },
});

function messageOf(place: PlaceText, event: PositionMessage['event']): DecodedMessage {
  const { io, mileage, time } = place;
  const lines = linesOf(io, mileage);
  const coordinates = coordinatesOf(place);
  const [lat, lon] = coordinates ?? [degrees(0), degrees(0)];
  const position = positionOf({
    time: time ?? epochMs(Number.NaN),
    valid: place.flag.toUpperCase() === 'A',
    lat,
    lon,
    speed: fromKilometresPerHour(numberOf(place.speed) ?? 0),
    course: degrees(numberOf(place.course) ?? 0),
    ...lines,
    event,
  });
  if (coordinates === null) return withoutFix(position);
  return time === null ? possible(position) : position;
}

const LINE_FIELD = /^[0-9A-F]{8}$/i;
const MILEAGE_FIELD = /^L([0-9A-F]{1,8})$/i;
const DAYS_UNDERWAY_MS = 2 * 86_400_000;

/** Words of the document put the year first, those known from recordings the day; the time of arrival can tell. */
function timeOfFields(clock: string, date: string, word: string, receivedAt: EpochMs): EpochMs | null {
  const isDocumented = word.startsWith('B');
  const [expected, other] = isDocumented
    ? [timeOf(clock, date, 'ymd'), timeOf(clock, date, 'dmy')]
    : [timeOf(clock, date, 'dmy'), timeOf(clock, date, 'ymd')];
  const isNow = (time: EpochMs | null): boolean => time !== null && Math.abs(time - receivedAt) < DAYS_UNDERWAY_MS;
  return expected === null || (isNow(other) && !isNow(expected)) ? other : expected;
}

/**
 * Comma-separated fields, from recordings: day first, validity, latitude, longitude, speed, time, course; some add
 * altitude and satellites.
 */
export function readFields(
  fields: readonly string[],
  event: PositionMessage['event'],
  word: string,
  receivedAt: EpochMs,
): DecodedMessage | null {
  const place = placeIn(fields, 1);
  if (place === null) return null;
  const [speed, clock = '', course, altitude, satellites] = fields.slice(place.end);
  const time = timeOfFields(clock, fields[place.at - 2] ?? '', word, receivedAt);
  if (time === null) return null;
  // The document's inputs and mileage, where others have the altitude and the satellites.
  const io = LINE_FIELD.exec(altitude ?? '')?.[0];
  const mileage = MILEAGE_FIELD.exec(satellites ?? '')?.[1];
  const height = io === undefined ? numberOf(altitude) : null;
  return positionOf({
    time,
    valid: fields[place.at - 1]?.toUpperCase() === 'A',
    lat: place.lat,
    lon: place.lon,
    speed: fromKilometresPerHour(numberOf(speed) ?? 0),
    course: degrees(numberOf(course) ?? 0),
    altitude: height === null ? null : metres(height),
    satellites: numberOf(satellites),
    ...linesOf(io, mileage),
    event,
  });
}

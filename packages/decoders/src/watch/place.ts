import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';
import { angleOf, dayFirst, numberOf, timeOf, withZeros } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import { possible, withoutFix } from '../possible.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { alarmIn, NOT_MOVING } from './alarms.ts';

/** "Location Data Notes": the fields after the date, by their distance from it. */
export const FIELD = {
  date: 0,
  clock: 1,
  flag: 2,
  lat: 3,
  north: 4,
  lon: 5,
  east: 6,
  speed: 7,
  course: 8,
  altitude: 9,
  satellites: 10,
  signal: 11,
  battery: 12,
  steps: 13,
  turns: 14,
  status: 15,
  towers: 16,
  delay: 17,
  country: 18,
  network: 19,
  firstTower: 20,
} as const;

const SIX_DIGITS = /^\d{6}$/;
const FLAG = /^[AV]?$/i;
const MAC = /^[0-9A-F]{2}(?::[0-9A-F]{2}){5}$/i;
/** A cell has up to nine digits in decimal. */
const HEXADECIMAL = /^[0-9A-F]{1,9}$/i;
const HAS_LETTER = /[A-F]/i;
const COUNTRY = /^\d{3}$/;
const MOST_TOWERS = 16;
const MOST_STATIONS = 32;
const FULL = 100;

const textOf = (field: string | undefined): string => field?.trim() ?? '';

/** Index of the date of a location; -1 without one. `PP` has the watch's time before it. */
export function locationIn(fields: readonly string[]): number {
  for (let at = 1; at + FIELD.flag < fields.length; at++) if (isLocation(fields, at) || isLoose(fields, at)) return at;
  return -1;
}

function isLocation(fields: readonly string[], at: number): boolean {
  const isTime = SIX_DIGITS.test(textOf(fields[at])) && SIX_DIGITS.test(textOf(fields[at + FIELD.clock]));
  const isFlagged = isTime && FLAG.test(textOf(fields[at + FIELD.flag]));
  return isFlagged && at + FIELD.east < fields.length && numberOf(fields[at + FIELD.lat]) !== null;
}

const ANY_FLAG = /^[A-Z\d]?$/i;

/** Another flag, time or order, where a real time and both hemispheres show what it is; or an empty place. */
function isLoose(fields: readonly string[], at: number): boolean {
  if (timeIn(fields, at) === null || !ANY_FLAG.test(textOf(fields[at + FIELD.flag]))) return false;
  const place = fields.slice(at + FIELD.lat, at + FIELD.speed).map(textOf);
  if (place.length === FIELD.speed - FIELD.lat && place.every(text => /^[NSEW]?$/i.test(text))) return true;
  return placeIn(fields.slice(0, at + FIELD.speed), at + FIELD.lat)?.at === at + FIELD.lat;
}

const timeIn = (fields: readonly string[], at: number) =>
  timeOf(withZeros(textOf(fields[at + FIELD.clock])), dayFirst(textOf(fields[at])), 'dmy');

/** With hemispheres that come first, or in the field of their number, where the others are. */
function inOrder(fields: readonly string[], at: number): readonly string[] {
  const from = at + FIELD.lat;
  const sides = /[NSEW]/i;
  const isFirst = sides.test(fields[from] ?? '');
  if (!isFirst) return fields;
  const place = placeIn(fields, from);
  if (place?.at !== from) return fields;
  const angles = [
    `${Math.abs(place.lat)}`,
    place.lat < 0 ? 'S' : 'N',
    `${Math.abs(place.lon)}`,
    place.lon < 0 ? 'W' : 'E',
  ];
  return [...fields.slice(0, from), ...angles, ...fields.slice(place.end)];
}

const MINUTES = { 90: /^-?\d{4}\./, 180: /^-?\d{5}\./ } as const;

/**
 * Decimal degrees in a hemisphere. Some firmware adds a sign, or has a sign instead. With more than these can have
 * before the point, a number is degrees and minutes.
 */
function angle(text: string | undefined, hemisphere: string | undefined, most: 90 | 180): number {
  const value = numberOf(text);
  if (value === null) return Number.NaN;
  if (MINUTES[most].test(textOf(text))) return angleOf(textOf(text), textOf(hemisphere).toUpperCase()) ?? value;
  const isNegative = value < 0 || /^[SW]$/i.test(textOf(hemisphere));
  return isNegative ? 0 - Math.abs(value) : value;
}

interface Tower {
  readonly area: string;
  readonly cell: string;
  readonly signal: string;
}

/** Towers, then Wi-Fi stations (name, address, signal), then the accuracy in meters; any of them may be missing. */
function surroundings(rest: readonly string[]): Attributes {
  const fields = rest.map(textOf);
  const count = Math.min(numberOf(fields[0]) ?? 0, MOST_TOWERS);
  const towers = count > 0 ? towersIn(fields.slice(FIELD.firstTower - FIELD.towers), count) : [];
  const cells = cellsText(
    fields[FIELD.country - FIELD.towers] ?? '',
    fields[FIELD.network - FIELD.towers] ?? '',
    towers,
  );
  const { wifi, end } = stationsIn(fields);
  const none = count > 0 ? FIELD.firstTower - FIELD.towers + 3 * towers.length : 1;
  const accuracyAt = end > 0 ? end : fields[none] === '0' ? none + 1 : -1;
  const accuracy = numberOf(fields[accuracyAt]);
  return {
    ...(cells === '' ? {} : { cells }),
    ...(wifi === '' ? {} : { wifi }),
    ...(accuracy === null || accuracy <= 0 ? {} : { accuracy }),
  };
}

function towersIn(fields: readonly string[], count: number): Tower[] {
  const towers: Tower[] = [];
  for (let at = 0; towers.length < count; at += 3) {
    const [area = '', cell = '', signal = ''] = fields.slice(at, at + 3);
    if (!HEXADECIMAL.test(area) || !HEXADECIMAL.test(cell)) break;
    towers.push({ area, cell, signal });
  }
  return towers;
}

/** `310-260-1091-30082:139`; area and cell are hexadecimal if any of them has a letter. */
function cellsText(country: string, network: string, towers: readonly Tower[]): string {
  if (!COUNTRY.test(country) || !/^\d{1,3}$/.test(network)) return '';
  const base = towers.some(({ area, cell }) => HAS_LETTER.test(area + cell)) ? 16 : 10;
  return towers
    .map(({ area, cell, signal }) => {
      const [areaNumber, cellNumber] = [Number.parseInt(area, base), Number.parseInt(cell, base)];
      return cellNumber === 0 ? '' : `${Number(country)}-${Number(network)}-${areaNumber}-${cellNumber}:${signal}`;
    })
    .filter(text => text !== '')
    .join(' ');
}

/** Found by their addresses, because a name may have commas. */
function stationsIn(fields: readonly string[]): { readonly wifi: string; readonly end: number } {
  const found: string[] = [];
  let end = 0;
  for (let at = 0; at < fields.length && found.length < MOST_STATIONS; at++) {
    const address = fields[at] ?? '';
    if (!MAC.test(address)) continue;
    const signal = numberOf(fields[at + 1]);
    found.push(signal === null ? address : `${address}:${signal}`);
    end = at + 2;
  }
  return { wifi: found.join(' '), end };
}

const STATUS = /^[0-9A-F]{1,8}$/i;

interface State {
  readonly event: TrackerEvent | null;
  readonly attributes: Attributes;
}

/** Older firmware has four digits, without alarms. */
function stateOf(word: string, isAlarm: boolean): State {
  const status = STATUS.test(word) ? Number.parseInt(word, 16) : null;
  const known: Attributes = status === null ? {} : { status: word.toUpperCase() };
  const still: Attributes = status !== null && (status & NOT_MOVING) !== 0 ? { movement: false } : {};
  if (!isAlarm) return { event: null, attributes: { ...known, ...still } };
  const { event, isPlain } = alarmIn(status ?? 0);
  return { event, attributes: { ...known, ...still, ...(isPlain ? {} : { alarmCode: word.toUpperCase() }) } };
}

const percentOf = (name: string, field: string | undefined): Attributes => {
  const value = numberOf(field);
  return value === null || value < 0 || value > FULL ? {} : { [name]: value };
};

/** The location whose date is at `at`. Without a fix its place is 0, 0. */
export function readLocation(sent: readonly string[], at: number, isAlarm: boolean): DecodedMessage {
  const fields = inOrder(sent, at);
  const field = (name: keyof typeof FIELD): string | undefined => fields[at + FIELD[name]];
  const { event, attributes } = stateOf(textOf(field('status')), isAlarm);
  const number = (name: keyof typeof FIELD): number | null => numberOf(field(name));
  const [speed, course, altitude, steps] = [number('speed'), number('course'), number('altitude'), number('steps')];
  const position = positionOf({
    time: timeIn(fields, at) ?? epochMs(Number.NaN),
    valid: textOf(field('flag')).toUpperCase() === 'A',
    lat: degrees(angle(field('lat'), field('north'), 90)),
    lon: degrees(angle(field('lon'), field('east'), 180)),
    speed: speed === null ? null : fromKilometresPerHour(speed),
    course: course === null ? null : degrees(course),
    altitude: altitude === null ? null : metres(altitude),
    satellites: number('satellites'),
    event,
    attributes: {
      ...percentOf('batteryLevel', field('battery')),
      ...percentOf('signal', field('signal')),
      ...(steps === null || steps < 0 ? {} : { steps }),
      ...attributes,
      ...surroundings(fields.slice(at + FIELD.towers)),
    },
  });
  const isBlank = textOf(field('lat')) === '' && textOf(field('lon')) === '';
  const isZero = position.lat === 0 && position.lon === 0;
  return isBlank || isZero ? withoutFix(position) : possible(position);
}

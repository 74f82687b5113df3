import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';
import { numberOf, timeOf } from '../nmea.ts';
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
  for (let at = 1; at + FIELD.east < fields.length; at++) {
    const isTime = SIX_DIGITS.test(textOf(fields[at])) && SIX_DIGITS.test(textOf(fields[at + FIELD.clock]));
    if (isTime && FLAG.test(textOf(fields[at + FIELD.flag])) && numberOf(fields[at + FIELD.lat]) !== null) return at;
  }
  return -1;
}

/** Decimal degrees in a hemisphere. Some firmware adds a sign, or has a sign instead. */
function angle(text: string | undefined, hemisphere: string | undefined): number {
  const value = numberOf(text);
  if (value === null) return Number.NaN;
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
export function readLocation(fields: readonly string[], at: number, isAlarm: boolean): DecodedMessage {
  const field = (name: keyof typeof FIELD): string | undefined => fields[at + FIELD[name]];
  const { event, attributes } = stateOf(textOf(field('status')), isAlarm);
  const number = (name: keyof typeof FIELD): number | null => numberOf(field(name));
  const [speed, course, altitude, steps] = [number('speed'), number('course'), number('altitude'), number('steps')];
  const time = timeOf(textOf(field('clock')), textOf(field('date')), 'dmy');
  const position = positionOf({
    time: time ?? epochMs(Number.NaN),
    valid: textOf(field('flag')).toUpperCase() === 'A',
    lat: degrees(angle(field('lat'), field('north'))),
    lon: degrees(angle(field('lon'), field('east'))),
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
  return position.lat === 0 && position.lon === 0 ? withoutFix(position) : possible(position);
}

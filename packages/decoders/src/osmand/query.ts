import { degrees, type EpochMs, fromKnots, metres, percent } from '@milepost/units';
import { TRACKER_EVENTS } from '../events.ts';
import { reasonOf } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { meaningOf, type Notes, note } from './notes.ts';
import { momentIn, readTimestamp } from './time.ts';

/**
 * The format of the OsmAnd app and of Traccar Client before version 9: parameters of a query or a posted form, as
 * documented on the protocol's page (traccar.org/osmand). Any other parameter is the sender's own.
 */
const DOCUMENTED = [
  'id',
  'deviceid',
  'valid',
  'timestamp',
  'lat',
  'lon',
  'location',
  'cell',
  'wifi',
  'speed',
  'bearing',
  'heading',
  'altitude',
  'accuracy',
  'hdop',
  'batt',
  'charge',
  'driverUniqueId',
] as const;
/** Not documented, but unambiguous. */
const USUAL = [
  'device_id',
  'imei',
  'ignition',
  'odometer',
  'fuel',
  'sat',
  'sats',
  'event',
  'alarm',
  'latitude',
  'longitude',
  'lng',
  'long',
  'alt',
] as const;
type Name = (typeof DOCUMENTED)[number] | (typeof USUAL)[number];
/** By their name in small letters, because senders write `deviceId`, `LAT` and others. */
const KNOWN: ReadonlyMap<string, Name> = new Map([...DOCUMENTED, ...USUAL].map(name => [name.toLowerCase(), name]));
/** In the place of `timestamp`, if they can be one. */
const MOMENTS = ['time', 'datetime'];

function named(sent: URLSearchParams): URLSearchParams {
  const named = new URLSearchParams();
  for (const [name, value] of sent) named.append(KNOWN.get(name.toLowerCase()) ?? name, value);
  return named;
}

/** More than any sender uses. */
const MAX_PARAMETERS = 256;
const MAX_CARD = 64;

/** The invalid parameter. */
interface BadParameter {
  readonly bad: Name;
}

export function readReport(sent: URLSearchParams, receivedAt: EpochMs): readonly DecodedMessage[] | BadParameter {
  const parameters = named(sent);
  const text = (name: Name): string | null => parameters.get(name)?.trim() ?? null;
  const number = (name: Name): number | null => numberOf(text(name));
  const flag = (name: Name): boolean | null => flagOf(text(name));

  const imei = text('id') ?? text('deviceid') ?? text('device_id') ?? text('imei') ?? '';
  if (!/^[\w.-]{1,64}$/.test(imei)) return { bad: 'id' };
  const written = isEmpty(text('timestamp')) ? null : text('timestamp');
  const moment = written === null ? MOMENTS.find(name => momentIn(parameters.get(name)) !== null) : undefined;
  const time = written === null ? momentIn(parameters.get(moment ?? '')) : readTimestamp(written);
  if (written !== null && time === null) return { bad: 'timestamp' };
  if (moment !== undefined) parameters.delete(moment);
  const [lat, lon] = text('location')?.split(',') ?? [
    text('lat') ?? text('latitude'),
    text('lon') ?? text('longitude') ?? text('lng') ?? text('long'),
  ];
  const place = { lat: angleOf(lat ?? null, 'S'), lon: angleOf(lon ?? null, 'W') };
  const isBlank = given(lat) && given(lon) && isEmpty(lat) && isEmpty(lon);
  if (!isBlank && given(lat) && place.lat === null) return { bad: 'lat' };
  if (!isBlank && given(lon) && place.lon === null) return { bad: 'lon' };

  const attributes = ownParameters(parameters);
  // Phones send -1 or -100 for unknown.
  add(attributes, 'accuracy', within(number('accuracy'), Number.MAX_VALUE));
  add(attributes, 'batteryLevel', within(number('batt'), FULL));
  add(attributes, 'charging', flag('charge'));
  add(attributes, 'cells', parameters.getAll('cell').map(cellText).join(' ') || null);
  add(attributes, 'wifi', parameters.getAll('wifi').map(stationText).join(' ') || null);
  const event = eventOf(attributes, text('event') ?? text('alarm'));

  const who: DecodedMessage = { kind: 'login', imei };
  const satellites = number('sat') ?? number('sats');
  const rfid = text('driverUniqueId')?.slice(0, MAX_CARD) || null;
  if (place.lat === null || place.lon === null) {
    add(attributes, 'ignition', flag('ignition'));
    add(attributes, 'odometer', within(number('odometer'), Number.MAX_VALUE));
    add(attributes, 'fuel', within(number('fuel'), FULL));
    add(attributes, 'satellites', within(satellites, Number.MAX_VALUE));
    add(attributes, 'rfid', rfid);
    if (isBlank) return [who, { kind: 'status', time, event, attributes: { ...reasonOf(null), ...attributes } }];
    return event === null && Object.keys(attributes).length === 0
      ? [who, { kind: 'heartbeat', attributes }]
      : [who, { kind: 'status', time, event, attributes }];
  }
  const course = number('bearing') ?? number('heading');
  const speed = number('speed');
  return [
    who,
    {
      kind: 'position',
      time: time ?? receivedAt,
      valid: flag('valid') ?? true,
      lat: degrees(place.lat),
      lon: degrees(place.lon),
      // Phones send -1 for unknown.
      speed: speed !== null && speed >= 0 ? fromKnots(speed) : null,
      course: course !== null && course >= 0 ? degrees(course) : null,
      altitude: branded(number('altitude') ?? number('alt'), metres),
      satellites,
      hdop: number('hdop'),
      ignition: flag('ignition'),
      odometer: branded(number('odometer'), metres),
      fuel: branded(number('fuel'), percent),
      temperature: null,
      gsm: null,
      event,
      rfid,
      attributes,
    },
  ];
}

const given = (value: string | null | undefined): boolean => value !== null && value !== undefined;

/** Nothing, or what programs write for nothing. */
const isEmpty = (value: string | null | undefined): boolean =>
  /^(?:null|nil|none|nan|undefined|-)?$/i.test(value ?? '');

/** With its hemisphere in front or behind instead of a sign, too. */
function angleOf(value: string | null, negative: 'S' | 'W'): number | null {
  const [, before, unsigned, behind] = /^([NSEW]?) ?(\d.*?) ?([NSEW]?)$/i.exec(value ?? '') ?? [];
  const side = (before || behind || '').toUpperCase();
  if (side === '') return numberOf(value);
  const angle = (negative === 'S' ? 'NS' : 'EW').includes(side) ? numberOf(unsigned ?? null) : null;
  return angle !== null && side === negative ? -angle : angle;
}

/** Phones write decimals in their own language: `41,8781` too. */
function numberOf(value: string | null): number | null {
  const number = Number(value?.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'));
  return value !== null && value.trim() !== '' && Number.isFinite(number) ? number : null;
}

const YES = /^(?:true|1|on|yes|a)$/i;
const NO = /^(?:false|0|off|no|v)$/i;
/** Null: neither. */
const flagOf = (value: string | null): boolean | null =>
  value !== null && YES.test(value) ? true : value !== null && NO.test(value) ? false : null;

const FULL = 100;
const within = (value: number | null, most: number): number | null =>
  value !== null && value >= 0 && value <= most ? value : null;

const branded = <T>(value: number | null, brand: (value: number) => T): T | null =>
  value === null ? null : brand(value);

function add(attributes: Notes, name: string, value: string | number | boolean | null): void {
  if (value !== null) attributes[name] = value;
}

function ownParameters(parameters: URLSearchParams): Notes {
  const notes: Notes = {};
  let count = 0;
  for (const [name, value] of parameters) {
    if (++count > MAX_PARAMETERS) break;
    if (!KNOWN.has(name.toLowerCase())) note(notes, name, meaningOf(value));
  }
  return notes;
}

/** Our event names become the event; others remain attributes. */
function eventOf(attributes: Notes, word: string | null): string | null {
  if (word === null || word === '') return null;
  if ((TRACKER_EVENTS as readonly string[]).includes(word)) return word;
  note(attributes, 'event', meaningOf(word));
  return null;
}

/** `mcc,mnc,lac,ci,signal`, the signal optional. */
function cellText(value: string): string {
  const [mcc, mnc, lac, ci, signal] = value.split(',');
  return `${mcc}-${mnc}-${lac}-${ci}${signal === undefined ? '' : `:${signal}`}`;
}

/** `address,signal`, the signal optional. */
function stationText(value: string): string {
  const [address = '', signal] = value.split(',');
  const mac = address.replaceAll('-', ':').toUpperCase();
  return signal === undefined ? mac : `${mac}:${signal}`;
}

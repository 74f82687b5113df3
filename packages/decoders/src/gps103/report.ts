import { celsius, degrees, type EpochMs, epochMs, fromKnots, metres, percent } from '@milepost/units';
import { clockTimeOf, numberOf, timeOf, withZeros } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import { possible, withoutFix } from '../possible.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { confirmedBy, eventOf } from './keywords.ts';

/** Fields after `imei:…`, from the keyword on, numbered as in the document. */
const FIELD = { keyword: 0, localTime: 1, phone: 2, signal: 3, clock: 4, lat: 6 } as const;

/** Fields after the position. */
const BEHIND = { speed: 0, course: 1, altitude: 2, ignition: 3, door: 4, fuel1: 5, fuel2: 6, temperature: 7 } as const;
const PLACE_FIELDS = 4;

const HALF_DAY_MS = 43_200_000;
const LOCAL_TIME = /^(?:20(?=\d{12}$))?(\d{6})(\d{4}(?:\d\d)?)?$/;
/** `2026-03-04 05:06`: without its separators, it would be twelve digits that begin with another year. */
const LONG_YEAR = /^20(?=\d\d[-/])/;

/**
 * The date is in the tracker's local time, the time of day in UTC: the day chosen is the one that puts them within half
 * a day of each other. Without the UTC time, the local time is taken as UTC; without the local time, the day of arrival
 * is used. Some trackers write `26/03/04 05:06`.
 */
function fixTime(local: string, clock: string, receivedAt: EpochMs): EpochMs | null {
  const [, date = '', time = ''] = LOCAL_TIME.exec(local.replace(LONG_YEAR, '').replaceAll(/[-/: T]/g, '')) ?? [];
  // A date alone is taken as a UTC date.
  const utc = timeOf(clock, date, 'ymd');
  const own = timeOf(time === '' ? clock : time.padEnd(6, '0'), date, 'ymd') ?? utc;
  if (own === null) return /^[-0]*$/.test(local) ? clockTimeOf(clock, receivedAt) : null;
  if (utc === null) return own;
  if (utc - own > HALF_DAY_MS) return epochMs(utc - 2 * HALF_DAY_MS);
  return own - utc > HALF_DAY_MS ? epochMs(utc + 2 * HALF_DAY_MS) : utc;
}

const flagOf = (text: string | undefined): boolean | null => (text === '1' ? true : text === '0' ? false : null);
const FULL = 100;
function percentOf(text: string | undefined): number | null {
  const level = text?.endsWith('%') ? numberOf(text.slice(0, -1)) : null;
  return level !== null && level >= 0 && level <= FULL ? level : null;
}

/** A report, or its other values if it has no position; null if the fields are neither. */
export function readReport(fields: readonly string[], receivedAt: EpochMs): DecodedMessage[] | null {
  const keyword = fields[FIELD.keyword] ?? '';
  if (keyword === 'OBD') return [readBus(fields)];
  if (keyword === 'vr') return [status({ picture: true })];
  const confirmed = confirmedBy(keyword);
  const reply: DecodedMessage[] = confirmed === undefined ? [] : [{ kind: 'reply', text: confirmed, reference: null }];
  const [, temperature] = /^T:([+-]?\d+(?:\.\d+)?)$/.exec(keyword) ?? [];
  const event = temperature === undefined ? eventOf(keyword) : 'alarm';
  const place = placeIn(fields, FIELD.signal + 1);
  const time = place && fixTime(fields[FIELD.localTime] ?? '', withZeros(fields[place.at - 2] ?? ''), receivedAt);
  const behind = fields.slice(place ? place.end : FIELD.lat + PLACE_FIELDS);
  const attributes = notes(fields, behind, keyword, event);
  if (fields.length < 2) return null;
  const speed = numberOf(behind[BEHIND.speed]);
  const course = numberOf(behind[BEHIND.course]);
  const altitude = numberOf(behind[BEHIND.altitude]);
  const fuel = percentOf(behind[BEHIND.fuel1]);
  const degreesCelsius = numberOf(temperature ?? behind[BEHIND.temperature]);
  const position = positionOf({
    time: time ?? epochMs(Number.NaN),
    valid: place !== null && fields[place.at - 1]?.toUpperCase() === 'A' && fields[FIELD.signal] !== 'L',
    lat: place?.lat ?? degrees(0),
    lon: place?.lon ?? degrees(0),
    speed: speed === null ? null : fromKnots(speed),
    course: course === null ? null : degrees(course),
    altitude: altitude === null ? null : metres(altitude),
    ignition: event === 'ignitionOn' ? true : event === 'ignitionOff' ? false : flagOf(behind[BEHIND.ignition]),
    fuel: fuel === null ? null : percent(fuel),
    temperature: degreesCelsius === null ? null : celsius(degreesCelsius),
    event,
    rfid: keyword === 'rfid' ? fields[FIELD.phone] || null : null,
    attributes,
  });
  if (place === null) return [...reply, withoutFix(position)];
  return [...reply, time === null ? possible(position) : position];
}

const status = (attributes: Attributes): DecodedMessage => ({ kind: 'status', time: null, event: null, attributes });

const TROUBLE_CODE = /^[PBCU][0-9A-F]{4}$/;
const HEX = /^[0-9a-f]{1,8}$/i;

function notes(
  fields: readonly string[],
  behind: readonly string[],
  keyword: string,
  event: string | null,
): Attributes {
  const attributes: Record<string, string | number | boolean> = {};
  const door = flagOf(behind[BEHIND.door]);
  const fuel2 = percentOf(behind[BEHIND.fuel2]);
  const battery = percentOf(fields[FIELD.phone]);
  const trouble = fields.filter(field => TROUBLE_CODE.test(field));
  if (door !== null) attributes.doorOpen = door;
  if (fuel2 !== null) attributes.fuelLevel2 = fuel2;
  if (battery !== null) attributes.batteryLevel = battery;
  if (trouble.length > 0) attributes.troubleCodes = trouble.join(' ');
  const [, oil] = /^oil ([\d.]+)$/.exec(keyword) ?? [];
  if (oil !== undefined) attributes.fuelLevel1 = Number(oil);
  if (event === 'alarm' || (event === null && !/^(tracker)?$/i.test(keyword))) attributes.keyword = keyword;
  const [area, cell] = fields[FIELD.signal] === 'L' ? fields.slice(FIELD.clock).filter(field => HEX.test(field)) : [];
  if (area !== undefined && cell !== undefined) {
    attributes.areaCode = Number.parseInt(area, 16);
    attributes.cellId = Number.parseInt(cell, 16);
  }
  return attributes;
}

/** Time, odometer, fuel now and on average, driving time, speed, load, coolant, throttle, rpm, volts, trouble codes. */
function readBus(fields: readonly string[]): DecodedMessage {
  const number = (at: number): number | null => numberOf(fields[at]?.replace(/%$/, ''));
  const kilometres = number(2);
  const hours = number(5);
  const speed = number(6);
  const values = {
    odometer: kilometres === null ? null : kilometres * 1000,
    fuelConsumption: number(4),
    engineHours: hours === null ? null : hours * 3600,
    obdSpeed: speed === null ? null : speed / 3.6,
    engineLoad: number(7),
    coolantTemperature: number(8),
    throttle: number(9),
    rpm: number(10),
    externalVoltage: number(11),
  };
  const codes = fields.slice(12).filter(field => TROUBLE_CODE.test(field));
  return status({
    ...Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== null)),
    ...(codes.length > 0 ? { troubleCodes: codes.join(' ') } : {}),
  });
}

const NAMED = { clock: 4, date: 5, lat: 8, lon: 9, speed: 10, course: 11 } as const;

/** Known from a recording, ended by a star: a name first, day first, decimal degrees. It has no known validity flag. */
export function readNamedReport(fields: readonly string[]): DecodedMessage[] | null {
  const time = timeOf(fields[NAMED.clock] ?? '', fields[NAMED.date] ?? '', 'dmy');
  const lat = numberOf(fields[NAMED.lat]);
  const lon = numberOf(fields[NAMED.lon]);
  if (time === null || lat === null || lon === null) return null;
  return [positionOf({ time, valid: false, lat: degrees(lat), lon: degrees(lon) })];
}

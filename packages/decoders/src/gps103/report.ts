import { celsius, degrees, type EpochMs, epochMs, fromKnots, metres, percent } from '@milepost/units';
import { angleOf, numberOf, timeOf } from '../nmea.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { CONFIRMATIONS, EVENTS } from './keywords.ts';

/** Fields after `imei:…`, from the keyword on, as the document numbers them. */
const FIELD = {
  keyword: 0,
  localTime: 1,
  phone: 2,
  signal: 3,
  clock: 4,
  valid: 5,
  lat: 6,
  north: 7,
  lon: 8,
  east: 9,
  speed: 10,
  course: 11,
  altitude: 12,
  ignition: 13,
  door: 14,
  fuel1: 15,
  fuel2: 16,
  temperature: 17,
} as const;

const HALF_DAY_MS = 43_200_000;

/**
 * The day comes in the tracker's own zone, the clock in UTC: the day is the one that puts them within half a day of each
 * other. Without a clock the tracker's own time is taken for UTC.
 */
function fixTime(local: string, clock: string): EpochMs | null {
  const own = timeOf(local.slice(6).padEnd(6, '0'), local.slice(0, 6), 'ymd');
  if (own === null || !/^\d{10}(\d\d)?$/.test(local)) return null;
  const utc = timeOf(clock, local.slice(0, 6), 'ymd');
  if (utc === null) return own;
  if (utc - own > HALF_DAY_MS) return epochMs(utc - 2 * HALF_DAY_MS);
  return own - utc > HALF_DAY_MS ? epochMs(utc + 2 * HALF_DAY_MS) : utc;
}

const flagOf = (text: string | undefined): boolean | null => (text === '1' ? true : text === '0' ? false : null);
const percentOf = (text: string | undefined): number | null =>
  text?.endsWith('%') ? numberOf(text.slice(0, -1)) : null;

/** A report, or what there is of it without a place; null when the fields are neither. */
export function readReport(fields: readonly string[]): DecodedMessage[] | null {
  const keyword = fields[FIELD.keyword] ?? '';
  if (keyword === 'OBD') return [readBus(fields)];
  if (keyword === 'vr') return [status({ picture: true })];
  const confirmed = CONFIRMATIONS[keyword];
  const reply: DecodedMessage[] = confirmed === undefined ? [] : [{ kind: 'reply', text: confirmed, reference: null }];
  const [, temperature] = /^T:([+-]?\d+(?:\.\d+)?)$/.exec(keyword) ?? [];
  const event = temperature === undefined ? (EVENTS[keyword.replace(/^oil [\d.]+$/, 'oil')] ?? null) : 'alarm';
  const lat = angleOf(fields[FIELD.lat] ?? '', fields[FIELD.north] ?? '');
  const lon = angleOf(fields[FIELD.lon] ?? '', fields[FIELD.east] ?? '');
  const time = fixTime(fields[FIELD.localTime] ?? '', fields[FIELD.clock] ?? '');
  const attributes = notes(fields, keyword, event);
  if (fields[FIELD.signal] !== 'F' || lat === null || lon === null || time === null) {
    return fields.length < 2 ? null : [...reply, { kind: 'status', time: null, event, attributes }];
  }
  const speed = numberOf(fields[FIELD.speed]);
  const course = numberOf(fields[FIELD.course]);
  const altitude = numberOf(fields[FIELD.altitude]);
  const fuel = percentOf(fields[FIELD.fuel1]);
  const degreesCelsius = numberOf(temperature ?? fields[FIELD.temperature]);
  const position = positionOf({
    time,
    valid: fields[FIELD.valid] === 'A',
    lat,
    lon,
    speed: speed === null ? null : fromKnots(speed),
    course: course === null ? null : degrees(course),
    altitude: altitude === null ? null : metres(altitude),
    ignition: event === 'ignitionOn' ? true : event === 'ignitionOff' ? false : flagOf(fields[FIELD.ignition]),
    fuel: fuel === null ? null : percent(fuel),
    temperature: degreesCelsius === null ? null : celsius(degreesCelsius),
    event,
    rfid: keyword === 'rfid' ? fields[FIELD.phone] || null : null,
    attributes,
  });
  return [...reply, position];
}

const status = (attributes: Attributes): DecodedMessage => ({ kind: 'status', time: null, event: null, attributes });

const TROUBLE_CODE = /^[PBCU][0-9A-F]{4}$/;
const HEX = /^[0-9a-f]{1,8}$/i;

function notes(fields: readonly string[], keyword: string, event: string | null): Attributes {
  const attributes: Record<string, string | number | boolean> = {};
  const door = flagOf(fields[FIELD.door]);
  const fuel2 = percentOf(fields[FIELD.fuel2]);
  const battery = percentOf(fields[FIELD.phone]);
  const trouble = fields.find(field => TROUBLE_CODE.test(field));
  if (door !== null) attributes.doorOpen = door;
  if (fuel2 !== null) attributes.fuelLevel2 = fuel2;
  if (battery !== null) attributes.batteryLevel = battery;
  if (trouble !== undefined) attributes.troubleCodes = trouble;
  const [, oil] = /^oil ([\d.]+)$/.exec(keyword) ?? [];
  if (oil !== undefined) attributes.fuelLevel1 = Number(oil);
  if (event === 'alarm' || (event === null && keyword !== 'tracker' && keyword !== '')) attributes.keyword = keyword;
  const [area, cell] = [fields[FIELD.lat], fields[FIELD.lon]];
  if (fields[FIELD.signal] === 'L' && area && cell && HEX.test(area) && HEX.test(cell)) {
    attributes.cellArea = Number.parseInt(area, 16);
    attributes.cellId = Number.parseInt(cell, 16);
  }
  return attributes;
}

/** Time, odometer, fuel now and on average, driving time, speed, load, coolant, throttle, revolutions, volts, codes. */
function readBus(fields: readonly string[]): DecodedMessage {
  const number = (at: number): number | null => numberOf(fields[at]?.replace(/%$/, ''));
  const kilometres = number(2);
  const speed = number(6);
  const said = {
    odometer: kilometres === null ? null : kilometres * 1000,
    fuelConsumption: number(4),
    obdSpeed: speed === null ? null : speed / 3.6,
    engineLoad: number(7),
    coolantTemperature: number(8),
    throttle: number(9),
    rpm: number(10),
    externalVoltage: number(11),
  };
  const codes = fields.slice(12).filter(field => TROUBLE_CODE.test(field));
  return status({
    ...Object.fromEntries(Object.entries(said).filter((entry): entry is [string, number] => entry[1] !== null)),
    ...(codes.length > 0 ? { troubleCodes: codes.join(' ') } : {}),
  });
}

const NAMED = { clock: 4, date: 5, lat: 8, lon: 9, speed: 10, course: 11 } as const;

/** Recorded, ended by a star: a name first, day first, decimal degrees. What vouches for the fix is not known. */
export function readNamedReport(fields: readonly string[]): DecodedMessage[] | null {
  const time = timeOf(fields[NAMED.clock] ?? '', fields[NAMED.date] ?? '', 'dmy');
  const lat = numberOf(fields[NAMED.lat]);
  const lon = numberOf(fields[NAMED.lon]);
  if (time === null || lat === null || lon === null) return null;
  return [positionOf({ time, valid: false, lat: degrees(lat), lon: degrees(lon) })];
}

import type { EpochMs } from '@milepost/units';
import { hex, Reader } from '../bytes.ts';
import { readTime } from './place.ts';

/**
 * The zip form of the older protocols, ST300/340 and ST310U operation manuals, "Zip": STX, length 2, header, id 5
 * (packed decimals), model 1, firmware 2, date and time 6, cell 3, latitude and longitude 4 each, speed and course 3
 * each, satellites, fix and signs 1, distance 4, main power 2, inputs and outputs 1, then as in the text form. Decimals
 * are packed. Ends with ETX. ST3310 user manual, "ACK in case of UDP": an id of six digits in three bytes.
 */
export const HEADERS: Readonly<Record<number, string>> = { 16: 'STT', 17: 'EMG', 18: 'EVT', 19: 'ALT', 22: 'UEX' };
const ALIVE = 0x14;
const FROM_HEADER = 3;
const FROM_ID = 4;
const CLOCK_BYTES = 6;
/** The header does not contain the model series; the text form would begin with these. */
const SERIES = 'ST300';
const FIRST_SERIES = 'SA200';

export const FIX = 0b1000_0000;
export const SOUTH = 0b0100_0000;
export const WEST = 0b0010_0000;
export const SATELLITES = 0b0001_1111;

interface Head {
  readonly id: 3 | 5;
  readonly model: 0 | 1;
  readonly firmware: 1 | 2;
}

const HEAD: Head = { id: 5, model: 1, firmware: 2 };
/** Models with six-digit ids (ST330, ST3310, ST3330, ST3340) have no model number in a report. */
const HEADS: readonly Head[] = [
  HEAD,
  { id: 3, model: 0, firmware: 2 },
  { id: 3, model: 1, firmware: 2 },
  { id: 3, model: 0, firmware: 1 },
];

/**
 * The bytes before the date. Nothing in a report says how many there are, so a form counts if the packed decimals of a
 * place follow it. Of several, it is the one whose time is nearest to the arrival: a time made of other bytes is years
 * away.
 */
export function headOf(frame: Uint8Array, receivedAt: EpochMs | null = null): Head {
  const short = HEADS.find(({ id }) => id === 3) ?? HEAD;
  if (frame[FROM_HEADER] === ALIVE) return frame.length > FROM_ID + short.id + 1 ? HEAD : short;
  const fits = HEADS.filter(({ id, model, firmware }) => isPlace(frame, FROM_ID + id + model + firmware));
  if (receivedAt === null) return fits.find(head => isSure(frame, head)) ?? fits[0] ?? HEAD;
  const awayOf = (head: Head): number => Math.abs(timeBehind(frame, head) - receivedAt);
  return fits.length === 0 ? HEAD : fits.reduce((best, head) => (awayOf(head) < awayOf(best) ? head : best));
}

/** For the explanation, which knows of no arrival: a firmware has decimals, and a time is mostly in plain numbers. */
function isSure(frame: Uint8Array, { id, model, firmware }: Head): boolean {
  const at = FROM_ID + id + model;
  return isPacked(frame.subarray(at, at + firmware)) && isPlain(frame.subarray(at + firmware));
}

function timeBehind(frame: Uint8Array, { id, model, firmware }: Head): number {
  const at = FROM_ID + id + model + firmware;
  return readTime(...clock(frame.subarray(at, at + CLOCK_BYTES))) ?? Number.POSITIVE_INFINITY;
}

const isPacked = (bytes: Uint8Array): boolean => /^\d*$/.test(hex(bytes));

/** Date and time, cell, then latitude, longitude, speed and course. */
function isPlace(frame: Uint8Array, at: number): boolean {
  const reader = new Reader(frame, at);
  const [date, time] = clock(reader.take8(CLOCK_BYTES));
  reader.skip(3);
  const lat = reader.u8();
  const decimals = [reader.take8(3)];
  const lon = reader.u8();
  decimals.push(reader.take8(3));
  const speed = reader.u16();
  decimals.push(reader.take8(1));
  const course = reader.u16();
  decimals.push(reader.take8(1));
  const isThere = lat <= 90 && lon <= 180 && speed < 1000 && course <= 360 && decimals.every(isPacked);
  return !reader.overrun && isThere && readTime(date, time) !== null;
}

/** Ten digits, nine with a zero behind, or six. */
const idOf = (bytes: Uint8Array): string => hex(bytes).replace(/^(\d{9})0$/, '$1');

export interface Unzipped {
  /** As in the text form. */
  readonly fields: readonly string[];
  /** Data from a serial device, in a UEX report; otherwise null. */
  readonly data: Uint8Array | null;
}

/** An undocumented type of report; its position is read as in the others. */
const UNNAMED = 'RPT';

/** Null if it is cut off before the end of its position. What follows is read as far as it goes. */
export function unzip(frame: Uint8Array, receivedAt: EpochMs): Unzipped | null {
  const reader = new Reader(frame, FROM_HEADER, frame.length - 1);
  const header = reader.u8();
  const head = headOf(frame, receivedAt);
  const id = idOf(reader.take8(head.id));
  const series = head.id === HEAD.id ? SERIES : FIRST_SERIES;
  if (header === ALIVE) return reader.overrun ? null : { fields: [`${series}ALV`, id], data: null };
  const type = HEADERS[header] ?? UNNAMED;
  const fields = [`${series}${type}`, id];
  if (head.model === 1) fields.push(two(reader.u8()));
  fields.push(hex(reader.take8(head.firmware)).replace(/^0+(?=.)/, ''));
  const isTravel = type === UNNAMED && !isPlace(frame, reader.at);
  fields.push(...clock(reader.take8(CLOCK_BYTES)));
  // Of a trip that ended (0x1B), for one, the sizes of what follows are not known.
  if (isTravel) return reader.overrun ? null : { fields, data: null };
  fields.push(hex(reader.take8(3)));
  const place = [decimal(reader, 1, 3), decimal(reader, 1, 3), decimal(reader, 2, 1), decimal(reader, 2, 1)];
  const bits = reader.u8();
  if (reader.overrun) return null;
  const [lat = '', lon = '', speed = '', course = ''] = place;
  fields.push(`${bits & SOUTH ? '-' : '+'}${lat}`, `${bits & WEST ? '-' : '+'}${lon}`, speed, course);
  fields.push(String(bits & SATELLITES), bits & FIX ? '1' : '0');
  const data = vehicle(reader, type, fields);
  return { fields, data };
}

/** The fields after the position, up to where the report was cut off; returns the data of a serial device. */
function vehicle(reader: Reader, type: string, fields: string[]): Uint8Array | null {
  if (reader.remaining < 7) return null;
  fields.push(String(reader.u32()), decimal(reader, 1, 1));
  fields.push(reader.u8().toString(2).padStart(6, '0').split('').reverse().join(''));
  if (type === 'UEX') {
    const data = reader.take8(Math.min(reader.u16(), Math.max(0, reader.remaining)));
    fields.push(String(data.length), '', hex(reader.take8(1)), ...meters(reader));
    return data;
  }
  if (type === UNNAMED || reader.remaining < 1) return null;
  fields.push(String(reader.u8()));
  if (type === 'STT') fields.push(String(reader.u16()));
  if (!reader.overrun) fields.push(...meters(reader));
  return null;
}

/** Hour meter, backup battery, message type; only if the tracker is configured to send them. */
function meters(reader: Reader): string[] {
  const hours = reader.u32();
  const volts = decimal(reader, 1, 1);
  const kind = reader.u8();
  return reader.overrun ? [] : [String(hours), volts, String(kind)];
}

/** A whole number in `bytes` bytes, then `packed` bytes of two decimals each. */
function decimal(reader: Reader, bytes: 1 | 2, packed: 1 | 3): string {
  const whole = bytes === 1 ? reader.u8() : reader.u16();
  return `${whole}.${hex(reader.take8(packed))}`;
}

/** Year, month, day, hour, minute, second. If the bytes are not a valid time, they are read as packed decimals. */
function clock(bytes: Uint8Array): [date: string, time: string] {
  const plain = isPlain(bytes);
  const [years = '', ...parts] = [...bytes].map(byte => (plain ? two(byte) : hex(Uint8Array.of(byte))));
  return [`20${years}${parts.slice(0, 2).join('')}`, parts.slice(2).join(':')];
}

function isPlain(bytes: Uint8Array): boolean {
  const [, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytes;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60;
}

const two = (value: number): string => String(value).padStart(2, '0');

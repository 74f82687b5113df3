import { degrees, fromKnots } from '@milepost/units';
import { ascii, hex, isText, Reader } from '../bytes.ts';
import { angleOf, timeOf } from '../nmea.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { findLocation } from './find-location.ts';
import { STATUS } from './status.ts';
import { terminalData } from './terminal-data.ts';
import { readTime } from './time.ts';

/**
 * 0x0900, data from a device on one of the tracker's ports (JT/T 808-2013 Table 94), and the uses of it in recordings.
 */
const SERIAL_PORTS: Readonly<Record<number, string>> = { 65: 'serial1', 66: 'serial2' };
const GNSS = 0x00;
const TAGS = 0x53;
const BUS = 0xf0;
const MAX_BYTES = 512;

export function readTransparent(reader: Reader): DecodedMessage {
  const type = reader.u8();
  if (type === TAGS && reader.remaining > BEFORE_TAGS) return tags(reader);
  const { bytes, at, end } = reader;
  const rest = (): Reader => new Reader(bytes, at, end);
  const known = type === BUS ? busRecord(rest()) : terminalData(type, rest());
  return known ?? findLocation(rest()) ?? data(type, rest());
}

const status = (attributes: Attributes): DecodedMessage => ({ kind: 'status', time: null, event: null, attributes });

const RMC = /\$[A-Z]{2}RMC,([\d.]{6,12}),([AV]),([\d.]+),([NS]),([\d.]+),([EW]),([\d.]*),([\d.]*),(\d{6})/;

/** Type 0, "detailed positioning data of the GNSS module": a sentence of NMEA 0183 with time, place and motion. */
function sentence(text: string, attributes: Attributes): DecodedMessage | null {
  const [, clock = '', state, north = '', ns = '', east = '', ew = '', knots, course, date = ''] = RMC.exec(text) ?? [];
  const [time, lat, lon] = [timeOf(clock, date, 'dmy'), angleOf(north, ns), angleOf(east, ew)];
  if (time === null || lat === null || lon === null) return null;
  return positionOf({
    ...{ time, lat, lon, attributes },
    valid: state === 'A',
    speed: knots ? fromKnots(Number(knots)) : null,
    course: course ? degrees(Number(course)) : null,
  });
}

function data(type: number, reader: Reader): DecodedMessage {
  const bytes = reader.rest().subarray(0, MAX_BYTES);
  const name = SERIAL_PORTS[type] ?? 'data';
  const text = isText(bytes) ? ascii(bytes) : hex(bytes);
  const place = type === GNSS ? sentence(text, { dataType: type }) : null;
  return place ?? status({ dataType: type, [name]: text, ...busText(text) });
}

/**
 * `$OBD-RT,` volts, rpm, speed, throttle, load, coolant, … ; only values that the recording makes certain are named.
 */
const BUS_TEXT = /^\$?O?BD-RT,/;
const VOLTS = 1;
const FUEL_USED = 12;

function busText(text: string): Attributes {
  if (!BUS_TEXT.test(text)) return {};
  const fields = text.split(',');
  const externalVoltage = Number(fields[VOLTS]);
  const fuelUsed = Number(fields[FUEL_USED]);
  return {
    ...(Number.isFinite(externalVoltage) ? { externalVoltage } : {}),
    ...(Number.isFinite(fuelUsed) ? { fuelUsed } : {}),
  };
}

const BEFORE_TAGS = 18;

/** Seen in recordings: eighteen unexplained bytes, time, one byte, then tags: number, address, signal, length, data. */
function tags(reader: Reader): DecodedMessage {
  reader.skip(BEFORE_TAGS);
  const time = readTime(reader);
  reader.skip(1);
  const attributes: Record<string, string | number> = {};
  for (let tag = 1; reader.remaining >= 9; tag++) {
    reader.skip(1);
    attributes[`tag${tag}Mac`] = hex(reader.take8(6)).toLowerCase();
    attributes[`tag${tag}Rssi`] = reader.u8() - 256;
    attributes[`tag${tag}Data`] = hex(reader.take8(Math.min(reader.u8(), reader.remaining)));
  }
  return { kind: 'status', time, event: null, attributes };
}

const MICRODEGREES = 1_000_000;

const VALUES = 1;
const PLACE_BYTES = 12;

/**
 * Seen in recordings: time, two bytes, a type, and for type 1 the number of values, each with its id and length, then
 * status word and position. Other types are unexplained and contain no position.
 */
function busRecord(reader: Reader): DecodedMessage | null {
  const time = readTime(reader);
  reader.skip(2);
  if (reader.u8() !== VALUES || time === null) return null;
  const count = reader.u8();
  const attributes: Record<string, string | number | boolean> = {};
  for (let i = 0; i < count && !reader.overrun; i++) {
    const id = reader.u16();
    const bytes = reader.take8(reader.u8());
    if (bytes.length <= 4) {
      attributes[`obd${hex(Uint8Array.of(id >> 8, id & 255))}`] = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    }
  }
  if (reader.overrun) return null;
  const whereabouts = reader.remaining >= PLACE_BYTES ? placeOf(reader) : null;
  if (whereabouts === null) return { kind: 'status', time, event: null, attributes };
  return positionOf({ time, ...whereabouts, attributes });
}

/** Status word, latitude, longitude; null if they are not a place on Earth. */
function placeOf(reader: Reader) {
  const word = reader.u32();
  const lat = reader.u32() / MICRODEGREES;
  const lon = reader.u32() / MICRODEGREES;
  if (lat > 90 || lon > 180) return null;
  return {
    valid: (word & STATUS.positioned) !== 0,
    lat: degrees(word & STATUS.south ? 0 - lat : lat),
    lon: degrees(word & STATUS.west ? 0 - lon : lon),
    ignition: (word & STATUS.ignition) !== 0,
  };
}

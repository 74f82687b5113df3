import { type EpochMs, toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import type { PositionMessage } from '../protocol.ts';
import { checksum, MARK } from './frame.ts';
import { COORDINATE_SCALE, GPS, levelOf, SERVING_CELL } from './position.ts';
import { statusWord } from './status.ts';
import { WARNINGS } from './warnings.ts';

/** Packages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */

export const encodePackage = (type: number, sequence: number, content: Uint8Array): Uint8Array =>
  new ByteWriter()
    .u8(MARK)
    .u8(MARK)
    .u8(type)
    .u16(content.length + 2)
    .u16(sequence)
    .bytes(content)
    .done();

const NOTHING = new Uint8Array(0);
const WRAPPER_MARK = 0x454c;

/** "All response packages must have same Package identifier and Package sequence number as the request." */
export const answer = (type: number, sequence: number): Uint8Array => encodePackage(type, sequence, NOTHING);

/** "The server doesn't support any extension": the form that all devices know. */
const COMPATIBLE = 0x01;
/** The parameters need not be sent. */
const NO_PARAMETERS = 0;

/** §5.2: the time, the protocol's version, what to do with the parameters. */
export const loginAnswer = (sequence: number, time: EpochMs): Uint8Array =>
  encodePackage(
    LOGIN,
    sequence,
    new ByteWriter()
      .u32(Math.floor(time / 1000))
      .u16(COMPATIBLE)
      .u8(NO_PARAMETERS)
      .done(),
  );

const packed = (imei: string): string => imei.padStart(16, '0');

/** §4.2 "Using UDP". */
export function wrapped(imei: string, packages: Uint8Array): Uint8Array {
  const content = new ByteWriter().hex(packed(imei)).bytes(packages).done();
  return new ByteWriter()
    .u16(WRAPPER_MARK)
    .u16(content.length + 2)
    .u16(checksum(content, 0))
    .bytes(content)
    .done();
}

const LOGIN = 0x01;
const HEARTBEAT = 0x03;
const LOCATION = 0x12;
const WARNING = 0x14;
const ENGLISH = 1;
const VERSION = 0x0203;

/** The tracker's clock is in UTC, and it has no parameters to send. */
export const encodeLogin = (imei: string, sequence = 1): Uint8Array =>
  encodePackage(
    LOGIN,
    sequence,
    new ByteWriter().hex(packed(imei)).u8(ENGLISH).u8(0).u16(VERSION).u16(VERSION).u16(1).u16(0).u16(0).u16(0).done(),
  );

export const encodeHeartbeat = (ignition: boolean, sequence: number): Uint8Array =>
  encodePackage(HEARTBEAT, sequence, new ByteWriter().u16(statusWord(true, ignition, {})).done());

/** Time, mask, fix, serving cell. */
function writePosition(position: PositionMessage): ByteWriter {
  const { time, valid, lat, lon, altitude, speed, course, satellites, gsm, attributes } = position;
  const cell = /^\d+-\d+-\d+-\d+$/.test(String(attributes.cell))
    ? String(attributes.cell).split('-').map(Number)
    : null;
  const writer = new ByteWriter().u32(Math.floor(time / 1000)).u8((valid ? GPS : 0) | (cell ? SERVING_CELL : 0));
  if (valid) {
    writer
      .u32(Math.round(lat * COORDINATE_SCALE) >>> 0)
      .u32(Math.round(lon * COORDINATE_SCALE) >>> 0)
      .u16(Math.round(altitude ?? 0) & 0xffff)
      .u16(Math.round(toKilometresPerHour(speed ?? (0 as never))))
      .u16(Math.round(course ?? 0))
      .u8(satellites ?? 0);
  }
  if (cell) {
    const [mcc = 0, mnc = 0, area = 0, id = 0] = cell;
    writer
      .u16(mcc)
      .u16(mnc)
      .u16(area)
      .u32(id)
      .u8(gsm === null ? 0xff : levelOf(gsm));
  }
  return writer;
}

const milli = (volts: unknown): number => (typeof volts === 'number' ? Math.round(volts * 1000) : 0);

/** 0x12: position, hardware, sensors. Zero stands for what the tracker has not. */
export function encodeLocation(position: PositionMessage, sequence: number): Uint8Array {
  const { valid, ignition, odometer, temperature, attributes } = position;
  const content = writePosition(position)
    .u16(statusWord(valid, ignition, attributes))
    .u16(milli(attributes.batteryVoltage))
    .u16(milli(attributes.analogInput1))
    .u16(milli(attributes.analogInput2))
    .u32(Math.round(odometer ?? 0))
    .u32(0)
    .u32(0)
    .u16(0)
    .u16(typeof attributes.humidity === 'number' ? Math.round(attributes.humidity * 10) : 0)
    .u32(0)
    .u32(0)
    .u16(Math.round((temperature ?? 0) * 16) & 0xffff);
  return encodePackage(LOCATION, sequence, content.done());
}

const WARNING_OF_EVENT = new Map([...WARNINGS].toReversed().map(([code, event]) => [event as string, code]));
export const warningOf = (event: string | null): number | null => WARNING_OF_EVENT.get(event ?? '') ?? null;

/** 0x14: position, warning, status. */
export const encodeWarning = (position: PositionMessage, type: number, sequence: number): Uint8Array =>
  encodePackage(
    WARNING,
    sequence,
    writePosition(position)
      .u8(type)
      .u16(statusWord(position.valid, position.ignition, position.attributes))
      .done(),
  );

/** A warning if the event has one, else a location. */
export function encodeReport(position: PositionMessage, sequence: number): Uint8Array {
  const type = warningOf(position.event);
  return type === null ? encodeLocation(position, sequence) : encodeWarning(position, type, sequence);
}

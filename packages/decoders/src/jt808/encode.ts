import { type Degrees, type EpochMs, toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import type { PositionMessage } from '../protocol.ts';
import { alarmWord } from './alarms.ts';
import { ESCAPE, FLAG, xor } from './frame.ts';
import { phoneOf } from './packet.ts';
import { writeParameters } from './parameters.ts';
import { STATUS } from './status.ts';
import { timeDigits } from './time.ts';

/** Packets, and the messages of a tracker. The inverse of `decode.ts`, at the protocol's resolution. */
const VERSIONED = 0x4000;
const VERSION = 1;

/** Header, body, checksum, escaped, between flags (JT/T 808-2013 §4.4). */
export function encodePacket(id: number, identity: string, serial: number, body: Uint8Array): Uint8Array {
  const { digits, versioned } = phoneOf(identity);
  const head = new ByteWriter().u16(id).u16(body.length | (versioned ? VERSIONED : 0));
  if (versioned) head.u8(VERSION);
  const content = head
    .hex(digits)
    .u16(serial & 0xffff)
    .bytes(body)
    .done();
  const writer = new ByteWriter().u8(FLAG);
  for (const byte of content) writeEscaped(writer, byte);
  writeEscaped(writer, xor(content, content.length));
  return writer.u8(FLAG).done();
}

function writeEscaped(writer: ByteWriter, byte: number): void {
  if (byte === FLAG) writer.u8(ESCAPE).u8(2);
  else if (byte === ESCAPE) writer.u8(ESCAPE).u8(1);
  else writer.u8(byte);
}

/** §8.5 in the 2019 form, or in the 2013 form for an identity of that version. */
export function encodeRegistration(identity: string, serial: number): Uint8Array {
  const [maker, model, terminal] = phoneOf(identity).versioned ? [11, 30, 30] : [5, 20, 7];
  const writer = new ByteWriter().u16(0).u16(0);
  writer
    .bytes(padded('MLPST', maker))
    .bytes(padded('SIMULATOR', model))
    .bytes(padded(identity.slice(-7), terminal));
  return encodePacket(0x0100, identity, serial, writer.u8(0).done());
}

const padded = (text: string, bytes: number): Uint8Array => {
  const field = new Uint8Array(bytes);
  field.set(new ByteWriter().ascii(text.slice(0, bytes)).done());
  return field;
};

export const encodeHeartbeat = (identity: string, serial: number): Uint8Array =>
  encodePacket(0x0002, identity, serial, new Uint8Array(0));

/** A tracker's general response to a command: 0 means done. */
export const encodeResponse = (
  identity: string,
  serial: number,
  reference: number,
  id: number,
  result = 0,
): Uint8Array => encodePacket(0x0001, identity, serial, new ByteWriter().u16(reference).u16(id).u8(result).done());

/** 0x0201 and 0x0500: answers that contain a location. */
export const encodeAnswerWithLocation = (
  identity: string,
  id: 0x0201 | 0x0500,
  reference: number,
  position: PositionMessage,
): Uint8Array => encodePacket(id, identity, 1, new ByteWriter().u16(reference).bytes(locationBody(position)).done());

/** 0x0104: parameters in the format of `writeParameters`. */
export const encodeParameters = (identity: string, reference: number, pairs: readonly string[]): Uint8Array =>
  encodePacket(
    0x0104,
    identity,
    1,
    new ByteWriter()
      .u16(reference)
      .bytes(writeParameters(pairs) ?? Uint8Array.of(0))
      .done(),
  );

/** 0x0107 (§8.9): type, maker, model, terminal, SIM, hardware and firmware versions, supported communication. */
export function encodeAttributes(identity: string): Uint8Array {
  const [maker, model, terminal] = phoneOf(identity).versioned ? [5, 30, 30] : [5, 20, 7];
  const writer = new ByteWriter().u16(1).bytes(padded('MLPST', maker)).bytes(padded('SIMULATOR', model));
  writer.bytes(padded(identity.slice(-7), terminal)).hex('0'.repeat(20));
  for (const version of ['HW1', 'FW1.0']) writer.u8(version.length).ascii(version);
  return encodePacket(0x0107, identity, 1, writer.u8(1).u8(1).done());
}

export const encodeLocation = (identity: string, position: PositionMessage, serial: number): Uint8Array =>
  encodePacket(0x0200, identity, serial, locationBody(position));

/** Stored positions, `type` 1 (JT/T 808-2013 §8.49). */
export function encodeBatch(identity: string, positions: readonly PositionMessage[], serial: number): Uint8Array {
  const writer = new ByteWriter().u16(positions.length).u8(1);
  for (const position of positions) {
    const body = locationBody(position);
    writer.u16(body.length).bytes(body);
  }
  return encodePacket(0x0704, identity, serial, writer.done());
}

const MICRODEGREES = 1_000_000;
const HECTOMETRES = 100;
const DECILITRES = 10;

function locationBody(position: PositionMessage): Uint8Array {
  const writer = new ByteWriter()
    .u32(alarmWord(position.event))
    .u32(statusWord(position))
    .u32(Math.round(Math.abs(position.lat) * MICRODEGREES))
    .u32(Math.round(Math.abs(position.lon) * MICRODEGREES))
    .u16(Math.round(position.altitude ?? 0))
    .u16(position.speed === null ? 0 : Math.round(toKilometresPerHour(position.speed) * 10))
    .u16(Math.round(position.course ?? 0))
    .hex(timeDigits(position.time));
  const { odometer, gsm, satellites } = position;
  const fuel = position.attributes.fuelVolume;
  if (odometer !== null)
    writer
      .u8(0x01)
      .u8(4)
      .u32(Math.round(odometer / HECTOMETRES));
  if (typeof fuel === 'number')
    writer
      .u8(0x02)
      .u8(2)
      .u16(Math.round(fuel * DECILITRES));
  if (position.event === 'geofenceEnter' || position.event === 'geofenceExit') {
    writer
      .u8(0x12)
      .u8(6)
      .u8(1)
      .u32(Number(position.attributes.area ?? 0))
      .u8(position.event === 'geofenceExit' ? 1 : 0);
  }
  if (gsm !== null) writer.u8(0x30).u8(1).u8(gsm);
  if (satellites !== null) writer.u8(0x31).u8(1).u8(satellites);
  return writer.done();
}

const negative = (angle: Degrees): boolean => angle < 0;

const statusWord = ({ ignition, valid, lat, lon }: PositionMessage): number =>
  (ignition ? STATUS.ignition : 0) |
  (valid ? STATUS.positioned : 0) |
  (negative(lat) ? STATUS.south : 0) |
  (negative(lon) ? STATUS.west : 0);

/** Tables 4 and 7: answers of the platform. */
export const generalAnswer = (identity: string, serial: number, id: number): Uint8Array =>
  encodePacket(0x8001, identity, serial, new ByteWriter().u16(serial).u16(id).u8(0).done());

export const REGISTERED = 0;
export const NO_SUCH_TERMINAL = 4;

/**
 * The token that the tracker signs in with afterward. It is not stored, because the tracker's ID identifies it either
 * way.
 */
export function registrationAnswer(identity: string, serial: number, result: number): Uint8Array {
  const writer = new ByteWriter().u16(serial).u8(result);
  if (result === REGISTERED) writer.ascii(identity);
  return encodePacket(0x8100, identity, serial, writer.done());
}

/** The server's time, UTC (JT/T 808-2019 §8.7). */
export const timeAnswer = (identity: string, serial: number, now: EpochMs): Uint8Array =>
  encodePacket(0x8004, identity, serial, new ByteWriter().hex(timeDigits(now, 0)).done());

/** No part of the picture is missing (Table 83). */
export const pictureAnswer = (identity: string, serial: number, mediaId: number): Uint8Array =>
  encodePacket(0x8800, identity, serial, new ByteWriter().u32(mediaId).done());

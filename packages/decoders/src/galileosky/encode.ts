import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { join } from '../bytes.ts';
import { crc16Modbus } from '../crc16.ts';
import type { PositionMessage } from '../protocol.ts';
import { HEADER } from './frame.ts';
import { REASONS } from './records.ts';
import { EXTENDED, TAG } from './tags.ts';

/** Packs of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */

/** Little endian. */
const little = (value: number, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) & 0xff);
const u16 = (value: number): Uint8Array => little(value & 0xffff, 2);
const u32 = (value: number): Uint8Array => little(value >>> 0, 4);
const ascii = (text: string): Uint8Array => new ByteWriter().ascii(text).done();
const tagged = (tag: number, ...data: readonly Uint8Array[]): Uint8Array => join([Uint8Array.of(tag), ...data]);

export function pack(content: Uint8Array, header: number = HEADER.data): Uint8Array {
  const frame = join([Uint8Array.of(header), u16(content.length), content]);
  return join([frame, u16(crc16Modbus(frame, 0, frame.length))]);
}

/** "Packet structure of receiving confirmation": the checksum of what was received. */
export const confirmation = (checksum: number): Uint8Array => join([Uint8Array.of(HEADER.confirmation), u16(checksum)]);

const IMEI_DIGITS = 15;
/** The number that the maker's examples have; it is the tracker's unless someone gave it another. */
const DEVICE = 50;

const identity = (imei: string): Uint8Array =>
  join([tagged(TAG.imei, ascii(imei.padStart(IMEI_DIGITS, '0').slice(-IMEI_DIGITS))), tagged(TAG.device, u16(DEVICE))]);

const MOST_LETTERS = 255;
const spoken = (imei: string, text: string, reference: number): Uint8Array => {
  const letters = ascii(text.slice(0, MOST_LETTERS));
  return pack(
    join([
      identity(imei),
      tagged(TAG.command, u32(reference)),
      tagged(TAG.text, Uint8Array.of(letters.length), letters),
    ]),
  );
};

/** "Structure of packet with command": the number comes back in the reply. */
export const encodeCommand = (command: string, reference: number, imei: string): Uint8Array =>
  spoken(imei, command, reference);
export const encodeReply = spoken;

const HARDWARE = 17;
const FIRMWARE = 223;
export const encodeHead = (imei: string): Uint8Array =>
  pack(join([Uint8Array.of(0x01, HARDWARE, 0x02, FIRMWARE), identity(imei)]));

const MOST_BYTES = 1000;

/** Main packs with these positions, as many as fit into each. */
export function encodePacks(positions: readonly PositionMessage[], serial: number): Uint8Array[] {
  const packs: Uint8Array[] = [];
  let records: Uint8Array[] = [];
  let bytes = 0;
  const close = (): void => {
    if (records.length > 0) packs.push(pack(join(records)));
    records = [];
    bytes = 0;
  };
  for (const [i, position] of positions.entries()) {
    const record = encodeRecord(position, serial + i);
    if (bytes + record.length > MOST_BYTES) close();
    records.push(record);
    bytes += record.length;
  }
  close();
  return packs;
}

const FROM_SATELLITES = 0x00;
const NOT_CORRECT = 0x10;
const MOST_SATELLITES = 15;

function encodeRecord(position: PositionMessage, number: number): Uint8Array {
  const { time, lat, lon, valid, speed, course, altitude, hdop, attributes } = position;
  const satellites = Math.min(position.satellites ?? 0, MOST_SATELLITES);
  const parts: Uint8Array[] = [tagged(TAG.record, u16(number)), tagged(TAG.time, u32(Math.floor(time / 1000)))];
  if (time % 1000 !== 0) parts.push(tagged(TAG.milliseconds, u16(time % 1000)));
  const coordinate = (value: number): Uint8Array => u32(Math.round(value * 1e6));
  const source = Uint8Array.of((valid ? FROM_SATELLITES : NOT_CORRECT) | satellites);
  parts.push(tagged(TAG.place, source, coordinate(lat), coordinate(lon)));
  if (speed !== null) {
    const tenths = Math.round(toKilometresPerHour(speed) * 10);
    parts.push(tagged(TAG.motion, u16(tenths), u16(Math.round((course ?? 0) * 10))));
  }
  if (altitude !== null) parts.push(tagged(TAG.altitude, u16(Math.round(altitude))));
  if (hdop !== null) parts.push(tagged(TAG.accuracy, Uint8Array.of(Math.min(255, Math.round(hdop * 10)))));
  const { externalVoltage, batteryVoltage, boardTemperature } = attributes;
  if (typeof externalVoltage === 'number') parts.push(tagged(0x41, u16(Math.round(externalVoltage * 1000))));
  if (typeof batteryVoltage === 'number') parts.push(tagged(0x42, u16(Math.round(batteryVoltage * 1000))));
  if (typeof boardTemperature === 'number') parts.push(tagged(0x43, little(boardTemperature & 0xff, 1)));
  const { fuel, odometer, rfid } = position;
  if (rfid !== null && /^[0-9A-F]{8}$/.test(rfid)) parts.push(tagged(0x90, card(rfid)));
  if (fuel !== null) parts.push(tagged(0xc1, engine(fuel, attributes)));
  if (odometer !== null) parts.push(tagged(0xd4, u32(Math.round(odometer))));
  const extended = encodeExtended(position);
  if (extended.length > 0) parts.push(tagged(TAG.extended, u16(extended.length), extended));
  return join(parts);
}

const card = (digits: string): Uint8Array => new ByteWriter().hex(digits).done().reverse();

/** J1939: not available. */
const NOT_AVAILABLE = 0xff;
function engine(fuel: number, { coolantTemperature, rpm }: PositionMessage['attributes']): Uint8Array {
  const coolant = typeof coolantTemperature === 'number' ? coolantTemperature + 40 : NOT_AVAILABLE;
  return join([
    Uint8Array.of(Math.round(fuel / 0.4), coolant),
    u16(typeof rpm === 'number' ? Math.round(rpm / 0.125) : 0xffff),
  ]);
}

const PROBE = 1;
function encodeExtended({ temperature, rfid, event, attributes }: PositionMessage): Uint8Array {
  const parts: Uint8Array[] = [];
  const put = (tag: number, data: Uint8Array): void => {
    parts.push(u16(tag), data);
  };
  const [country, network, area, cell] = String(attributes.cell ?? '')
    .split('-')
    .map(Number);
  if (cell !== undefined) {
    put(EXTENDED.cell, u16(cell));
    put(EXTENDED.area, u16(area ?? 0));
    put(EXTENDED.country, u16(country ?? 0));
    put(EXTENDED.network, u16(network ?? 0));
  }
  if (temperature !== null) put(0x86, join([u16(PROBE), u16(Math.round(temperature * 256))]));
  const [reason] = Object.entries(REASONS).find(([, name]) => name === event) ?? [];
  if (reason !== undefined) put(EXTENDED.reason, Uint8Array.of(Number(reason)));
  if (rfid !== null && /^[0-9A-F]{16}$/.test(rfid)) put(EXTENDED.card, card(rfid));
  return join(parts);
}

import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Ibm } from '../crc16.ts';
import type { PositionMessage } from '../protocol.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */

const unit = (imei: string): string => BigInt(imei).toString(16).padStart(16, '0');

/** Keep-alive message and acknowledgement have one form. */
export const acknowledgement = (imei: string, sequence: number): Uint8Array =>
  new ByteWriter().u16(0xfe02).hex(unit(imei)).u16(sequence).done();

export function sealBinary(imei: string, sequence: number, content: Uint8Array, prefix = '@P'): Uint8Array {
  const checked = new ByteWriter()
    .u16(content.length + 10)
    .u16(sequence)
    .hex(unit(imei))
    .bytes(content)
    .done();
  return new ByteWriter()
    .ascii(prefix)
    .u16(crc16Ibm(checked, 0, checked.length))
    .bytes(checked)
    .done();
}

const FIX = 2;
const NO_SENSOR = 2000;

export function encodeRecord(position: PositionMessage): Uint8Array {
  const { time, lat, lon, speed, course, hdop, odometer, temperature, rfid } = position;
  const seconds = Math.floor(time / 1000);
  const writer = new ByteWriter().u32(seconds).u32(seconds).u32(seconds);
  writer.u32(Math.round(lon * 1e6) >>> 0).u32(Math.round(lat * 1e6) >>> 0);
  writer.u16(Math.round(course ?? 0)).u8(FIX);
  writer.u32(Math.round((odometer ?? 0) / 100)).u16(Math.round((hdop ?? 0) * 10));
  writer.u8(position.ignition ? 1 : 0).u16(speed === null ? 0 : Math.round(toKilometresPerHour(speed)));
  writer
    .u8(0)
    .u16(0)
    .ascii(rfid ?? '')
    .u8(0);
  const warmth = temperature === null ? NO_SENSOR : Math.round(temperature * 10);
  return writer
    .u16(warmth & 0xffff)
    .u16(NO_SENSOR)
    .u8(0)
    .done();
}

export const encodeReport = (imei: string, position: PositionMessage, sequence: number): Uint8Array =>
  sealBinary(imei, sequence & 0xffff, encodeRecord(position));

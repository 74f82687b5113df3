import { type EpochMs, toKnots } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { clockOf } from './report.ts';
import { statusWord } from './status.ts';

/** Messages of a tracker and its server: the inverse of `decode.ts`, at the protocol's resolution. */
const text = (words: readonly (string | number)[]): Uint8Array => new ByteWriter().ascii(`*${words.join()}#`).done();

const MAKER = 'HQ';

/** A report as text. */
export const encodeReport = (imei: string, position: PositionMessage): Uint8Array =>
  text([MAKER, imei, 'V1', ...placeFields(position)]);

/** V4 confirms a command: its word, the result, the command's time, and a report. */
export const encodeConfirmation = (
  imei: string,
  word: string,
  outcome: 'DONE' | 'ERROR' | null,
  clock: string,
  position: PositionMessage,
): Uint8Array =>
  text([MAKER, imei, 'V4', word, ...(outcome === null ? [] : [outcome]), clock, ...placeFields(position)]);

function placeFields(position: PositionMessage): (string | number)[] {
  const cell = String(position.attributes.cell ?? '').split('-');
  return [
    clockText(position.time),
    position.valid ? 'A' : 'V',
    angleText(position.lat, 2, 4),
    latitudeSign(position.lat),
    angleText(position.lon, 3, 4),
    longitudeSign(position.lon),
    (position.speed === null ? 0 : toKnots(position.speed)).toFixed(2).padStart(6, '0'),
    String(Math.round(position.course ?? 0)).padStart(3, '0'),
    dateText(position.time, 'dmy'),
    statusWord(position.event, position.ignition ?? false)
      .toString(16)
      .toUpperCase()
      .padStart(8, '0'),
    ...(cell.length === 4 ? cell : []),
  ];
}

/** "R12", the server's answer to V6 and V8: the time of the day. */
export const encodeReceipt = (maker: string, imei: string, time: EpochMs): Uint8Array =>
  text([maker, imei, 'R12', clockText(time)]);

export const encodeHeartbeat = (imei: string, batteryLevel: number): Uint8Array =>
  text([MAKER, imei, 'HTBT', batteryLevel]);

/** A report as the 32-byte binary record, in which the identity has ten digits. */
export function encodeRecord(identity: string, position: PositionMessage): Uint8Array {
  const flags = (position.lon < 0 ? 0 : 8) | (position.lat < 0 ? 0 : 4) | (position.valid ? 2 : 0);
  const speed = position.speed === null ? 0 : Math.round(toKnots(position.speed));
  const digits = [
    identity,
    clockText(position.time),
    dateText(position.time, 'dmy'),
    angleText(position.lat, 2, 4).replace('.', ''),
    '00',
    angleText(position.lon, 3, 4).replace('.', ''),
    flags.toString(16),
    String(Math.min(999, speed)).padStart(3, '0'),
    String(Math.round(position.course ?? 0)).padStart(3, '0'),
  ].join('');
  return new ByteWriter()
    .u8(0x24)
    .hex(digits)
    .u32(statusWord(position.event, position.ignition ?? false))
    .u8(0xff)
    .u16(0)
    .done();
}

/**
 * `*HQ,identity,S20,time,1,1#` from `S20,1,1`. The time identifies the command in its confirmation. A command that
 * begins with `*` is sent unchanged.
 */
export function encodeCommand(command: string, reference: number, imei: string): Uint8Array {
  if (command.startsWith('*')) return new ByteWriter().ascii(command).done();
  const [word = '', ...rest] = command.split(',');
  return text([MAKER, imei, word, clockOf(reference), ...rest]);
}

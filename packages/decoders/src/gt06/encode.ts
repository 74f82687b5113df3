import { type EpochMs, toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Itu } from '../crc16.ts';
import type { PositionMessage } from '../protocol.ts';
import { ALARM_CODES } from './alarm-codes.ts';
import { SHORT_START, STOP } from './frame.ts';
import { BATTERY_LEVELS, GSM_LEVELS } from './terminal.ts';

/** Messages of a tracker and its server, and commands: the inverse of `decode.ts`, at the protocol's resolution. */

/** Start, length, protocol number, content, serial number, checksum, stop. */
export function shortPacket(type: number, content: Uint8Array, serial: number): Uint8Array {
  const frame = new ByteWriter()
    .u16(SHORT_START)
    .u8(content.length + 5)
    .u8(type)
    .bytes(content)
    .u16(serial)
    .done();
  return new ByteWriter()
    .bytes(frame)
    .u16(crc16Itu(frame, 2, frame.length))
    .u16(STOP)
    .done();
}

/** Year from 2000, month, day, hour, minute, second. */
export function timeOf(time: EpochMs): Uint8Array {
  const date = new Date(time);
  return Uint8Array.of(
    date.getUTCFullYear() - 2000,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  );
}

export const COMMAND = 0x80;
const REPLY = 0x15;
const ENGLISH = 0x02;
const FLAG_BYTES = 4;
/** The length byte counts flag, text, language and the fields of every packet. */
const MAX_COMMAND_CHARACTERS = 255 - 5 - 1 - FLAG_BYTES - 2;

/** 0x80, "Online command": the text of the tracker's SMS commands. The flag comes back in the reply. */
export function encodeCommand(command: string, reference: number): Uint8Array {
  const text = command.slice(0, MAX_COMMAND_CHARACTERS);
  const content = new ByteWriter()
    .u8(FLAG_BYTES + text.length)
    .u32(reference)
    .ascii(text)
    .u16(ENGLISH);
  return shortPacket(COMMAND, content.done(), reference & 0xffff);
}

/** 0x15, the answer to it: the flag comes back before the text. */
export function encodeCommandReply(text: string, reference: number): Uint8Array {
  const content = new ByteWriter()
    .u8(FLAG_BYTES + text.length)
    .u32(reference)
    .ascii(text)
    .u16(ENGLISH);
  return shortPacket(REPLY, content.done(), reference & 0xffff);
}

export const encodeLogin = (imei: string, serial = 1): Uint8Array =>
  shortPacket(0x01, new ByteWriter().hex(imei.padStart(16, '0')).done(), serial);

const COORDINATE_SCALE = 1_800_000;
/** The block is 12 bytes long without its time, and can hold at most 15 satellites. */
const FIX_LENGTH = 0xc0;

function fixBlock(position: PositionMessage): Uint8Array {
  const { lat, lon, valid } = position;
  const status = (valid ? 0x1000 : 0) | (lon < 0 ? 0x0800 : 0) | (lat >= 0 ? 0x0400 : 0);
  return new ByteWriter()
    .bytes(timeOf(position.time))
    .u8(FIX_LENGTH | Math.min(position.satellites ?? 0, 15))
    .u32(Math.round(Math.abs(lat) * COORDINATE_SCALE))
    .u32(Math.round(Math.abs(lon) * COORDINATE_SCALE))
    .u8(position.speed === null ? 0 : Math.min(255, Math.round(toKilometresPerHour(position.speed))))
    .u16(status | (Math.round(position.course ?? 0) & 0x03ff))
    .done();
}

/** Country and network, one byte shorter than the tower's fields; zero if the tracker has no tower. */
function tower(position: PositionMessage): Uint8Array {
  const [mcc = 0, mnc = 0, lac = 0, ci = 0] = String(position.attributes.cell ?? '')
    .split('-')
    .map(Number);
  return new ByteWriter().u16(mcc).u8(mnc).u16(lac).u24(ci).done();
}

/** 0x22: fix, tower, ACC, upload by time, live or stored, mileage in meters. */
export function encodeLocation(position: PositionMessage, serial: number): Uint8Array {
  const content = new ByteWriter()
    .bytes(fixBlock(position))
    .bytes(tower(position))
    .u8(position.ignition ? 1 : 0)
    .u8(0)
    .u8(position.attributes.replayed ? 1 : 0)
    .u32(Math.round(position.odometer ?? 0));
  return shortPacket(0x22, content.done(), serial);
}

export interface TerminalState {
  readonly ignition: boolean;
  readonly charging: boolean;
  /** Percent. */
  readonly batteryLevel: number;
  /** 0–31. */
  readonly gsm: number;
}

const nearest = (levels: readonly number[], value: number): number =>
  levels.reduce((best, level, i) => (Math.abs(level - value) < Math.abs((levels[best] ?? 0) - value) ? i : best), 0);

const stateBytes = (state: TerminalState): Uint8Array =>
  Uint8Array.of(
    0b0100_0000 | (state.charging ? 0b100 : 0) | (state.ignition ? 0b10 : 0),
    nearest(BATTERY_LEVELS, state.batteryLevel),
    nearest(GSM_LEVELS, state.gsm),
  );

/** 0x13. */
export const encodeHeartbeat = (state: TerminalState, serial: number): Uint8Array =>
  shortPacket(0x13, new ByteWriter().bytes(stateBytes(state)).u8(0).u8(ENGLISH).done(), serial);

const ALARM_OF_EVENT = new Map([...ALARM_CODES].toReversed().map(([code, event]) => [event as string, code]));
const TOWER_LENGTH = 9;

/** 0x26: the fix, the tower, the terminal's state and the event's alarm code; 0 if the protocol has none for it. */
export function encodeAlarm(position: PositionMessage, state: TerminalState, serial: number): Uint8Array {
  const content = new ByteWriter()
    .bytes(fixBlock(position))
    .u8(TOWER_LENGTH)
    .bytes(tower(position))
    .bytes(stateBytes(state))
    .u8(ALARM_OF_EVENT.get(position.event ?? '') ?? 0)
    .u8(ENGLISH);
  return shortPacket(0x26, content.done(), serial);
}

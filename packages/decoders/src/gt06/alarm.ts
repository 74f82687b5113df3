import { fromKilometresPerHour, metres } from '@milepost/units';
import { ascii, hex } from '../bytes.ts';
import { alarmOf, cameraAlarmOf } from './alarm-codes.ts';
import { cellBytes, type Generation, readCell, readWideCell } from './cells.ts';
import { type Beside, fixOf, positionAt, readFix, readPlace, readSatellites, readStatusWord, readTime } from './fix.ts';
import { noted, type Packet, type PacketDecoder } from './packet.ts';
import { batteryLevel, gsmSignal, terminalInformation } from './terminal.ts';

/** Status, level, signal, alarm, language. */
const STATUS_BYTES = 5;
const MILEAGE_BYTES = 4;
const CARD_BYTES = 8;
const NO_FENCE = 0xff;

const FENCED = new Set([0x27, 0xa4]);
const GENERATION_4 = new Set([0xa3, 0xa4, 0xa5]);

/** 0x16, 0x26, 0x27 and their 4G forms 0xA3, 0xA4: fix, length of the tower fields, tower, status block. */
export const alarm: PacketDecoder = packet => {
  const { content, type } = packet;
  const fix = readFix(content);
  if (fix === null || content.overrun) return null;
  const generation = generationOf(packet);
  // Seen in recordings: 0x16 without the length byte.
  const bare = content.remaining === 8 + STATUS_BYTES;
  if (isWithoutTower(packet)) {
    content.skip(1);
    return positionAt(fix, withTail(packet, statusBlock(packet), null));
  }
  if (!bare && content.remaining > 0) content.skip(1);
  const after = content.remaining - cellBytes(content.bytes, content.at, generation) - (FENCED.has(type) ? 1 : 0);
  // Seen in recordings: a four-byte cell id where the document has three bytes.
  const wide = generation === '2g' && after === STATUS_BYTES + 1;
  const cell = wide ? readWideCell(content) : readCell(content, generation);
  // Seen in recordings: sixty unexplained bytes before the status, which comes last.
  if (after > STATUS_BYTES + CARD_BYTES) content.skip(after - STATUS_BYTES);
  // The language, which comes last, may be missing; without the alarm the block is invalid.
  if (content.overrun || content.remaining < STATUS_BYTES - 1) return positionAt(fix, { attributes: noted({ cell }) });
  return positionAt(fix, withTail(packet, statusBlock(packet), cell));
};

/** A length of 0 before the tower, and after it nothing but the status and what may follow it. */
function isWithoutTower({ content, type }: Packet): boolean {
  const status = content.remaining - 1 - (FENCED.has(type) ? 1 : 0);
  return content.bytes[content.at] === 0 && (status === STATUS_BYTES || status === STATUS_BYTES - 1);
}

const TOWER_LENGTH_4G = 15;

/** The length before the tower includes itself and shows the generation; if it does not, the type does. */
function generationOf({ content, type }: Packet): Generation {
  const length = content.bytes[content.at] ?? 0;
  if (length === TOWER_LENGTH_2G || length === TOWER_LENGTH_2G + 1) return '2g';
  if (length === TOWER_LENGTH_4G + 1 || length === TOWER_LENGTH_4G + 2) return '4g';
  return GENERATION_4.has(type) ? '4g' : '2g';
}
const TOWER_LENGTH_2G = 9;

interface StatusBlock {
  readonly beside: Beside;
  readonly notes: Readonly<Record<string, string | number | boolean | null>>;
}

function statusBlock({ content }: Packet): StatusBlock {
  const information = terminalInformation(content.u8());
  const level = batteryLevel(content.u8());
  const gsm = gsmSignal(content.u8());
  const { event, code } = alarmOf(content.u8(), information.alarm);
  if (content.remaining > 0) content.skip(1);
  const { ignition, charging, cutOff, armed } = information;
  return {
    beside: { ignition, gsm, event },
    notes: { batteryLevel: level, charging, cutOff, armed, alarmCode: code },
  };
}

/** Number of the geofence, mileage, or, in recordings, a driver's card. */
function withTail({ content, type }: Packet, { beside, notes }: StatusBlock, cell: string | null): Beside {
  const fence = FENCED.has(type) && content.remaining > 0 ? content.u8() : NO_FENCE;
  const attributes = noted({ cell, ...notes, fence: fence === NO_FENCE ? null : fence });
  if (content.remaining === MILEAGE_BYTES) return { ...beside, attributes, odometer: metres(content.u32()) };
  if (content.remaining === CARD_BYTES) return { ...beside, attributes, rfid: cardOf(content.rest()) };
  return { ...beside, attributes };
}

/** All zeros mean no card. */
export const cardOf = (bytes: Uint8Array): string | null => (bytes.every(byte => byte === 0) ? null : hex(bytes));

/** 0x19 and 0xA5: an alarm with a tower, without a fix. */
export const towerAlarm: PacketDecoder = packet => {
  const { content, type } = packet;
  const generation: Generation = type === 0xa5 ? '4g' : '2g';
  // Seen in recordings: preceded by a time, and with a status block one byte shorter.
  const timed = generation === '2g' && content.remaining === 18;
  const time = timed ? readTime(content) : null;
  const cell = readCell(content, generation);
  if (timed) return { kind: 'status', time, event: null, attributes: noted({ cell }) };
  const { beside, notes } = statusBlock(packet);
  if (content.overrun) return null;
  const attributes = noted({ cell, ignition: beside.ignition ?? null, gsm: beside.gsm ?? null, ...notes });
  return { kind: 'status', time, event: beside.event ?? null, attributes };
};

const CAMERA_MARK = 0xffff;

/**
 * 0x95, from dashboard cameras; known from recordings. Time, sometimes a fix, the alarm, two bytes, the names of the
 * files that show it. After FF FF 01, the fix has satellites, and the speed comes after the course.
 */
export const cameraAlarm: PacketDecoder = ({ content }) => {
  const marked =
    content.remaining >= 3 &&
    (content.bytes[content.at] ?? 0) * 256 + (content.bytes[content.at + 1] ?? 0) === CAMERA_MARK;
  if (marked) content.skip(3);
  const time = readTime(content);
  if (time === null) return null;
  if (content.remaining <= 2) return { kind: 'status', time, ...cameraNotes(content.u8(), '') };
  const satellites = marked ? readSatellites(content) : null;
  const place = readPlace(content);
  const status = readStatusWord(content);
  const speed = marked ? content.u16() : null;
  if (marked) content.skip(2);
  const code = content.u8();
  content.skip(2);
  if (content.overrun) return null;
  const fix = fixOf(time, satellites, place, speed === null ? null : fromKilometresPerHour(speed), status);
  return positionAt(fix, cameraNotes(code, ascii(content.rest())));
};

function cameraNotes(code: number, files: string): { event: string | null; attributes: ReturnType<typeof noted> } {
  const { event, code: unnamed } = cameraAlarmOf(code);
  return { event, attributes: noted({ alarmCode: unnamed, files }) };
}

import { celsius, metres } from '@milepost/units';
import type { Reader } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { cellBytes, type Generation, readCell, readWideCell } from './cells.ts';
import { type Beside, FIX_BYTES, positionAt, readFix } from './fix.ts';
import { noted, type Packet, type PacketDecoder } from './packet.ts';
import { batteryLevel, gsmSignal, terminalInformation } from './terminal.ts';

/**
 * Location packets: the fix, then depending on the type and version of the protocol a tower, ACC, upload mode, mileage.
 */
export const location: PacketDecoder = packet => {
  const { content } = packet;
  // Seen in recordings: a tracker that has never had a fix sends the packet empty.
  if (content.remaining === 0) return { kind: 'heartbeat', attributes: {} };
  const wrapped = isWrapped(packet);
  if (wrapped) content.skip(IMEI_AND_FIRST_TIME_BYTES);
  const fix = readFix(content);
  if (fix === null || content.overrun) return null;
  return positionAt(fix, wrapped ? wrappedTail(packet) : tail(packet));
};

/** The others begin the same way, but continue differently. */
const DOCUMENTED: ReadonlySet<number> = new Set([0x12, 0x22]);
const TOWER_BYTES = 8;
const MILEAGE_BYTES = 4;
/** ACC, upload mode, re-upload. */
const STATE_BYTES = 3;
const PROBE_BYTES = 20;

function tail(packet: Packet): Beside {
  const { content, type } = packet;
  if (type === 0xa0) return modern(packet, '4g');
  const tower = cellBytes(content.bytes, content.at, '2g');
  if (content.remaining < tower) return {};
  if (type === 0x12 && content.remaining === PROBE_BYTES) return probe(packet);
  if (type === 0x12 && content.remaining === tower + MILEAGE_BYTES) {
    const cell = readCell(content, '2g');
    return { attributes: noted({ cell }), odometer: metres(content.u32()) };
  }
  if (DOCUMENTED.has(type) && isModern(packet, tower)) return modern(packet, '2g');
  if (DOCUMENTED.has(type) && isModern(packet, tower + 1)) return wideWithProbe(packet);
  return { attributes: noted({ cell: readCell(content, '2g') }) };
}

/** ACC and re-upload are 0 or 1, the upload mode is below 16. */
function isModern({ content }: Packet, towerBytes: number): boolean {
  const { bytes } = content;
  const at = content.at + towerBytes;
  if (content.remaining < towerBytes + STATE_BYTES) return false;
  return (bytes[at] ?? 2) <= 1 && (bytes[at + 1] ?? 16) < 16 && (bytes[at + 2] ?? 2) <= 1;
}

/** 0x22, 0xA0, and 0x12 of newer trackers: tower, ACC, upload mode, re-upload, and mileage if present. */
function modern({ content }: Packet, tower: Generation | 'wide'): Beside {
  if (content.remaining === 0) return {};
  const cell = tower === 'wide' ? readWideCell(content) : readCell(content, tower);
  if (content.overrun || content.remaining === 0) return { attributes: noted({ cell }) };
  const ignition = content.u8() !== 0;
  const uploadMode = content.u8();
  const replayed = content.u8() !== 0;
  const odometer = hasMileage(content) ? metres(content.u32()) : null;
  if (content.overrun) return { ignition, attributes: noted({ cell }) };
  const event = eventOf(uploadMode, ignition);
  return { ignition, odometer, event, attributes: noted({ cell, replayed: replayed || null }) };
}

/** Seen in recordings: text with its length instead, such as a driver's card followed by spaces. */
function hasMileage({ bytes, at, remaining }: Reader): boolean {
  if (remaining < MILEAGE_BYTES) return false;
  if (remaining === MILEAGE_BYTES) return true;
  const isText = bytes.subarray(at + 2, at + MILEAGE_BYTES).every(byte => byte >= 0x20 && byte < 0x7f);
  const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  return !(isText && length <= remaining - 2);
}

/** "Data upload mode": the cause of the report. The other modes are scheduled reports. */
function eventOf(uploadMode: number, ignition: boolean): TrackerEvent | null {
  if (uploadMode === 0x03) return ignition ? 'ignitionOn' : 'ignitionOff';
  if (uploadMode === 0x07) return 'button';
  return uploadMode === 0x08 ? 'powerOn' : null;
}

/** Seen in recordings: status, hundredths of volts, signal and a probe after the tower; the rest is unexplained. */
function probe({ content }: Packet): Beside {
  const cell = readCell(content, '2g');
  const { ignition, charging } = terminalInformation(content.u8());
  const externalVoltage = content.u16() / 100;
  const gsm = gsmSignal(content.u8());
  content.skip(2);
  const temperature = celsius(content.i16());
  return { ignition, gsm, temperature, attributes: noted({ cell, charging, externalVoltage }) };
}

/** Seen in recordings: a four-byte cell id and, after mileage and four unexplained bytes, a probe in hundredths. */
function wideWithProbe(packet: Packet): Beside {
  const { content } = packet;
  const beside = modern(packet, 'wide');
  if (content.remaining < 6) return beside;
  content.skip(4);
  return { ...beside, temperature: celsius(content.i16() / 100) };
}

const IMEI_AND_FIRST_TIME_BYTES = 1 + 8 + 6;
const WRAPPED_TAIL_BYTES = 22;

/**
 * Seen in recordings: 0x22 preceded by 0x01, the IMEI and a second time, with tenths of volts and percent in its
 * status.
 */
const isWrapped = ({ content, type }: Packet): boolean =>
  type === 0x22 &&
  content.remaining === IMEI_AND_FIRST_TIME_BYTES + FIX_BYTES + WRAPPED_TAIL_BYTES &&
  content.bytes[content.at] === 0x01;

function wrappedTail({ content }: Packet): Beside {
  content.skip(1 + TOWER_BYTES);
  const { ignition, charging } = terminalInformation(content.u8());
  content.skip(2);
  const batteryVoltage = content.u8() / 10;
  return { ignition, attributes: noted({ charging, batteryVoltage, batteryLevel: batteryLevel(content.u8()) }) };
}

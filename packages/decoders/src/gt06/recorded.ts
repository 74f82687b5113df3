import { fromKilometresPerHour } from '@milepost/units';
import { ascii, hex, isText } from '../bytes.ts';
import { readCell } from './cells.ts';
import { FIX_BYTES, fixOf, positionAt, readFix, readPlace, readSatellites, readStatusWord, readTime } from './fix.ts';
import { noted, type Packet, type PacketDecoder } from './packet.ts';

/**
 * Undocumented packets known from recordings. Only what is certain is decoded: the position, because every maker writes
 * it the same way, and obvious values beside it. The rest is ignored.
 */

/** 0x61: IMEI, fix, tower, one byte, then a driver's card with leading zeros. */
export const fixAfterImei: PacketDecoder = ({ content }) => {
  content.skip(8);
  const fix = readFix(content);
  if (fix === null || content.overrun) return null;
  const cell = readCell(content, '2g');
  content.skip(1);
  const card = hex(content.rest()).replace(/^(00)+/, '');
  return positionAt(fix, { rfid: card === '' ? null : card, attributes: noted({ cell }) });
};

/** 0x34: four bytes, then the fix. */
export const fixAfterFour: PacketDecoder = ({ content }) => {
  content.skip(4);
  const fix = readFix(content);
  return fix === null || content.overrun ? null : positionAt(fix);
};

/** 0x35: announces a picture. */
export const pictureAnnouncement: PacketDecoder = ({ content }) => {
  const time = readTime(content);
  return content.overrun ? null : { kind: 'status', time, event: null, attributes: { picture: true } };
};

/**
 * 0x31, 0x32, 0x33 under the long start (WeTrack, AZ735): a length before the fix, zero if there is none, and a length
 * before the tower.
 */
export const measuredFix: PacketDecoder = packet => {
  const { content } = packet;
  const time = readTime(content);
  const fixLength = content.u8();
  if (content.overrun) return null;
  if (fixLength < FIX_BYTES - 6) return withTower(packet, time);
  if (time === null) return null;
  const satellites = readSatellites(content);
  const place = readPlace(content);
  const speed = fromKilometresPerHour(content.u8());
  const fix = fixOf(time, satellites, place, speed, readStatusWord(content));
  content.skip(1);
  const cell = readCell(content, '2g');
  return positionAt(fix, { attributes: noted({ cell }) });
};

function withTower({ content }: Packet, time: ReturnType<typeof readTime>): ReturnType<PacketDecoder> {
  content.skip(1);
  return { kind: 'status', time, event: null, attributes: noted({ cell: readCell(content, '2g') }) };
}

/** Satellites, coordinates, speed, course and status. */
const FIX_TAIL_BYTES = FIX_BYTES - 6;
const MAX_TEXT_BYTES = 1024;

/** 0x8C: time, one byte, vehicle bus values as text, the fix without its time. */
export const busValues: PacketDecoder = packet => {
  const { content } = packet;
  const time = readTime(content);
  content.skip(1);
  const text = content.take8(Math.max(0, content.remaining - FIX_TAIL_BYTES));
  if (content.overrun || time === null || !(text.length === 0 || isText(text))) return null;
  const attributes = noted({ obd: isText(text) ? ascii(text.subarray(0, MAX_TEXT_BYTES)) : null });
  if (content.remaining < FIX_TAIL_BYTES) return { kind: 'status', time, event: null, attributes };
  const satellites = readSatellites(content);
  const place = readPlace(content);
  const speed = fromKilometresPerHour(content.u8());
  return positionAt(fixOf(time, satellites, place, speed, readStatusWord(content)), { attributes });
};

/** 0x65, 0x66: trouble codes and freeze-frame values of the vehicle bus, as text. */
export const busTroubles: PacketDecoder = ({ content }) => {
  const time = readTime(content);
  content.skip(1);
  const text = content.take8(Math.max(0, content.remaining - FIX_TAIL_BYTES));
  if (content.overrun) return null;
  const attributes = noted({ obd: isText(text) ? ascii(text.subarray(0, MAX_TEXT_BYTES)) : null });
  return { kind: 'status', time, event: null, attributes };
};

/** 0xFD: IMEI, at least sixteen unexplained bytes, then the firmware's name in brackets. */
export const firmware: PacketDecoder = ({ content }) => {
  const imei = hex(content.take8(8)).replace(/^0/, '');
  const bytes = content.rest();
  const from = bytes.indexOf(0x5b);
  if (content.overrun) return null;
  const text = from < 0 ? '' : ascii(bytes.subarray(from));
  return { kind: 'status', time: null, event: null, attributes: noted({ imei, firmware: text }) };
};

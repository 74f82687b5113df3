import { degrees, type EpochMs, epochMs, fromKilometresPerHour } from '@milepost/units';
import { ascii, letters, type Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import type { PositionMessage } from '../protocol.ts';
import { positionAt, readFix } from './fix.ts';
import { noted, type PacketDecoder } from './packet.ts';

/** Answers to commands, and requests for an address. */

const UTF16 = 0x02;

function utf16(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i + 1 < bytes.length; i += 2)
    text += String.fromCharCode((bytes[i] ?? 0) * 256 + (bytes[i + 1] ?? 0));
  return text.replaceAll('\0', '').toWellFormed().trim();
}

/** 0x21: the command's flag, the code of the text, the text. */
export const reply: PacketDecoder = ({ content }) => {
  const reference = content.u32();
  const code = content.u8();
  const text = content.rest();
  return content.overrun ? null : { kind: 'reply', text: code === UTF16 ? utf16(text) : letters(text), reference };
};

/** 0x15 of older trackers, 0x81: the length of flag and text, the flag, the text, the language. */
export const oldReply: PacketDecoder = ({ content }) => {
  const length = content.u8();
  const reference = content.u32();
  const text = content.take8(Math.max(0, Math.min(length - 4, content.remaining)) || textBytes(content));
  return content.overrun ? null : { kind: 'reply', text: letters(text), reference };
};

/** Seen in recordings: a length of zero, the text padded with zeros and the language at the end. */
const textBytes = (content: Reader): number => Math.max(0, content.remaining - 2);

const PHONE_BYTES = 21;

/** 0x2A, 0x1A: a caller asked the tracker by phone for its address. The fix is that of the location packets. */
export const addressByFix: PacketDecoder = ({ content }) => {
  const fix = readFix(content);
  if (fix === null || content.overrun) return null;
  const phone = ascii(content.take8(Math.min(PHONE_BYTES, content.remaining)));
  return positionAt(fix, { attributes: noted({ addressRequest: true, phone }) });
};

/**
 * The answer to WHERE, user manuals of the GT06N and JM01: `Lat:N22.571285,Lon:E113.877115,Course:42.20,Speed:0.0740,
 * DateTime:10-11-23 22:28:51`. Newer ones have the year in full, and say whether it is the current position or the last.
 */
const WORDS =
  /Lat: ?([NS])(\d{1,2}\.\d+), ?Lon: ?([EW])(\d{1,3}\.\d+), ?Course: ?([\d.]+), ?Speed: ?([\d.]+)[^,]*, ?Date ?Time: ?(?:20)?(\d\d)-(\d\d)-(\d\d) +(\d\d):(\d\d)(?::(\d\d))?/i;
const CURRENT = /current/i;
const LAST = /last/i;
const QUARTER_MS = 900_000;
const FARTHEST_ZONE_MS = 14 * 3_600_000;

export function placeInWords(text: string, receivedAt: EpochMs): PositionMessage | null {
  const [, north, lat, east, lon, course, speed, ...clock] = WORDS.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = clock.map(part => Number(part ?? 0));
  if (lat === undefined || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59)
    return null;
  const time = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  return positionOf({
    time: epochMs(CURRENT.test(text) ? inZone(time, receivedAt) : time),
    valid: !LAST.test(text),
    lat: degrees(north?.toUpperCase() === 'S' ? -Number(lat) : Number(lat)),
    lon: degrees(east?.toUpperCase() === 'W' ? -Number(lon) : Number(lon)),
    speed: fromKilometresPerHour(Number(speed)),
    course: degrees(Number(course)),
  });
}

/** The words have the tracker's own time zone: a current position is of now, so what differs is the zone. */
function inZone(time: number, receivedAt: EpochMs): number {
  const ahead = time - receivedAt;
  return Math.abs(ahead) > FARTHEST_ZONE_MS ? time : time - Math.round(ahead / QUARTER_MS) * QUARTER_MS;
}

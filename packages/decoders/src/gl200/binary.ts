import { degrees, type EpochMs, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { ascii, Reader, viewOf } from '../bytes.ts';
import { crc16Ccitt } from '../crc16.ts';
import { errorIn, silent } from '../outcome.ts';
import { positionOf } from '../position.ts';
import type { Decoded, DecodedMessage, PositionMessage, Session } from '../protocol.ts';
import { headerOf } from './frame.ts';

/**
 * "HEX Format" of GV200 and its like: +RSP and +EVT (with a place), +INF, +ACK, +HBD. The report mask leaves fields out and
 * models differ in what stands between the id and the place, so the place is found by its form: longitude, latitude
 * (millionths of a degree) and a time of seven bytes that is one. Send time, count number, checksum (2), 0D 0A end all.
 */
const TRAILER = 2 + 2;
const SEND_TIME = 7 + 2;
/** Where the eight bytes of the id stand when nothing before them is masked out. */
const ID_AT: Readonly<Record<string, number>> = { '+INF': 9, '+ACK': 12, '+HBD': 11 };
const LOCATION_ID_AT = 16;
const BUFFERED = new Set(['+BSP', '+BVT', '+BNF', '+BRD']);

export function decodeBinary(frame: Uint8Array, session: Session): Decoded {
  const end = frame.length - TRAILER;
  if (end < 4 + SEND_TIME) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  if (view.getUint16(end + 2) !== 0x0d0a) return errorIn('bad-field', end + 2);
  if (view.getUint16(end) !== crc16Ccitt(frame, 4, end)) return errorIn('bad-checksum', end);
  const header = headerOf(frame);
  const imei = readIdentity(frame, ID_AT[header] ?? LOCATION_ID_AT) ?? session.imei;
  if (imei === null) return errorIn('not-signed-in', 0);
  const who: DecodedMessage = { kind: 'login', imei };
  if (header === '+HBD') return silent([who, { kind: 'heartbeat', attributes: {} }]);
  if (header === '+ACK') {
    return silent([who, { kind: 'reply', text: `command ${view.getUint8(4)} accepted`, reference: null }]);
  }
  if (header === '+INF' || header === '+BNF') return silent([who, information(frame)]);
  const found = locations(frame, end - SEND_TIME, header);
  if (found.length === 0) return errorIn('bad-field', LOCATION_ID_AT);
  return silent([who, ...found]);
}

/** Each two digits of the IMEI are the value of a byte, the fifteenth is one alone. Null for a device's name. */
function readIdentity(frame: Uint8Array, at: number): string | null {
  const bytes = frame.subarray(at, at + 8);
  if (bytes.length < 8) return null;
  const pairs = [...bytes.subarray(0, 7)];
  const last = bytes[7] ?? 99;
  if (pairs.some(pair => pair > 99) || last > 9) return null;
  const digits = pairs.map(pair => String(pair).padStart(2, '0')).join('') + last;
  return /^0{6}/.test(digits) ? null : digits;
}

/** Type of message, mask 2, length 2, id 8, device type 1, protocol 2, firmware 2, hardware 2. */
function information(frame: Uint8Array): DecodedMessage {
  const reader = new Reader(frame, 17);
  const [deviceType, , firmware, hardware] = [reader.u8(), reader.u16(), reader.u16(), reader.u16()];
  const name = ascii(frame.subarray(9, 17));
  return {
    kind: 'heartbeat',
    attributes: {
      ...(readIdentity(frame, 9) === null && name !== '' ? { deviceName: name } : {}),
      deviceType,
      firmware: firmware.toString(16).toUpperCase().padStart(4, '0'),
      hardware: hardware.toString(16).toUpperCase().padStart(4, '0'),
    },
  };
}

/** Accuracy 1, speed 3, azimuth 2, altitude 2 stand before the longitude; MCC, MNC, LAC, cell and a reserved byte behind. */
const BEFORE = 8;
const PLACE_BYTES = BEFORE + 8 + 7 + 8 + 1;

function locations(frame: Uint8Array, end: number, header: string): PositionMessage[] {
  const view = viewOf(frame);
  const buffered = BUFFERED.has(header);
  let at = LOCATION_ID_AT + 8 + BEFORE;
  while (at + 15 <= end && !isPlace(view, at)) at++;
  const found: PositionMessage[] = [];
  for (; at + 15 <= end && isPlace(view, at); at += PLACE_BYTES) found.push(position(view, at, end, buffered));
  const notes = notesBefore(view, header, found.length > 0 ? at - found.length * PLACE_BYTES - BEFORE : 0);
  return found.map((each, i) =>
    i < found.length - 1 ? each : { ...each, attributes: { ...each.attributes, ...notes } },
  );
}

function isPlace(view: DataView, at: number): boolean {
  const [lon, lat] = [view.getInt32(at), view.getInt32(at + 4)];
  return Math.abs(lon) <= 180e6 && Math.abs(lat) <= 90e6 && timeAt(view, at + 8) !== null;
}

/** Year in two bytes, month, day, hour, minute, second. */
function timeAt(view: DataView, at: number): EpochMs | null {
  const year = view.getUint16(at);
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = [2, 3, 4, 5, 6].map(i => view.getUint8(at + i));
  if (year < 2000 || year > 2099 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return new Date(time).getUTCDate() === day ? epochMs(time) : null;
}

function position(view: DataView, at: number, end: number, replayed: boolean): PositionMessage {
  const accuracy = view.getUint8(at - 8);
  const tower = at + 15;
  const [mcc, mnc, lac, cell] = tower + 8 <= end ? [0, 2, 4, 6].map(i => view.getUint16(tower + i)) : [];
  // MCC and MNC are written as the digits of a hexadecimal number: 0x0310 is 310.
  const decimal = (digits: number): number => Number.parseInt(digits.toString(16), 10);
  const known = mcc !== undefined && mcc !== 0 && mnc !== undefined && /^\d+$/.test(mcc.toString(16));
  return positionOf({
    time: timeAt(view, at + 8) ?? epochMs(0),
    valid: accuracy !== 0,
    hdop: accuracy === 0 ? null : accuracy,
    lon: degrees(view.getInt32(at) / 1e6),
    lat: degrees(view.getInt32(at + 4) / 1e6),
    speed: fromKilometresPerHour(view.getUint16(at - 7) + view.getUint8(at - 5) / 10),
    course: degrees(view.getUint16(at - 4)),
    altitude: metres(view.getInt16(at - 2)),
    attributes: {
      ...(known ? { cell: `${decimal(mcc)}-${decimal(mnc)}-${lac}-${cell}` } : {}),
      ...(replayed ? { replayed } : {}),
    },
  });
}

/** Before the first place: motion status, satellites, report id and type (+RSP only), number of places. */
function notesBefore(view: DataView, header: string, at: number): Record<string, string | number | boolean> {
  if (at < LOCATION_ID_AT + 8 + 4) return {};
  const event = header === '+EVT' || header === '+BVT';
  const motion = view.getUint8(at - (event ? 3 : 4)).toString(16);
  const notes: Record<string, string | number | boolean> = { [event ? 'eventCode' : 'reportCode']: view.getUint8(4) };
  if (/^[124][12]$/.test(motion)) notes.movement = motion[1] === '2';
  return notes;
}

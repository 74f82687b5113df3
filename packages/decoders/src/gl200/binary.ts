import { ascii, hex, Reader, viewOf } from '../bytes.ts';
import { crc16Ccitt } from '../crc16.ts';
import { errorIn, silent } from '../outcome.ts';
import type { Decoded, DecodedMessage, Session } from '../protocol.ts';
import { locationIdAt, readLocations } from './binary-location.ts';
import { headerOf } from './frame.ts';

/**
 * "HEX Format" of GV200 and similar models: +RSP and +EVT (with a position), +INF, +ACK, +HBD. All end with send time,
 * count number, checksum (2), 0D 0A.
 */
const TRAILER = 2 + 2;
const SEND_TIME = 7 + 2;
/** Offset of the eight-byte id if nothing before it is masked out. */
const ID_AT: Readonly<Record<string, number>> = { '+INF': 9, '+ACK': 12, '+HBD': 11 };
const BUFFERED = new Set(['+BSP', '+BVT', '+BNF', '+BRD']);

export function decodeBinary(frame: Uint8Array, session: Session): Decoded {
  const end = frame.length - TRAILER;
  if (end < 4 + SEND_TIME) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  if (view.getUint16(end + 2) !== 0x0d0a) return errorIn('bad-field', end + 2);
  if (view.getUint16(end) !== crc16Ccitt(frame, 4, end)) return errorIn('bad-checksum', end);
  const header = headerOf(frame);
  const idAt = ID_AT[header] ?? locationIdAt(frame);
  const imei = (idAt === null ? null : readIdentity(frame, idAt)) ?? session.imei;
  if (imei === null) return errorIn('not-signed-in', 0);
  const who: DecodedMessage = { kind: 'login', imei };
  if (header === '+HBD') return silent([who, { kind: 'heartbeat', attributes: {} }]);
  if (header === '+ACK') {
    return silent([who, { kind: 'reply', text: `command ${view.getUint8(4)} accepted`, reference: null }]);
  }
  if (header === '+INF' || header === '+BNF') return silent([who, information(frame)]);
  const event = header === '+EVT' || header === '+BVT';
  const found = readLocations(frame, end - SEND_TIME, { event, replayed: BUFFERED.has(header) });
  return silent([who, ...(found.length > 0 ? found : [unread(frame, end)])]);
}

/** Each byte is two digits of the IMEI; the last byte is the fifteenth digit alone. Null for a device name. */
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

const MOST_BYTES = 256;

/** A report without a recognizable position, such as a list of differences, is kept as sent. */
const unread = (frame: Uint8Array, end: number): DecodedMessage => ({
  kind: 'status',
  time: null,
  event: null,
  attributes: { reportCode: frame[4] ?? 0, data: hex(frame.subarray(5, Math.min(end, 5 + MOST_BYTES))) },
});

import type { EpochMs } from '@milepost/units';
import { hex, Reader } from '../bytes.ts';
import { errorIn, silent } from '../outcome.ts';
import type { Decoded, DecodedMessage, Session } from '../protocol.ts';
import { readStations } from './cells.ts';
import { positionAt, readFix, readPackedTime } from './fix.ts';
import { noted } from './packet.ts';
import { scanTopin, TOPIN } from './topin-frame.ts';

/** The related protocol without serial number and checksum, see `topin-frame.ts`. */

const START = [0x78, 0x78] as const;
const STOP = [0x0d, 0x0a] as const;
const LOGIN_ACCEPTED = 0x01;
const LOGIN_REFUSED = 0x44;
const LONGEST_STATUS = 9;

/** Decodes the frame if it is one of these; otherwise null. */
export function decodeTopin(frame: Uint8Array, session: Session): Decoded | null {
  const length = frame[2] ?? 0;
  const type = frame[3];
  const bare = frame.length === length + 5;
  if (type === TOPIN.heartbeat && length === 1) return silent([{ kind: 'heartbeat', attributes: {} }]);
  if (type === TOPIN.time && length === 1) return timeReply(session.receivedAt);
  if (type === TOPIN.status && bare && length > 1 && length <= LONGEST_STATUS) return status(frame);
  if (scanTopin(frame) !== frame.length) return null;
  if (type === TOPIN.login) return login(frame);
  if (session.imei === null) return errorIn('not-signed-in', 0);
  const message = type === TOPIN.gpsOnline || type === TOPIN.gpsOffline ? fix(frame) : cells(frame, length);
  return message ? { messages: [message], acknowledgement: echoTime(frame), refusal: null } : errorIn('bad-field', 4);
}

function login(frame: Uint8Array): Decoded {
  const imei = hex(frame.subarray(4, 12)).slice(1);
  if (!/^\d{15}$/.test(imei)) return errorIn('bad-field', 4);
  return {
    messages: [{ kind: 'login', imei }],
    acknowledgement: Uint8Array.of(...START, 1, LOGIN_ACCEPTED, ...STOP),
    refusal: Uint8Array.of(...START, 1, LOGIN_REFUSED, ...STOP),
  };
}

function fix(frame: Uint8Array): DecodedMessage | null {
  const read = readFix(new Reader(frame, 4));
  return read && positionAt(read);
}

function cells(frame: Uint8Array, stations: number): DecodedMessage {
  const reader = new Reader(frame, 4, frame.length - 2);
  const time = readPackedTime(reader);
  const wifi = readStations(reader, stations);
  const count = reader.u8();
  const mcc = reader.u16();
  const mnc = reader.u8();
  const towers: string[] = [];
  for (let i = 0; i < count && !reader.overrun; i++) {
    towers.push(`${mcc}-${mnc}-${reader.u16()}-${reader.u16()}:${reader.u8()}`);
  }
  return { kind: 'status', time, event: null, attributes: noted({ wifi, cells: towers.join(' ') }) };
}

/** A status report is answered with a copy of itself. Its first byte is the battery in percent. */
const status = (frame: Uint8Array): Decoded => ({
  messages: [{ kind: 'heartbeat', attributes: { batteryLevel: frame[4] ?? 0 } }],
  acknowledgement: frame.slice(),
  refusal: null,
});

/** Start, zero, type, the report's time, stop. */
const echoTime = (frame: Uint8Array): Uint8Array =>
  Uint8Array.of(...START, 0, frame[3] ?? 0, ...frame.subarray(4, 10), ...STOP);

function timeReply(now: EpochMs): Decoded {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const parts = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return {
    messages: [{ kind: 'heartbeat', attributes: {} }],
    acknowledgement: Uint8Array.of(...START, 7, TOPIN.time, year >> 8, year & 0xff, ...parts, ...STOP),
    refusal: null,
  };
}

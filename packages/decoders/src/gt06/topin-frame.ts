import { viewOf } from '../bytes.ts';

/**
 * A related protocol with the same start and stop bytes (Topin, "Zhongxun Locator Communication Protocol", 365GPS): no
 * serial number, no checksum, and a length byte that often means something else. Such a frame is recognized by its
 * form, and only if the bytes are not a GT06 frame.
 */
export const TOPIN = {
  login: 0x01,
  heartbeat: 0x08,
  gpsOnline: 0x10,
  gpsOffline: 0x11,
  status: 0x13,
  cellsOffline: 0x17,
  time: 0x30,
  cellsOnline: 0x69,
} as const;

const STOP = 0x0d0a;
const LOGIN_LENGTH = 0x0d;
/** Start 2, length 1, number 1, IMEI 8, version 1, stop 2. */
const TOPIN_LOGIN_BYTES = 15;
/** Time 6, satellites 1, latitude 4, longitude 4, speed 1, course and status 2. */
const TOPIN_FIX_BYTES = 18;
const WIFI_BYTES = 7;
const CELL_BYTES = 5;

/** Where the frame ends; `more` if it may end later; `none` if the bytes are not of this protocol. */
export function scanTopin(buffer: Uint8Array): number | 'more' | 'none' {
  if (buffer.length < 4) return 'more';
  const length = buffer[2] ?? 0;
  switch (buffer[3]) {
    case TOPIN.login:
      return length === LOGIN_LENGTH ? endsAt(buffer, TOPIN_LOGIN_BYTES) : 'none';
    case TOPIN.gpsOnline:
    case TOPIN.gpsOffline:
      // Unlike in the document, the length counts what follows the protocol number.
      return length >= TOPIN_FIX_BYTES ? endsAt(buffer, length + 6) : 'none';
    case TOPIN.cellsOffline:
    case TOPIN.cellsOnline:
      return scanCells(buffer, length);
    default:
      return 'none';
  }
}

/** The length byte is the number of Wi-Fi stations; a byte after them is the number of cells. */
function scanCells(buffer: Uint8Array, stations: number): number | 'more' | 'none' {
  const countAt = 4 + 6 + stations * WIFI_BYTES;
  const cells = buffer[countAt];
  if (cells === undefined) return 'more';
  const end = countAt + 1 + 3 + cells * CELL_BYTES + 2;
  for (let more = 0; more <= MOST_ALARM_BYTES; more++) {
    const found = endsAt(buffer, end + more);
    if (found !== 'none') return found;
  }
  return 'none';
}

/** Since V1.2 alarms may follow the cells; the document does not say in how many bytes. */
const MOST_ALARM_BYTES = 4;

function endsAt(buffer: Uint8Array, end: number): number | 'more' | 'none' {
  if (buffer.length < end) return 'more';
  return viewOf(buffer).getUint16(end - 2) === STOP ? end : 'none';
}

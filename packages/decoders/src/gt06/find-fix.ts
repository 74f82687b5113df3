import { hex, Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { readCell } from './cells.ts';
import { FIX_BYTES, type Fix, isOnEarth, positionAt, readFix } from './fix.ts';
import { noted } from './packet.ts';

/**
 * Finds a fix anywhere in a packet. Every maker writes the block the same way, but some put it after an IMEI or bytes
 * of their own, or under undocumented protocol numbers. Other bytes look like one, with a time, two coordinates on
 * Earth, a course and the two bits that the documents leave clear, only once in billions. Some makers put inputs into
 * these two bits: where a fix usually is, a block with its length is recognized without them.
 */
interface Found {
  readonly fix: Fix;
  readonly end: number;
}

/** A tracker without its fix after an IMEI, a byte and an IMEI, four bytes. */
const USUAL = new Set([0, 4, 8, 9]);
const IMEI_BYTES = 8;
const SATELLITES_AT = 6;
const STATUS_AT = 16;
const UNUSED_BITS = 0xc0;
const EARLIEST = Date.UTC(2008, 0);
const LATEST = Date.UTC(2060, 0);

const POSITIONED = 0x10;
/** The upper half of the satellite byte: the length of the block. */
const LENGTH = 0x0c;
/** If the packet has towers after its time, this byte is the country code. */
const isCountry = (byte: number): boolean => (byte & 0x7f) <= 0x03;

/** Recognized by its length, or, at a usual position, by the tracker's flag that it has a fix. */
function isBlock(bytes: Uint8Array, at: number, isUsual: boolean): boolean {
  const count = bytes[at + SATELLITES_AT] ?? 0;
  const status = bytes[at + STATUS_AT] ?? 0;
  const hasLength = count >> 4 === LENGTH;
  if ((status & UNUSED_BITS) !== 0) return isUsual && hasLength;
  return hasLength || (isUsual && !isCountry(count) && (status & POSITIONED) !== 0);
}

function fixAt(bytes: Uint8Array, at: number, end: number, isUsual: boolean): Fix | null {
  if (!isBlock(bytes, at, isUsual)) return null;
  const fix = readFix(new Reader(bytes, at, end));
  if (fix === null || !isOnEarth(fix) || fix.lat === 0 || fix.lon === 0 || (fix.course ?? 0) > 360) return null;
  return fix.time >= EARLIEST && fix.time < LATEST ? fix : null;
}

function findFix({ bytes, at: from, end }: Reader): Found | null {
  for (let at = from; at + FIX_BYTES <= end; at++) {
    const fix = fixAt(bytes, at, end, USUAL.has(at - from));
    if (fix) return { fix, end: at + FIX_BYTES };
  }
  return null;
}

/** Offset of the first fix in the content; null if there is none. */
export function fixBegin(content: Reader): number | null {
  const found = findFix(content);
  return found && found.end - FIX_BYTES - content.at;
}

/**
 * `content` is everything between the protocol number and the serial number. Null if it contains no fix. `defined` is
 * what the type defines; if the packet begins with the fix, that was read from bytes of the fix and is dropped.
 */
export function anyFix(content: Reader, defined?: DecodedMessage | null): DecodedMessage | null {
  const found = findFix(content);
  if (found === null) return null;
  const beside = found.end === content.at + FIX_BYTES ? null : defined;
  const head = hex(content.bytes.subarray(content.at, content.at + IMEI_BYTES));
  const imei = /^0\d{15}$/.test(head) ? head.slice(1) : null;
  const cell = readCell(new Reader(content.bytes, found.end, content.end), '2g');
  const known = beside?.kind === 'status' || beside?.kind === 'heartbeat' ? beside.attributes : {};
  const event = beside?.kind === 'status' ? beside.event : null;
  return positionAt(found.fix, { event, attributes: { ...noted({ imei, cell }), ...known } });
}

import { hex, Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { readCell } from './cells.ts';
import { FIX_BYTES, type Fix, isOnEarth, positionAt, readFix } from './fix.ts';
import { noted } from './packet.ts';

/**
 * The block of a fix wherever it stands in a packet. Every maker writes it the same way, and puts it behind an IMEI,
 * behind bytes of its own, and under protocol numbers that no document at hand names. That other bytes look like one,
 * with a time, two coordinates on Earth, a course and the two bits that are never set, happens once in billions.
 */
interface Found {
  readonly fix: Fix;
  readonly end: number;
}

/** A tracker without its fix behind an IMEI, a byte and an IMEI, four bytes. */
const USUAL = new Set([0, 4, 8, 9]);
const IMEI_BYTES = 8;
const SATELLITES_AT = 6;
const STATUS_AT = 16;
const UNUSED_BITS = 0xc0;
const EARLIEST = Date.UTC(2008, 0);
const LATEST = Date.UTC(2060, 0);

const POSITIONED = 0x10;
/** The upper half of the count of satellites: the length of the block. */
const LENGTH = 0x0c;
/** A country's code stands there where the packet has towers behind its time. */
const isCountry = (byte: number): boolean => (byte & 0x7f) <= 0x03;

/** By its length, or where a fix mostly stands, by the tracker's word that it has one. */
function isBlock(bytes: Uint8Array, at: number, isUsual: boolean): boolean {
  const count = bytes[at + SATELLITES_AT] ?? 0;
  const status = bytes[at + STATUS_AT] ?? 0;
  if ((status & UNUSED_BITS) !== 0) return false;
  return count >> 4 === LENGTH || (isUsual && !isCountry(count) && (status & POSITIONED) !== 0);
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

/** How far into the content the first fix begins; null where none stands in it. */
export function fixBegin(content: Reader): number | null {
  const found = findFix(content);
  return found && found.end - FIX_BYTES - content.at;
}

/** `content` is all that is between the protocol number and the serial number. Null where no fix stands in it. */
export function anyFix(content: Reader, beside?: DecodedMessage | null): DecodedMessage | null {
  const found = findFix(content);
  if (found === null) return null;
  const head = hex(content.bytes.subarray(content.at, content.at + IMEI_BYTES));
  const imei = /^0\d{15}$/.test(head) ? head.slice(1) : null;
  const cell = readCell(new Reader(content.bytes, found.end, content.end), '2g');
  const told = beside?.kind === 'status' || beside?.kind === 'heartbeat' ? beside.attributes : {};
  const event = beside?.kind === 'status' ? beside.event : null;
  return positionAt(found.fix, { event, attributes: { ...noted({ imei, cell }), ...told } });
}

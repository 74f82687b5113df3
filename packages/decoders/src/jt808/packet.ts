import { hex, Reader, viewOf } from '../bytes.ts';
import type { DecodeErrorCode } from '../protocol.ts';
import { bodyBytes, FLAG, headerBytes, isParted, isVersioned, unescaped, xor } from './frame.ts';

export interface Packet {
  readonly id: number;
  /** The tracker's ID, from `identityOf`. */
  readonly identity: string;
  readonly serial: number;
  /** Header of JT/T 808-2019. */
  readonly versioned: boolean;
  readonly part: { readonly total: number; readonly index: number } | null;
  readonly body: Uint8Array;
}

export type Unpacked = { readonly packet: Packet } | { readonly error: DecodeErrorCode; readonly at: number };

/** Jointech locks (0x55…) have a one-byte serial number. */
const isLock = (id: number): boolean => id >> 8 === 0x55;

/**
 * A packet between its flags. The checksum is the exclusive or of all bytes before it (JT/T 808-2013 §4.4.4). Some
 * recorded trackers do not escape 0x7D: if only the raw bytes have the stated length, they are used. The length is not
 * always right: of the two, one whose checksum holds counts, and everything covered by it is read.
 */
export function unpack(bytes: Uint8Array): Unpacked {
  if (bytes.length < 2 || bytes[0] !== FLAG || bytes[bytes.length - 1] !== FLAG) return { error: 'bad-field', at: 0 };
  const plain = unescaped(bytes, 1, bytes.length - 1, bytes.length);
  const raw = bytes.subarray(1, -1);
  const forms = raw.length !== plain.length && !fits(plain) && fits(raw) ? [raw, plain] : [plain, raw];
  const content = forms.find(holds) ?? forms[0] ?? plain;
  const view = viewOf(content);
  if (content.length < 5) return { error: 'too-short', at: bytes.length };
  const id = view.getUint16(0);
  const properties = view.getUint16(2);
  const { hasVersion, phone } = headOf(content, properties);
  const head = 4 + (hasVersion ? 1 : 0) + phone + 2 + (isParted(properties) ? 4 : 0) - (isLock(id) ? 1 : 0);
  if (content.length < head + 1) return { error: 'too-short', at: bytes.length };
  const end = content.length - 1;
  if (xor(content, end) !== content[end]) return { error: 'bad-checksum', at: bytes.length - 2 };
  const reader = new Reader(content, 4, end);
  if (hasVersion) reader.skip(1);
  const versioned = isVersioned(properties) || phone === LONG;
  const identity = identityOf(hex(reader.take8(phone)));
  const serial = isLock(id) ? reader.u8() : reader.u16();
  const part = isParted(properties) ? { total: reader.u16(), index: reader.u16() } : null;
  return { packet: { id, identity, serial, versioned, part, body: reader.rest() } };
}

const SHORT = 6;
const LONG = 10;

/** What comes before the serial number. */
interface Head {
  readonly hasVersion: boolean;
  /** Bytes of the phone number. */
  readonly phone: typeof SHORT | typeof LONG;
}

/** As the version's bit says, unless the stated length of the body shows that the header has the other form. */
export function headOf(content: Uint8Array, properties: number): Head {
  const announced = content.length - 1 - bodyBytes(properties) - (isParted(properties) ? 4 : 0);
  const head: Head = isVersioned(properties) ? { hasVersion: true, phone: LONG } : { hasVersion: false, phone: SHORT };
  const others: readonly Head[] = [
    { hasVersion: false, phone: SHORT },
    { hasVersion: false, phone: LONG },
    { hasVersion: true, phone: LONG },
  ];
  const bytesOf = ({ hasVersion, phone }: Head): number => 4 + (hasVersion ? 1 : 0) + phone + 2;
  return bytesOf(head) === announced ? head : (others.find(other => bytesOf(other) === announced) ?? head);
}

const holds = (content: Uint8Array): boolean =>
  content.length > 1 && xor(content, content.length - 1) === content[content.length - 1];

function fits(content: Uint8Array): boolean {
  if (content.length < 5) return false;
  const view = viewOf(content);
  const properties = view.getUint16(2);
  return content.length === headerBytes(properties) + bodyBytes(properties) + 1;
}

/**
 * The tracker's ID from the packed phone number. Before 2019 it has 12 digits; since then 20, of which trackers without
 * a phone number use the last 15 for their IMEI. Some recorded trackers put the 14 digits of their IMEI, without the
 * check digit, into the six bytes as a binary number, which shows as a digit above nine.
 */
export function identityOf(digits: string): string {
  if (digits.length === 20 && digits.startsWith('00000')) return digits.slice(5);
  return /^\d*$/.test(digits) ? digits : String(Number.parseInt(digits, 16)).padStart(14, '0');
}

/** The inverse: the header's digits for an identity, and whether the header is the 2019 one. */
export function phoneOf(identity: string): { readonly digits: string; readonly versioned: boolean } {
  if (identity.length === 14) return { digits: Number(identity).toString(16).padStart(12, '0'), versioned: false };
  if (identity.length > 14) return { digits: identity.padStart(20, '0'), versioned: true };
  return { digits: identity.padStart(12, '0'), versioned: false };
}

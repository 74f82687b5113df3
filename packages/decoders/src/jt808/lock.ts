import { degrees, type EpochMs, fromKilometres, fromKilometresPerHour } from '@milepost/units';
import { hex, type Reader } from '../bytes.ts';
import { momentOf } from '../calendar.ts';
import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';

/**
 * 0x5501 and 0x5502 of container locks (Jointech JT701 and JT709 type), known only from recordings: day first and UTC,
 * degrees and minutes in packed decimals with flags in the last half byte, speed, half the course, signal, satellites,
 * mileage in km, battery with its highest bit for charging, ten bytes, then items with number and length.
 */
const FIXED_BYTES = 35;
/** Time and position, speed and course; the rest may be missing. */
const PLACE_BYTES = 17;
const FLAGS = { valid: 1, north: 2, east: 4 } as const;
const UNLOCK = 0x0b;
const MAX_CSQ = 31;

export function readLock(reader: Reader): DecodedMessage | null {
  if (reader.remaining < PLACE_BYTES) return null;
  const time = timeOf(hex(reader.take8(6)));
  const lat = minutesOf(hex(reader.take8(4)), 2);
  const east = hex(reader.take8(5));
  const lon = minutesOf(east.slice(0, 9), 3);
  const flags = Number.parseInt(east.slice(9), 16);
  const speed = reader.u8();
  const course = reader.u8() * 2;
  if (time === null || lat === null || lon === null) return null;
  const { gsm, satellites, odometer, attributes } = readState(reader);
  return positionOf({
    time,
    valid: (flags & FLAGS.valid) !== 0,
    lat: degrees(flags & FLAGS.north ? lat : 0 - lat),
    lon: degrees(flags & FLAGS.east ? lon : 0 - lon),
    speed: fromKilometresPerHour(speed),
    course: degrees(course),
    satellites,
    gsm,
    odometer,
    attributes,
  });
}

/** Signal, satellites, mileage, battery, and the rest. */
function readState(reader: Reader) {
  if (reader.remaining < FIXED_BYTES - PLACE_BYTES)
    return { gsm: null, satellites: null, odometer: null, attributes: {} };
  const gsm = reader.u8();
  const satellites = reader.u8();
  const odometer = fromKilometres(reader.u32());
  const battery = reader.u8();
  const attributes: Record<string, string | number | boolean> = {
    batteryLevel: battery & 0x7f,
    charging: (battery & 0x80) !== 0,
  };
  reader.skip(FIXED_BYTES - 24);
  readItems(reader, attributes);
  return { gsm: gsm <= MAX_CSQ ? gsm : null, satellites, odometer, attributes };
}

function readItems(reader: Reader, attributes: Record<string, string | number | boolean>): void {
  while (reader.remaining >= 2) {
    const id = reader.u8();
    const length = reader.u8();
    if (length > reader.remaining) return;
    const bytes = reader.take8(length);
    if (id === UNLOCK && length >= 2) {
      attributes.unlockMeans = bytes[0] ?? 0;
      attributes.unlockResult = bytes[length - 1] ?? 0;
    } else attributes[`item${hex(Uint8Array.of(id))}`] = hex(bytes.subarray(0, 32));
  }
}

function timeOf(digits: string): EpochMs | null {
  if (!/^\d{12}$/.test(digits)) return null;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = digits.match(/../g)?.map(Number) ?? [];
  return momentOf(2000 + year, month, day, hour, minute, second);
}

/** Degrees, then minutes with four decimals. */
const minutesOf = (digits: string, degreeDigits: number): number | null =>
  /^\d+$/.test(digits)
    ? Number(digits.slice(0, degreeDigits)) + Number(digits.slice(degreeDigits)) / 10_000 / 60
    : null;

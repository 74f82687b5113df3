import { type Degrees, degrees, type EpochMs, fromKilometresPerHour, type MetresPerSecond } from '@milepost/units';
import type { Reader } from '../bytes.ts';
import { momentOf } from '../calendar.ts';
import type { PositionMessage } from '../protocol.ts';

/** The block that all packets with a position share: time, satellites, coordinates, speed, course and status. */
export interface Fix {
  readonly time: EpochMs;
  readonly valid: boolean;
  readonly lat: Degrees;
  readonly lon: Degrees;
  readonly speed: MetresPerSecond | null;
  readonly course: Degrees | null;
  readonly satellites: number | null;
}

export const FIX_BYTES = 18;
export const TIME_BYTES = 6;

/** Thirty-thousandths of a minute. */
const COORDINATE_SCALE = 1_800_000;

/** Year from 2000, month, day, hour, minute, second, one byte each; null if that is not a time. */
export function readTime(reader: Reader): EpochMs | null {
  const parts = reader.take8(TIME_BYTES);
  return reader.overrun ? null : timeOf([...parts]);
}

/** The same in packed decimals. */
export function readPackedTime(reader: Reader): EpochMs | null {
  const parts = reader.take8(TIME_BYTES);
  return reader.overrun ? null : timeOf([...parts].map(byte => (byte >> 4) * 10 + (byte & 15)));
}

function timeOf(parts: readonly number[]): EpochMs | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return year < 100 ? momentOf(2000 + year, month, day, hour, minute, second) : null;
}

/** The whole block of 18 bytes; null if its time is invalid. */
export function readFix(reader: Reader): Fix | null {
  const time = readTime(reader);
  const satellites = readSatellites(reader);
  const place = readPlace(reader);
  const speed = fromKilometresPerHour(reader.u8());
  const status = readStatusWord(reader);
  return time === null ? null : fixOf(time, satellites, place, speed, status);
}

/** The upper half is the length of the block. */
export const readSatellites = (reader: Reader): number => reader.u8() & 0x0f;

interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Without signs, which are in the status word. */
export const readPlace = (reader: Reader): Place => ({
  lat: reader.u32() / COORDINATE_SCALE,
  lon: reader.u32() / COORDINATE_SCALE,
});

interface StatusWord {
  readonly valid: boolean;
  readonly north: boolean;
  readonly west: boolean;
  readonly course: number;
}

/** "Course & Status": ten bits of course, then north, west, positioned, differential. */
export function readStatusWord(reader: Reader): StatusWord {
  const word = reader.u16();
  return {
    valid: (word & 0x1000) !== 0,
    west: (word & 0x0800) !== 0,
    north: (word & 0x0400) !== 0,
    course: word & 0x03ff,
  };
}

export const fixOf = (
  time: EpochMs,
  satellites: number | null,
  place: Place,
  speed: MetresPerSecond | null,
  status: StatusWord,
): Fix => ({
  time,
  satellites,
  valid: status.valid,
  lat: degrees(status.north ? place.lat : 0 - place.lat),
  lon: degrees(status.west ? 0 - place.lon : place.lon),
  speed,
  course: degrees(status.course),
});

/** Rarely true for other bytes read as a fix. */
export const isOnEarth = ({ lat, lon }: Pick<Fix, 'lat' | 'lon'>): boolean =>
  Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

/** What packets add to a fix. */
export type Beside = Partial<
  Pick<PositionMessage, 'ignition' | 'odometer' | 'temperature' | 'gsm' | 'event' | 'rfid' | 'attributes'>
>;

export const positionAt = (fix: Fix, beside: Beside = {}): PositionMessage => ({
  kind: 'position',
  time: fix.time,
  valid: fix.valid,
  lat: fix.lat,
  lon: fix.lon,
  speed: fix.speed,
  course: fix.course,
  altitude: null,
  satellites: fix.satellites,
  hdop: null,
  ignition: beside.ignition ?? null,
  odometer: beside.odometer ?? null,
  fuel: null,
  temperature: beside.temperature ?? null,
  gsm: beside.gsm ?? null,
  event: beside.event ?? null,
  rfid: beside.rfid ?? null,
  attributes: beside.attributes ?? {},
});

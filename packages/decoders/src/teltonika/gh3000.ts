import {
  type Degrees,
  degrees,
  epochMs,
  fromKilometresPerHour,
  type Metres,
  type MetresPerSecond,
  metres,
} from '@milepost/units';
import { Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';

/**
 * Records of the personal trackers GH3000 and GH5200 (codec id 7): masks tell which fields follow. Elements are named
 * by their id, because their meaning is not documented.
 */
export const GH3000_CODEC = 0x07;

const EPOCH_2007_S = 1_167_609_600;
/** The two highest bits of the timestamp are the priority. */
const SECONDS_MASK = 0x3fff_ffff;

const HAS = { gnss: 1, oneByte: 2, twoBytes: 4, fourBytes: 8 } as const;
const GNSS = {
  place: 1,
  altitude: 2,
  angle: 4,
  speed: 8,
  satellites: 16,
  cell: 32,
  signal: 64,
  operator: 128,
} as const;

interface Fix {
  lat: Degrees | null;
  lon: Degrees | null;
  altitude: Metres | null;
  course: Degrees | null;
  speed: MetresPerSecond | null;
  satellites: number | null;
  gsm: number | null;
}

/**
 * The records between the two counts; null if not even the first one's fix fits. Where elements do not fit, the records
 * so far and the fix in front of them are kept, with an error, because the tracker would send the same again.
 */
export function decodeGh3000(
  bytes: Uint8Array,
  start: number,
  end: number,
): { messages: DecodedMessage[]; count: number } | null {
  const reader = new Reader(bytes, start + 1, end - 1);
  const count = reader.u8();
  const messages: DecodedMessage[] = [];
  for (let i = 0; i < count && !reader.overrun; i++) {
    const read = record(reader);
    if (read !== null) messages.push(read);
  }
  const isWhole = !reader.overrun && reader.remaining === 0 && bytes[end - 1] === count;
  if (!isWhole && messages.length === 0) return null;
  return { messages: isWhole ? messages : [...messages, { kind: 'error', code: 'bad-length', at: reader.at }], count };
}

/** Null if the fix is cut off; without the elements if only they are. */
function record(reader: Reader): DecodedMessage | null {
  const time = epochMs(((reader.u32() & SECONDS_MASK) + EPOCH_2007_S) * 1000);
  const has = reader.u8();
  const attributes: Record<string, string | number | boolean> = {};
  const fix: Fix = { lat: null, lon: null, altitude: null, course: null, speed: null, satellites: null, gsm: null };
  if (has & HAS.gnss) readFix(reader, fix, attributes);
  if (reader.overrun) return null;
  if (has & HAS.oneByte) elements(reader, attributes, () => reader.u8());
  if (has & HAS.twoBytes) elements(reader, attributes, () => reader.u16());
  if (has & HAS.fourBytes) elements(reader, attributes, () => reader.u32());
  const { lat, lon, satellites } = fix;
  if (lat === null || lon === null) return { kind: 'status', time, event: null, attributes };
  return {
    kind: 'position',
    time,
    valid: satellites !== 0,
    lat,
    lon,
    speed: fix.speed,
    course: fix.course,
    altitude: fix.altitude,
    satellites,
    hdop: null,
    ignition: null,
    odometer: null,
    fuel: null,
    temperature: null,
    gsm: fix.gsm,
    event: null,
    rfid: null,
    attributes,
  };
}

function readFix(reader: Reader, fix: Fix, attributes: Record<string, string | number | boolean>): void {
  const mask = reader.u8();
  if (mask & GNSS.place) {
    // Single precision has about 7 digits; more would be noise.
    fix.lat = degrees(Math.round(reader.f32() * 1e6) / 1e6);
    fix.lon = degrees(Math.round(reader.f32() * 1e6) / 1e6);
  }
  if (mask & GNSS.altitude) fix.altitude = metres(reader.i16());
  if (mask & GNSS.angle) fix.course = degrees((reader.u8() * 360) / 256);
  if (mask & GNSS.speed) fix.speed = fromKilometresPerHour(reader.u8());
  if (mask & GNSS.satellites) fix.satellites = reader.u8();
  if (mask & GNSS.cell) {
    attributes.areaCode = reader.u16();
    attributes.cellId = reader.u16();
  }
  if (mask & GNSS.signal) fix.gsm = Math.min(reader.u8(), 31);
  if (mask & GNSS.operator) attributes.operator = reader.u32();
}

function elements(reader: Reader, attributes: Record<string, string | number | boolean>, value: () => number): void {
  for (let left = reader.u8(); left > 0 && !reader.overrun; left--) {
    const name = `io${reader.u8()}`;
    const number = value();
    if (!reader.overrun) attributes[name] = number;
  }
}

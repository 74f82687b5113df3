import { degrees, epochMs, fromKilometresPerHour } from '@milepost/units';
import { hex, Reader } from '../bytes.ts';
import { momentOf } from '../calendar.ts';
import { errorIn, silent } from '../outcome.ts';
import { positionOf } from '../position.ts';
import { possible, withoutFix } from '../possible.ts';
import type { Attributes, Decoded, DecodedMessage } from '../protocol.ts';
import { alertOf } from './alert-ids.ts';
import { ZIP_ALERT } from './frame.ts';
import { csqOf } from './place.ts';

/**
 * "Zip (HEX, fixed length)" of the universal protocol: header, length 2, id 5 (packed decimals), report map 3, then the
 * fields of the text form that the map selects. An angle is a magnitude in millionths with the sign in its highest bit.
 * There is no checksum.
 */
export const SIZES = [5, 1, 3, 1, 3, 3, 4, 2, 2, 2, 1, 4, 4, 2, 2, 1, 1, 1, 1, 1, 1, 2] as const;
const NAMED = {
  firmware: 2,
  type: 3,
  date: 4,
  clock: 5,
  cell: 6,
  mcc: 7,
  mnc: 8,
  lac: 9,
  level: 10,
  lat: 11,
  lon: 12,
  speed: 13,
} as const;
const MORE = { course: 14, satellites: 15, fix: 16, inputs: 17, alert: 19 } as const;

const HEAD_BYTES = 3;
/** A heartbeat has the id but no map. */
const ID_BYTES = 5;
const MAP_BYTES = 3;

export function decodeZip(frame: Uint8Array): Decoded {
  if (frame.length < HEAD_BYTES + ID_BYTES) return errorIn('too-short', frame.length);
  const reader = new Reader(frame, HEAD_BYTES);
  const id = hex(reader.take8(ID_BYTES));
  if (!/^\d{10}$/.test(id)) return errorIn('bad-field', HEAD_BYTES);
  const who: DecodedMessage = { kind: 'login', imei: id };
  if (reader.remaining < MAP_BYTES) return silent([who, { kind: 'heartbeat', attributes: {} }]);
  const map = reader.u24();
  const fields = new Map<number, Uint8Array>();
  for (const [bit, size] of SIZES.entries()) {
    if (bit > 0 && (map & (1 << bit)) !== 0 && reader.remaining >= size) fields.set(bit, reader.take8(size));
  }
  const value = (bit: number): number | null => {
    const bytes = fields.get(bit);
    return bytes ? bytes.reduce((sum, byte) => sum * 256 + byte, 0) : null;
  };
  const [lat, lon] = [angle(value(NAMED.lat)), angle(value(NAMED.lon))];
  const time = timeOf(fields.get(NAMED.date), fields.get(NAMED.clock));
  const [speed, course, inputs] = [value(NAMED.speed), value(MORE.course), value(MORE.inputs)];
  const alert = frame[0] === ZIP_ALERT ? alertOf(value(MORE.alert) ?? 0) : { event: null, alarmCode: null };
  const mcc = value(NAMED.mcc);
  const attributes: Attributes = {
    ...(mcc ? { cell: `${mcc}-${value(NAMED.mnc)}-${value(NAMED.lac)}-${value(NAMED.cell)}` } : {}),
    ...(inputs === null ? {} : { input1: (inputs & 2) !== 0, input2: (inputs & 4) !== 0, input3: (inputs & 8) !== 0 }),
    ...(alert.alarmCode === null ? {} : { alarmCode: alert.alarmCode }),
    ...(fields.has(NAMED.firmware) ? { firmware: [...(fields.get(NAMED.firmware) ?? [])].join('.') } : {}),
    ...(value(NAMED.type) === 0 ? { replayed: true } : {}),
  };
  const hasPlace = lat !== null && lon !== null;
  const position = positionOf({
    time: time ?? epochMs(Number.NaN),
    // A map may leave it out, as in text.
    valid: (value(MORE.fix) ?? 1) === 1,
    lat: degrees(lat ?? 0),
    lon: degrees(lon ?? 0),
    speed: speed === null ? null : fromKilometresPerHour(speed / 100),
    course: course === null ? null : degrees(course / 100),
    satellites: value(MORE.satellites),
    gsm: mcc ? csqOf(value(NAMED.level)) : null,
    ignition: inputs === null ? null : (inputs & 1) !== 0,
    event: alert.event,
    attributes,
  });
  if (!hasPlace) return silent([who, withoutFix(position)]);
  return silent([who, time === null ? possible(position) : position]);
}

function angle(raw: number | null): number | null {
  if (raw === null) return null;
  const magnitude = (raw % 0x8000_0000) / 1e6;
  return raw >= 0x8000_0000 ? -magnitude : magnitude;
}

function timeOf(date: Uint8Array | undefined, clock: Uint8Array | undefined) {
  const [year = 0, month = 0, day = 0] = date ?? [];
  const [hour = 0, minute = 0, second = 0] = clock ?? [];
  return date && clock ? momentOf(2000 + year, month, day, hour, minute, second) : null;
}

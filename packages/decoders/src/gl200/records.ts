import { degrees, epochMs, fromKilometresPerHour, type Metres, metres } from '@milepost/units';
import { ascii, hex, Reader } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { errorIn, silent } from '../outcome.ts';
import { positionOf } from '../position.ts';
import type { Decoded, DecodedMessage } from '../protocol.ts';

/**
 * The format of the GL601 and similar models, "Report and its Configuration Command": 2B 00, length 2, flag 1, IMEI 8
 * (packed), device type 2, protocol 2, custom 1, reserved length 1 and data; records; frame count 2, one byte more,
 * `$`. A record: its length (itself counted) 1 or 2, time 4, count 2, id 1, event 1, then data items of id, length,
 * value. The checksum is not verified, because its calculation is not documented.
 */
const TRAILER = 4;
const TAIL = 0x24;
const MULTI_PACKET = 0x80;
const LONG_RECORD = 0x80;
/**
 * "Mini location" and "full location": fix state and mode, longitude, latitude, time, speed in tenths of km/h; the full
 * one has more fields after these. Without a fix they repeat the last one.
 */
const PLACES = new Set([0x51, 0x52]);
const PLACE_BYTES = 13;
const SPEED_BYTES = 2;
const FIX_STATE = 0b1100;
const FIXED = 0b1000;
const DEVICE_NAME = 0x02;
/** "Data 10", "Data 31" and "Data 34": percent, meters, seconds. An item without a value is empty. */
const BATTERY = 10;
const TOTAL_MILEAGE = 31;
const TOTAL_HOURS = 34;
/** 0 off, 1 on, 2 unknown. */
const IGNITION_STATUS = 27;
const HARSH_BEHAVIOR = 140;

function placeOf(value: Uint8Array) {
  const item = new Reader(value);
  const valid = (item.u8() & FIX_STATE) === FIXED;
  const [lon, lat, time] = [item.i32() / 1e6, item.i32() / 1e6, epochMs(item.u32() * 1000)];
  const speed = item.remaining >= SPEED_BYTES ? fromKilometresPerHour(item.u16() / 10) : null;
  return { valid, lon: degrees(lon), lat: degrees(lat), time, speed };
}

/** "Record ID" and its "Event Code", and the type in "Data 140", from the @Track protocols of GL601 and GV500CNA. */
const SHUTDOWN = 0x05;
const TOWED = 0x13;
/** "Internal Battery Information": charging started, full, stopped; low, too low. */
const INTERNAL_BATTERY = 0x20;
const BATTERY_EVENTS: readonly (TrackerEvent | null)[] = ['charging', null, null, 'batteryLow', 'batteryLow'];
const IGNITION_ON = 0x30;
const IDLING = 0x54;
const IDLING_EVENTS: readonly (TrackerEvent | null)[] = ['idling', 'idlingEnd', null];
/** Acceleration, braking, cornering; acceleration and braking in a corner. */
const HARSH_EVENTS: readonly (TrackerEvent | null)[] = [
  null,
  'harshAcceleration',
  'harshBraking',
  'harshCornering',
  'harshAcceleration',
  'harshBraking',
];

function eventOf(record: number, code: number): TrackerEvent | null {
  if (record === SHUTDOWN) return 'powerOff';
  if (record === TOWED) return 'towing';
  if (record === IGNITION_ON) return 'ignitionOn';
  if (record === INTERNAL_BATTERY) return BATTERY_EVENTS[code] ?? null;
  return record === IDLING ? (IDLING_EVENTS[code] ?? null) : null;
}

export function decodeRecords(frame: Uint8Array): Decoded {
  const end = frame.length - TRAILER;
  if (end < 19) return errorIn('too-short', frame.length);
  if (frame[frame.length - 1] !== TAIL) return errorIn('bad-field', frame.length - 1);
  const reader = new Reader(frame, 4, end);
  if (reader.u8() & MULTI_PACKET) reader.skip(2);
  const digits = hex(reader.take8(8));
  if (!/^0\d{15}$/.test(digits)) return errorIn('bad-field', 5);
  reader.skip(2 + 2 + 1);
  reader.skip(reader.u8());
  const messages: DecodedMessage[] = [{ kind: 'login', imei: digits.slice(1) }];
  while (reader.remaining > 0 && !reader.overrun) {
    const start = reader.at;
    const length = shortOrLong(reader);
    const stop = start + length;
    if (length < 9 || stop > end) return errorIn('bad-length', start);
    messages.push(record(new Reader(frame, reader.at, stop)));
    reader.at = stop;
  }
  return reader.overrun ? errorIn('too-short', reader.at) : silent(messages);
}

/** "Data ID" and "Data Length": one byte up to 7F, else two, of which the first has its highest bit set. */
function shortOrLong(reader: Reader): number {
  const first = reader.u8();
  return first & LONG_RECORD ? ((first & 0x7f) << 8) | reader.u8() : first;
}

/** "Heartbeat Data": 2B 10, length 1, IMEI, device type 2, protocol 2, custom 1, time 4, count 2, one byte, `$`. */
const LIFE_BYTES = 24;
export function decodeLife(frame: Uint8Array): Decoded {
  if (frame.length !== LIFE_BYTES) return errorIn('bad-length', 2);
  if (frame[frame.length - 1] !== TAIL) return errorIn('bad-field', frame.length - 1);
  const digits = hex(frame.subarray(3, 11));
  if (!/^0\d{15}$/.test(digits)) return errorIn('bad-field', 3);
  return silent([
    { kind: 'login', imei: digits.slice(1) },
    { kind: 'heartbeat', attributes: {} },
  ]);
}

function record(reader: Reader): DecodedMessage {
  const generated = epochMs(reader.u32() * 1000);
  reader.skip(2);
  const [recordId, eventCode] = [reader.u8(), reader.u8()];
  const attributes: Record<string, string | number | boolean> = { recordId, eventCode };
  let event = eventOf(recordId, eventCode);
  let place: ReturnType<typeof placeOf> | null = null;
  let ignition = event === 'ignitionOn' ? true : null;
  let odometer: Metres | null = null;
  while (reader.remaining >= 2) {
    const id = shortOrLong(reader);
    const value = reader.take8(shortOrLong(reader));
    if (reader.overrun) break;
    if (PLACES.has(id) && value.length >= PLACE_BYTES) {
      place = placeOf(value);
    } else if (id === IGNITION_STATUS && (value[0] === 0 || value[0] === 1)) {
      // The document's example of the event itself has the status before it.
      ignition ??= value[0] === 1;
    } else if (id === TOTAL_MILEAGE) odometer = value.length === 4 ? metres(new Reader(value).u32()) : odometer;
    else if (id === BATTERY || id === TOTAL_HOURS) {
      const [name, bytes] = id === BATTERY ? (['batteryLevel', 1] as const) : (['engineHours', 4] as const);
      const number = new Reader(value);
      if (value.length === bytes) attributes[name] = bytes === 1 ? number.u8() : number.u32();
    } else if (id === DEVICE_NAME) attributes.deviceName = ascii(value);
    else if (id === HARSH_BEHAVIOR && value.length > 0) event = HARSH_EVENTS[value[0] ?? 0] ?? event;
    else attributes[`data${id.toString(16).toUpperCase().padStart(2, '0')}`] = hex(value);
  }
  if (!place) {
    if (ignition !== null) attributes.ignition = ignition;
    if (odometer !== null) attributes.odometer = odometer;
    return { kind: 'status', time: generated, event, attributes };
  }
  // A repeated fix has its own time: with that, the event would look like a duplicate.
  const time = !place.valid && event !== null ? generated : place.time;
  return positionOf({ ...place, time, ignition, odometer, event, attributes });
}

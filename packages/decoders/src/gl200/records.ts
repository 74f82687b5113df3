import { degrees, epochMs } from '@milepost/units';
import { ascii, hex, Reader } from '../bytes.ts';
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
/** Data items with a position: a byte, longitude, latitude, time; the longer one has more fields after these. */
const PLACES = new Set([0x51, 0x52]);
const PLACE_BYTES = 13;
const DEVICE_NAME = 0x02;

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
    const first = reader.u8();
    const length = first & LONG_RECORD ? ((first & 0x7f) << 8) | reader.u8() : first;
    const stop = start + length;
    if (length < 9 || stop > end) return errorIn('bad-length', start);
    messages.push(record(new Reader(frame, reader.at, stop)));
    reader.at = stop;
  }
  return reader.overrun ? errorIn('too-short', reader.at) : silent(messages);
}

function record(reader: Reader): DecodedMessage {
  const generated = epochMs(reader.u32() * 1000);
  reader.skip(2);
  const attributes: Record<string, string | number | boolean> = { recordId: reader.u8(), eventCode: reader.u8() };
  let place: { lon: number; lat: number; time: number } | null = null;
  while (reader.remaining >= 2) {
    const id = reader.u8();
    const value = reader.take8(reader.u8());
    if (reader.overrun) break;
    if (PLACES.has(id) && value.length >= PLACE_BYTES) {
      const item = new Reader(value, 1);
      place = { lon: item.i32() / 1e6, lat: item.i32() / 1e6, time: item.u32() * 1000 };
    } else if (id === DEVICE_NAME) attributes.deviceName = ascii(value);
    else attributes[`data${hex(Uint8Array.of(id))}`] = hex(value);
  }
  if (!place) return { kind: 'status', time: generated, event: null, attributes };
  return positionOf({
    time: epochMs(place.time),
    valid: Math.abs(place.lon) <= 180 && Math.abs(place.lat) <= 90,
    lon: degrees(place.lon),
    lat: degrees(place.lat),
    attributes,
  });
}

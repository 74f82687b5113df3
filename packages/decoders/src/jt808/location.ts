import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import { possible } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { alarmsOf } from './alarms.ts';
import { angleOf, DATE_LINE, NORTH_POLE } from './angle.ts';
import { type Beside, nothingBeside } from './beside.ts';
import { readItems } from './items.ts';
import type { Packet } from './packet.ts';
import { STATUS, statusNotes } from './status.ts';
import { readTime } from './time.ts';

/** Alarm, status, latitude, longitude, altitude, speed, course, time. */
export const LOCATION_BYTES = 28;

/**
 * The body of a location report, JT/T 808-2013 §8.18: 28 bytes, then additional items to the end of the reader. Null if
 * it is too short; a status if it has no valid time. `versioned`: of 2019.
 */
export function readLocation(reader: Reader, versioned = false): DecodedMessage | null {
  if (reader.remaining < LOCATION_BYTES) return null;
  const alarm = reader.u32();
  const status = reader.u32();
  const lat = angleOf(reader.u32(), NORTH_POLE, (status & STATUS.south) !== 0);
  const lon = angleOf(reader.u32(), DATE_LINE, (status & STATUS.west) !== 0);
  const altitude = reader.i16();
  const speed = reader.u16();
  const course = reader.u16();
  const time = readTime(reader);
  const beside = nothingBeside();
  const { attributes } = beside;
  const { event, names } = alarmsOf(alarm, versioned);
  statusNotes(status, attributes);
  readItems(reader, beside);
  if (event !== null) attributes.alarms = allAlarms(names ?? event, beside);
  if (attributes.alarms === event || attributes.alarms === '') delete attributes.alarms;
  const message = positionOf({
    // Without a time, the check makes it a status that keeps the rest.
    time: time ?? epochMs(Number.NaN),
    valid: (status & STATUS.positioned) !== 0,
    lat: degrees(lat),
    lon: degrees(lon),
    altitude: metres(altitude),
    speed: fromKilometresPerHour(speed / 10),
    course: degrees(course),
    ignition: (status & STATUS.ignition) !== 0,
    ...beside,
    event: event === null || event === 'alarm' ? (beside.event ?? event) : event,
  });
  return time === null ? possible(message) : message;
}

/** Those of the alarm word, then those of the items. */
function allAlarms(names: string, { event, attributes }: Beside): string {
  const all = [...names.split(' '), event ?? '', ...String(attributes.alarms ?? '').split(' ')];
  return [...new Set(all)].filter(name => name !== '' && name !== 'alarm').join(' ');
}

/**
 * The bodies of a batch: their number, their type, and each after its length (JT/T 808-2013 §8.49). An unreadable one
 * does not affect the others.
 */
export function readBatch(reader: Reader, { versioned }: Pick<Packet, 'versioned'>): DecodedMessage[] | null {
  const count = reader.u16();
  const stored = reader.u8() === 1;
  const messages: DecodedMessage[] = [];
  while (reader.remaining >= LOCATION_BYTES) {
    const message = readLocation(part(reader, reader.u16()), versioned);
    if (message !== null) messages.push(stored ? asStored(message) : message);
    if (reader.overrun) break;
  }
  const isEmpty = count === 0 && !reader.overrun && reader.remaining === 0;
  return messages.length > 0 || isEmpty ? messages : null;
}

/**
 * Seen in recordings under 0x0210: the same with one-byte lengths and without a header. Null if the content does not
 * fit.
 */
export function readShortBatch(reader: Reader): DecodedMessage[] | null {
  const messages: DecodedMessage[] = [];
  while (reader.remaining > 0) {
    const message = readLocation(part(reader, reader.u8()));
    if (message === null || reader.overrun) return null;
    messages.push(message);
  }
  return messages.length > 0 ? messages : null;
}

/** The tracker had no network at the time. */
export const asStored = (message: DecodedMessage): DecodedMessage =>
  message.kind === 'position' ? { ...message, attributes: { ...message.attributes, replayed: true } } : message;

const part = (reader: Reader, length: number): Reader => new Reader(reader.take8(Math.min(length, reader.remaining)));

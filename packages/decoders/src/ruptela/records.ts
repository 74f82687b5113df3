import { celsius, type Degrees, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import { Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import { missingIn, withoutFix } from '../possible.ts';
import type { DecodedMessage, PositionMessage } from '../protocol.ts';
import { eventOf } from './element-events.ts';
import { noElements, readElements } from './element-values.ts';
import { withJoined } from './joined-elements.ts';

/** Records (command 1) have one-byte element ids; extended records (command 68) have two-byte ids and come in parts. */
export type RecordForm = 'plain' | 'extended';

const COORDINATE_SCALE = 1e7;
const NO_COORDINATE = -0x8000_0000;
const NO_ALTITUDE = -0x8000;

/** One part of a record, before the parts are joined. */
interface Part {
  readonly position: PositionMessage;
  /** The tracker had a fix. */
  readonly fixed: boolean;
  /** Its index among the parts of the record, from 0. */
  readonly index: number;
}

/** Without elements. */
const LEAST_BYTES: Readonly<Record<RecordForm, number>> = { plain: 27, extended: 29 };
const EARLIEST = Date.UTC(2008, 0);

/**
 * All records of a packet, or null if none fits. Records before one that does not fit are kept, because the tracker
 * would send the same again; so are the fix of the first one, which stands before its elements, and records beyond their
 * stated number.
 */
export function readRecords(reader: Reader, form: RecordForm): DecodedMessage[] | null {
  // The number of records that the tracker still has.
  reader.skip(1);
  const count = reader.u8();
  const parts: Part[] = [];
  for (let i = 0; i < count; i++) {
    const { at } = reader;
    const part = readRecord(reader, form);
    if (!reader.overrun) add(parts, part);
    else if (i === 0) addBare(parts, new Reader(reader.bytes, at, reader.end), form);
    if (reader.overrun) break;
  }
  while (!reader.overrun && reader.remaining >= LEAST_BYTES[form]) {
    const trial = new Reader(reader.bytes, reader.at, reader.end);
    const part = readRecord(trial, form);
    if (part.position.time < EARLIEST) break;
    if (trial.overrun) {
      if (parts.length === 0) addBare(parts, reader, form);
      break;
    }
    add(parts, part);
    reader.skip(trial.at - reader.at);
  }
  if (parts.length === 0 && (reader.overrun || reader.remaining > 0)) return null;
  const messages = parts.map(({ position, fixed }) => {
    const whole = withJoined(position);
    return fixed ? whole : withoutFix(whole);
  });
  return reader.overrun ? [...messages, { kind: 'error', code: 'bad-length', at: reader.at }] : messages;
}

/** The first record without its elements, unless its place or time is none: then nothing says that it is a record. */
function addBare(parts: Part[], reader: Reader, form: RecordForm): void {
  const bare = readRecord(reader, form, false);
  if (!reader.overrun && missingIn(bare.position) === null) parts.push(bare);
}

function add(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  const joins = part.index > 0 && last !== undefined && last.position.time === part.position.time;
  if (joins) parts[parts.length - 1] = { ...last, position: joined(last.position, part.position) };
  else parts.push(part);
}

/** Parts have the same time and position; later ones add elements. */
function joined(first: PositionMessage, next: PositionMessage): PositionMessage {
  const event = first.event ?? next.event;
  const { eventId, ...attributes } = { ...next.attributes, ...first.attributes };
  return {
    ...first,
    event,
    ignition: first.ignition ?? next.ignition,
    odometer: first.odometer ?? next.odometer,
    fuel: first.fuel ?? next.fuel,
    temperature: first.temperature ?? next.temperature,
    gsm: first.gsm ?? next.gsm,
    rfid: first.rfid ?? next.rfid,
    attributes: event === null && eventId !== undefined ? { ...attributes, eventId } : attributes,
  };
}

const coordinate = (value: number): Degrees => degrees(value / COORDINATE_SCALE);
/** All bits set means unknown. */
const known = (value: number, unknown: number): number | null => (value === unknown ? null : value);
const over = (value: number | null, scale: number): number | null => (value === null ? null : value / scale);

function readRecord(reader: Reader, form: RecordForm, withElements = true): Part {
  const time = epochMs(reader.u32() * 1000);
  reader.skip(1);
  const index = form === 'extended' ? reader.u8() & 0x0f : 0;
  const priority = reader.u8();
  const lon = reader.i32();
  const lat = reader.i32();
  const altitude = reader.i16();
  const course = over(known(reader.u16(), 0xffff), 100);
  const satellites = known(reader.u8(), 0xff);
  const speed = known(reader.u16(), 0xffff);
  const hdop = over(known(reader.u8(), 0xff), 10);
  const id = (): number => (form === 'extended' ? reader.u16() : reader.u8());
  const eventId = id();
  const beside = withElements ? readElements(reader, id) : noElements();
  const { attributes } = beside;
  const event = eventOf(eventId, beside.values.get(eventId));
  if (event === null && eventId !== 0) attributes.eventId = eventId;
  if (priority !== 0) attributes.priority = priority;
  const fixed = lat !== NO_COORDINATE && lon !== NO_COORDINATE;
  const position = positionOf({
    time,
    valid: fixed && satellites !== 0,
    lat: coordinate(lat),
    lon: coordinate(lon),
    altitude: altitude === NO_ALTITUDE ? null : metres(altitude / 10),
    course: course === null ? null : degrees(course),
    satellites,
    speed: speed === null ? null : fromKilometresPerHour(speed),
    hdop,
    event,
    ignition: beside.ignition,
    odometer: beside.odometer === null ? null : metres(beside.odometer),
    fuel: beside.fuel === null ? null : percent(beside.fuel),
    temperature: beside.temperature === null ? null : celsius(beside.temperature),
    gsm: beside.gsm,
    rfid: beside.rfid,
    attributes,
  });
  return { position, fixed, index };
}

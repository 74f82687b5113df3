import { celsius, type Degrees, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import { Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import { missingIn, withoutFix } from '../possible.ts';
import type { DecodedMessage, PositionMessage } from '../protocol.ts';
import { type FoundRecords, nearness, recordsByHead } from '../records-by-head.ts';
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
  /** What stands between its time and its place is as documented. */
  readonly isUsual: boolean;
}

/** Up to the elements, and with none of them. */
const HEAD_BYTES: Readonly<Record<RecordForm, number>> = { plain: 23, extended: 25 };
export const LEAST_BYTES: Readonly<Record<RecordForm, number>> = { plain: 27, extended: 29 };
const EARLIEST = Date.UTC(2008, 0);

/**
 * All records of a packet, or null if none fits. If one does not fit, its fix is kept, which stands before its elements,
 * and so are the records around it and those beyond their stated number, because the tracker would send the same again.
 */
export function readRecords(reader: Reader, form: RecordForm): DecodedMessage[] | null {
  // The number of records that the tracker still has.
  reader.skip(1);
  const found = recordsIn(reader, form);
  if (found.records.length === 0 && (found.misfit !== null || reader.remaining > 0)) return null;
  const messages = messagesOf(found.records);
  return found.misfit === null ? messages : [...messages, { kind: 'error', code: 'bad-length', at: found.misfit }];
}

interface Found {
  readonly records: readonly Part[];
  /** Where they begin, and where the first misfit is; null if they are simply one behind the other. */
  readonly starts: readonly number[] | null;
  readonly misfit: number | null;
}

/** From the number of records. A record that was read from another's elements hides some; those around it count. */
function recordsIn(reader: Reader, form: RecordForm): Found {
  const count = reader.u8();
  const start = reader.at;
  const inTurn = inOrder(reader, form, count);
  const simple = { records: inTurn ?? [], starts: null, misfit: null };
  if (inTurn !== null && reader.remaining === 0 && soundIn(inTurn).count === inTurn.length) return simple;
  const { records, starts, at } = aroundMisfits(reader, start, form, count);
  const [plain, found] = [soundIn(inTurn ?? []), soundIn(records)];
  const isBetter = found.count > plain.count || (found.count === plain.count && found.apart < plain.apart);
  if (inTurn !== null && !isBetter) return simple;
  return { records, starts, misfit: at };
}

/** How many are records, and how far apart in time. */
function soundIn(parts: readonly Part[]): { count: number; apart: number } {
  const sound = parts.map(part => apartFrom(part, parts[0])).filter(apart => apart !== null);
  return { count: sound.length, apart: sound.reduce((sum, apart) => sum + apart, 0) };
}

function messagesOf(records: readonly Part[]): DecodedMessage[] {
  const parts: Part[] = [];
  for (const record of records) add(parts, record);
  return parts.map(({ position, fixed }) => {
    const whole = withJoined(position);
    return fixed ? whole : withoutFix(whole);
  });
}

/** Records one behind the other, and what is too short for one more; null if they are not like that. */
function inOrder(reader: Reader, form: RecordForm, count: number): Part[] | null {
  const parts: Part[] = [];
  while (parts.length < count || reader.remaining >= LEAST_BYTES[form]) {
    const isBeyond = parts.length >= count;
    const part = readRecord(reader, form);
    if (reader.overrun || (isBeyond && part.position.time < EARLIEST)) return null;
    parts.push(part);
  }
  return reader.overrun ? null : parts;
}

/** Where the records of a packet begin that are not simply one behind the other; null if they are. */
export function recordStarts(bytes: Uint8Array, from: number, end: number, form: RecordForm): readonly number[] | null {
  return recordsIn(new Reader(bytes, from, end), form).starts;
}

function aroundMisfits({ bytes, end }: Reader, from: number, form: RecordForm, count: number): FoundRecords<Part> {
  const read = (at: number, withElements: boolean, limit = end): { part: Part; reader: Reader } => {
    const reader = new Reader(bytes, at, limit);
    return { part: readRecord(reader, form, withElements), reader };
  };
  return recordsByHead({
    from,
    limit: end,
    most: Math.max(count, Math.floor((end - from) / LEAST_BYTES[form])),
    headBytes: HEAD_BYTES[form],
    whole: (at, limit) => {
      const { part, reader } = read(at, true, limit);
      return reader.overrun ? null : { record: part, next: reader.at };
    },
    bare: at => {
      const { part, reader } = read(at, false);
      return !reader.overrun && isPlaced(part) ? part : null;
    },
    headAt: (at, first) => {
      const { part, reader } = read(at, false);
      return reader.overrun ? null : apartFrom(part, first);
    },
  });
}

/** Hundredths of a second, km/h, degrees: more is no record. */
const MOST = { hundredths: 99, priority: 2, speed: 400, course: 360, satellites: 64 } as const;

/** A place on Earth, or none as the document says it, at a time that a clock can have. */
function isPlaced({ position: { time, lat, lon }, fixed }: Part): boolean {
  return missingIn(fixed ? { time, lat, lon } : { time, lat: degrees(0), lon: degrees(0) }) === null;
}

function isRecord(part: Part): boolean {
  const { time, speed, course, satellites } = part.position;
  return (
    part.isUsual &&
    isPlaced(part) &&
    time >= EARLIEST &&
    (speed ?? 0) <= fromKilometresPerHour(MOST.speed) &&
    (course ?? 0) <= MOST.course &&
    (satellites ?? 0) <= MOST.satellites
  );
}

/** How far from the first record in time; null for what was read from another's elements. */
function apartFrom(part: Part, first: Part | null | undefined): number | null {
  if (!isRecord(part)) return null;
  return first ? nearness(part.position.time, first.position.time) : 0;
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
  const hundredths = reader.u8();
  const part = form === 'extended' ? reader.u8() : 0;
  const index = part & 0x0f;
  const priority = reader.u8();
  const isUsual = hundredths <= MOST.hundredths && index <= part >> 4 && priority <= MOST.priority;
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
  return { position, fixed, index, isUsual };
}

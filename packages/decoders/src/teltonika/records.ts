import { type Degrees, degrees, type EpochMs, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { missingIn, withoutFix } from '../possible.ts';
import type { DecodedMessage, DecodeErrorCode, PositionMessage } from '../protocol.ts';
import { type FoundRecords, nearness, recordsByHead } from '../records-by-head.ts';
import { ElementSink } from './element-sink.ts';
import { FMB_TABLE, TRUCK_TABLE } from './element-table.ts';

/**
 * AVL records, Teltonika Data Sending Protocols: Codec 8, Codec 8 Extended, Codec 16. Hot path: one pass, with one
 * object for each record and one for its attributes.
 */
export const AVL_CODECS = { codec8: 0x08, codec8Extended: 0x8e, codec16: 0x10 } as const;

interface Layout {
  readonly eventIdBytes: 1 | 2;
  readonly idBytes: 1 | 2;
  readonly countBytes: 1 | 2;
  /** Codec 16 has the cause of the record after the event id. */
  readonly generationType: boolean;
  /** Codec 8 Extended has elements of variable length at the end. */
  readonly variable: boolean;
  /** A fifth group, of 16-byte elements. */
  readonly sixteen: boolean;
  readonly truck: boolean;
}

const LAYOUTS: Readonly<Record<number, Layout>> = {
  [AVL_CODECS.codec8]: {
    eventIdBytes: 1,
    idBytes: 1,
    countBytes: 1,
    generationType: false,
    variable: false,
    sixteen: false,
    truck: false,
  },
  [AVL_CODECS.codec8Extended]: {
    eventIdBytes: 2,
    idBytes: 2,
    countBytes: 2,
    generationType: false,
    variable: true,
    sixteen: false,
    truck: false,
  },
  // "N of Total IO" is one byte here, as in the structure table; the comparison of codecs beside it is wrong.
  [AVL_CODECS.codec16]: {
    eventIdBytes: 2,
    idBytes: 2,
    countBytes: 1,
    generationType: true,
    variable: false,
    sixteen: false,
    truck: true,
  },
};

const CODEC_8 = LAYOUTS[AVL_CODECS.codec8];
/** Known from recordings, not documented: Codec 8 in which every record ends with a group of 16-byte elements. */
const CODEC_8_SIXTEEN: Layout | undefined = CODEC_8 && { ...CODEC_8, sixteen: true };

export const isAvlCodec = (codec: number): boolean => LAYOUTS[codec] !== undefined;

/** Timestamp 8, priority 1, GPS element 15. */
const HEAD_BYTES = 24;
const COORDINATE_SCALE = 1e7;
const GROUP_SIZES = [1, 2, 4, 8] as const;

export type Records =
  /** `announced` is the number of records according to the packet; where one does not fit, fewer may be read. */
  | { readonly records: readonly DecodedMessage[]; readonly announced: number; readonly at: number }
  | { readonly error: DecodeErrorCode; readonly at: number };

/**
 * Reads the AVL data array: codec id, count, records, count. `start` is the codec id, `end` follows the last count.
 * If a record does not fit, its fix is kept, which stands before its elements, and so are the records around it. The
 * packet is then acknowledged with an error besides, because the tracker would send the same again.
 */
export function decodeRecords(view: DataView, start: number, end: number): Records {
  if (end - start < 3) return { error: 'too-short', at: end };
  const layout = LAYOUTS[view.getUint8(start)];
  if (!layout) return { error: 'unknown-type', at: start };
  const read = readRecords(view, start, end - 1, layout);
  const closes = ({ records, announced, at }: Read): boolean => records.length === announced && at === end - 1;
  if (!closes(read) && layout === CODEC_8 && CODEC_8_SIXTEEN) {
    const second = readRecords(view, start, end - 1, CODEC_8_SIXTEEN);
    if (closes(second)) return second;
  }
  const isWhole = read.records.length === read.announced;
  if (isWhole && read.records.every(isRecord)) return read;
  // A record that was read from another's elements hides some.
  const { records, at } = salvaged(view, start, end - 1, layout);
  if (isWhole && records.filter(isRecord).length <= read.records.filter(isRecord).length) return read;
  if (records.length === 0) return { error: 'bad-length', at };
  return { records: [...records, { kind: 'error', code: 'bad-length', at }], announced: read.announced, at };
}

type Read = Extract<Records, { readonly records: unknown }>;

/** Its place and time are possible, so it was not read from elements. */
const isRecord = (message: DecodedMessage): boolean =>
  message.kind === 'position' ? missingIn(message) === null : message.kind === 'status' && message.time !== null;

function readRecords(view: DataView, start: number, limit: number, layout: Layout): Read {
  const announced = view.getUint8(start + 1);
  const records: DecodedMessage[] = [];
  const sink = sinkFor(view, layout);
  let at = start + 2;
  for (let i = 0; i < announced; i++) {
    const elements = at + HEAD_BYTES;
    const next = elements <= limit ? readElements(view, elements, limit, layout, sink) : -1;
    if (next < 0) return { records, announced, at };
    records.push(withItsFix(recordOf(view, at, layout, sink)));
    at = next;
  }
  return { records, announced, at };
}

const sinkFor = (view: DataView, layout: Layout): ElementSink =>
  new ElementSink(view, layout.truck ? TRUCK_TABLE : FMB_TABLE);

const timeAt = (view: DataView, at: number): EpochMs => epochMs(view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4));
const lonAt = (view: DataView, at: number): Degrees => degrees(view.getInt32(at + 9) / COORDINATE_SCALE);
const latAt = (view: DataView, at: number): Degrees => degrees(view.getInt32(at + 13) / COORDINATE_SCALE);

/** Whether it is a fix does not matter here. */
const placeAt = (view: DataView, at: number) => ({
  time: timeAt(view, at),
  lat: latAt(view, at),
  lon: lonAt(view, at),
});

/** More is no record, unless all bits are set: priority, degrees, satellites, km/h. */
const MOST = { priority: 2, course: 360, satellites: 64, speed: 400 } as const;

function isHead(view: DataView, at: number): boolean {
  const [priority, course] = [view.getUint8(at + 8), view.getUint16(at + 19)];
  const [satellites, speed] = [view.getUint8(at + 21), view.getUint16(at + 22)];
  return (
    missingIn(placeAt(view, at)) === null &&
    (priority <= MOST.priority || priority === 0xff) &&
    (course <= MOST.course || course === 0xffff) &&
    (satellites <= MOST.satellites || satellites === 0xff) &&
    (speed <= MOST.speed || speed === 0xffff)
  );
}

/** Where the records of such a packet begin. */
export function recordStarts(view: DataView, start: number, end: number): readonly number[] {
  const layout = LAYOUTS[view.getUint8(start)];
  return layout ? salvaged(view, start, end - 1, layout).starts : [];
}

/** What can be read of a packet whose records do not fit. */
function salvaged(view: DataView, start: number, limit: number, layout: Layout): FoundRecords<DecodedMessage> {
  const sink = sinkFor(view, layout);
  const found = recordsByHead({
    from: start + 2,
    limit,
    most: view.getUint8(start + 1),
    headBytes: HEAD_BYTES,
    whole: (at, end) => {
      const next = at + HEAD_BYTES > end ? -1 : readElements(view, at + HEAD_BYTES, end, layout, sink);
      return next < 0 ? null : { record: recordOf(view, at, layout, sink), next };
    },
    bare: at => {
      if (at + HEAD_BYTES > limit) return null;
      sink.begin(0);
      return missingIn(placeAt(view, at)) === null ? recordOf(view, at, layout, sink) : null;
    },
    headAt: (at, first) => {
      if (at + HEAD_BYTES > limit || !isHead(view, at)) return null;
      return first === null ? 0 : nearness(timeAt(view, at), first.time);
    },
  });
  return { ...found, records: found.records.map(withItsFix) };
}

/** "Last valid fix", but there has never been one. */
const withItsFix = (record: PositionMessage): DecodedMessage =>
  !record.valid && record.lat === 0 && record.lon === 0 ? withoutFix(record) : record;

/** Passes the elements to the sink; returns where they end, or -1 if they do not fit. */
function readElements(view: DataView, start: number, limit: number, layout: Layout, sink: ElementSink): number {
  const { idBytes, countBytes } = layout;
  let at = start + layout.eventIdBytes + (layout.generationType ? 1 : 0) + countBytes;
  if (at > limit) return -1;
  sink.begin(layout.eventIdBytes === 2 ? view.getUint16(start) : view.getUint8(start));
  for (const size of GROUP_SIZES) {
    if (at + countBytes > limit) return -1;
    const count = countBytes === 2 ? view.getUint16(at) : view.getUint8(at);
    at += countBytes;
    const stride = idBytes + size;
    if (at + count * stride > limit) return -1;
    for (let i = 0; i < count; i++, at += stride) {
      sink.fixed(idBytes === 2 ? view.getUint16(at) : view.getUint8(at), size, at + idBytes);
    }
  }
  if (layout.sixteen) return readSixteens(view, at, limit, sink);
  if (!layout.variable) return at;
  if (at + 2 > limit) return -1;
  const count = view.getUint16(at);
  at += 2;
  for (let i = 0; i < count; i++) {
    if (at + 4 > limit) return -1;
    const length = view.getUint16(at + 2);
    if (at + 4 + length > limit) return -1;
    sink.variable(view.getUint16(at), at + 4, length);
    at += 4 + length;
  }
  return at;
}

function readSixteens(view: DataView, start: number, limit: number, sink: ElementSink): number {
  const stride = 1 + 16;
  if (start + 1 > limit) return -1;
  const end = start + 1 + view.getUint8(start) * stride;
  if (end > limit) return -1;
  for (let at = start + 1; at < end; at += stride) sink.variable(view.getUint8(at), at + 1, 16);
  return end;
}

function recordOf(view: DataView, at: number, layout: Layout, sink: ElementSink): PositionMessage {
  const priority = view.getUint8(at + 8);
  const satellites = view.getUint8(at + 21);
  // "If record are without valid coordinates … Longitude, Latitude and Altitude values are last valid fix, and Angle,
  // Satellites and Speed are 0": zero satellites mean an invalid fix.
  const valid = satellites > 0;
  const { event, attributes } = sink.finish(layout.truck, priority);
  return {
    kind: 'position',
    time: timeAt(view, at),
    valid,
    lat: latAt(view, at),
    lon: lonAt(view, at),
    speed: valid ? fromKilometresPerHour(view.getUint16(at + 22)) : null,
    course: valid ? degrees(view.getUint16(at + 19)) : null,
    altitude: metres(view.getInt16(at + 17)),
    satellites,
    hdop: sink.hdop,
    ignition: sink.ignition,
    odometer: sink.odometer,
    fuel: sink.fuel,
    temperature: sink.temperature,
    gsm: sink.gsm,
    event,
    rfid: sink.rfid,
    attributes,
  };
}

import { hex, viewOf } from '../bytes.ts';
import { crc16Ibm } from '../crc16.ts';
import {
  asEither,
  asText,
  CUT_SHORT,
  type FramePart,
  hexOf,
  moment,
  named,
  per,
  verdict,
  Walk,
} from '../explain/walk.ts';
import type { ElementRow } from './element-row.ts';
import { FMB_ELEMENTS } from './elements.ts';
import { GH3000_CODEC } from './gh3000.ts';
import { isMessageCodec, MESSAGE_CODECS, MESSAGE_TYPES } from './messages.ts';
import { AVL_CODECS, isAvlCodec, recordStarts } from './records.ts';
import { TRUCK_ELEMENTS } from './truck-elements.ts';

const IMEI_DIGITS = 15;
const CRC_BYTES = 4;

/** Teltonika Data Sending Protocols: login, ping, packet over TCP, or a datagram. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  if (frame.length === 1) walk.u8('ping', hexOf(2));
  else if (frame[0] === 0 && frame[1] === IMEI_DIGITS) {
    walk.u16('length of the IMEI', undefined, 'bytes');
    walk.take('IMEI', IMEI_DIGITS, asText);
  } else if (frame[0] === 0 && frame[1] === 0) packet(walk);
  else datagram(walk);
  return walk.done();
}

function packet(walk: Walk): void {
  walk.u32('preamble', hexOf(8));
  const length = walk.u32('length of the data', undefined, 'bytes');
  const start = walk.at;
  const end = Math.min(start + length, Math.max(start, walk.end - CRC_BYTES));
  data(walk, end);
  walk.u32('checksum', verdict(crc16Ibm(walk.bytes, start, end), 8));
}

function datagram(walk: Walk): void {
  walk.u16('length', undefined, 'bytes');
  walk.u16('packet id');
  walk.u8('not used');
  walk.u8('AVL packet id');
  const digits = walk.u16('length of the IMEI', undefined, 'bytes');
  walk.take('IMEI', digits, asText);
  data(walk, walk.end);
}

const CODECS = {
  [AVL_CODECS.codec8]: 'Codec 8',
  [AVL_CODECS.codec8Extended]: 'Codec 8 Extended',
  [AVL_CODECS.codec16]: 'Codec 16',
  [MESSAGE_CODECS.codec12]: 'Codec 12',
  [MESSAGE_CODECS.codec13]: 'Codec 13',
  [MESSAGE_CODECS.codec14]: 'Codec 14',
  [MESSAGE_CODECS.codec15]: 'Codec 15',
  [GH3000_CODEC]: 'GH3000',
};

function data(walk: Walk, end: number): void {
  const codec = walk.u8('codec', named(CODECS));
  const count = walk.u8(isMessageCodec(codec) ? 'messages' : 'records');
  if (isAvlCodec(codec)) {
    const read = (sixteens: boolean): Walk => {
      const inner = new Walk(walk.bytes, walk.at, Math.max(walk.at, end - 1));
      for (let i = 1; i <= count && inner.left > 0; i++) {
        inner.group(`record ${i}`, group => record(group, codec, sixteens));
      }
      return inner;
    };
    const usual = read(false);
    // Seen in recordings: Codec 8 whose records end with a group of 16-byte elements.
    const other = codec === AVL_CODECS.codec8 && !isSound(usual, count) ? read(true) : usual;
    const inner = isSound(other, count) ? other : (byHead(walk, codec, end) ?? usual);
    walk.parts.push(...inner.parts);
    walk.at = inner.at;
  } else if (isMessageCodec(codec)) {
    for (let i = 1; i <= count && walk.at < end - 1; i++)
      walk.group(`message ${i}`, inner => message(inner, codec), end - 1);
  }
  if (walk.at < end - 1) walk.take('not explained', end - 1 - walk.at);
  if (walk.at < end) walk.u8('number again', value => (value === count ? 'right' : `wrong: it would be ${count}`));
}

/** Records that do not fit, as the decoder finds them; null if it finds none. */
function byHead(walk: Walk, codec: number, end: number): Walk | null {
  const starts = recordStarts(viewOf(walk.bytes), walk.at - 2, end);
  const inner = new Walk(walk.bytes, walk.at, Math.max(walk.at, end - 1));
  for (const i of starts.keys()) {
    const group = (part: Walk): string => {
      const time = record(part, codec, false);
      if (part.left > 0) part.rest('not explained');
      return time;
    };
    inner.group(`record ${i + 1}`, group, starts[i + 1] ?? end - 1);
  }
  return starts.length > 0 ? inner : null;
}

const DEGREES = 1e7;

/** As many records as stated were read to the end, and nothing was missing. */
const isSound = ({ left, parts }: Walk, count: number): boolean =>
  left === 0 &&
  parts.length === count &&
  !parts.some(({ parts: inner }) => inner?.some(({ value }) => value === CUT_SHORT));

function record(walk: Walk, codec: number, sixteens: boolean): string {
  const extended = codec === AVL_CODECS.codec8Extended;
  const wide = codec !== AVL_CODECS.codec8;
  const time = walk.u64('time', moment);
  walk.u8('priority', named({ 0: 'low', 1: 'high', 2: 'panic' }));
  walk.i32('longitude', per(DEGREES, 7), '°');
  walk.i32('latitude', per(DEGREES, 7), '°');
  walk.i16('altitude', undefined, 'm');
  walk.u16('course', undefined, '°');
  walk.u8('satellites');
  walk.u16('speed', undefined, 'km/h');
  const rows = codec === AVL_CODECS.codec16 ? TRUCK : FMB;
  const count = (name: string): number => (extended ? walk.u16(name) : walk.u8(name));
  const nameOf = (id: number): string => rows.find(id)?.[1] ?? 'nothing';
  if (wide) walk.u16('event element', id => (id === 0 ? 'none' : `${id} ${nameOf(id)}`));
  else walk.u8('event element', id => (id === 0 ? 'none' : `${id} ${nameOf(id)}`));
  if (codec === AVL_CODECS.codec16) walk.u8('generation type');
  count('elements');
  for (const size of [1, 2, 4, 8] as const) {
    const elements = count(`elements of ${size} ${size === 1 ? 'byte' : 'bytes'}`);
    for (let i = 0; i < elements && walk.left > 0; i++) element(walk, rows, wide ? 2 : 1, size);
  }
  if (sixteens) {
    const elements = walk.u8('elements of 16 bytes');
    for (let i = 0; i < elements && walk.left > 0; i++) {
      walk.take(`${walk.peek()} element`, 17, bytes => asEither(bytes.subarray(1)));
    }
  }
  if (extended) {
    const elements = walk.u16('elements of any length');
    for (let i = 0; i < elements && walk.left > 0; i++) longElement(walk, rows);
  }
  return moment(time);
}

function element(walk: Walk, rows: Rows, idBytes: 1 | 2, size: 1 | 2 | 4 | 8): void {
  const id = idBytes === 2 ? walk.peek() * 256 + walk.peek(1) : walk.peek();
  const row = rows.get(id, size);
  walk.take(
    `${id} ${row?.[1] ?? 'element'}`,
    idBytes + size,
    bytes => elementValue(row, bytes.subarray(idBytes)),
    row && row[3] !== 'flag' && row[3] !== 'hex' && row[3] !== 'digits' && row[3] !== 'text' ? row[3] : undefined,
  );
}

function longElement(walk: Walk, rows: Rows): void {
  const id = walk.peek() * 256 + walk.peek(1);
  const length = walk.peek(2) * 256 + walk.peek(3);
  walk.take(`${id} ${rows.get(id, 'x')?.[1] ?? 'element'}`, 4 + length, bytes => asEither(bytes.subarray(4)));
}

function elementValue(row: ElementRow | undefined, bytes: Uint8Array): string | number {
  if (row?.[3] === 'text') return asText(bytes);
  if (row?.[3] === 'digits') return String(bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n));
  if (bytes.length > 4 || row?.[3] === 'hex') return hex(bytes);
  const raw = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  if (row === undefined) return raw;
  const [, , , unit, scale = 1, signed] = row;
  if (unit === 'flag') return raw === 0 ? 'no' : 'yes';
  const most = 2 ** (bytes.length * 8);
  return Number(((signed && raw >= most / 2 ? raw - most : raw) * scale).toPrecision(12));
}

function message(walk: Walk, codec: number): void {
  walk.u8(
    'type',
    named({
      [MESSAGE_TYPES.command]: 'command',
      [MESSAGE_TYPES.response]: 'answer',
      [MESSAGE_TYPES.pictures]: 'picture',
      [MESSAGE_TYPES.refused]: 'refused',
    }),
  );
  const size = walk.u32('size', undefined, 'bytes');
  const end = Math.min(walk.at + size, walk.end);
  if (codec === MESSAGE_CODECS.codec13 || codec === MESSAGE_CODECS.codec15)
    walk.u32('time', seconds => moment(seconds * 1000));
  if (codec === MESSAGE_CODECS.codec14 || codec === MESSAGE_CODECS.codec15) walk.take('IMEI', 8);
  walk.take('content', Math.max(0, end - walk.at), asEither);
}

interface Rows {
  get(id: number, size: ElementRow[2]): ElementRow | undefined;
  find(id: number): ElementRow | undefined;
}

/** The first row for an id and size is used, as in the decoder's table. */
function rowsOf(...tables: readonly (readonly ElementRow[])[]): Rows {
  const bySize = new Map<string, ElementRow>();
  const byId = new Map<number, ElementRow>();
  for (const row of tables.flat()) {
    const key = `${row[0]}/${row[2]}`;
    if (!bySize.has(key)) bySize.set(key, row);
    if (!byId.has(row[0])) byId.set(row[0], row);
  }
  return { get: (id, size) => bySize.get(`${id}/${size}`), find: id => byId.get(id) };
}

const FMB = rowsOf(FMB_ELEMENTS, TRUCK_ELEMENTS);
const TRUCK = rowsOf(TRUCK_ELEMENTS);

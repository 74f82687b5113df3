import { ascii, hex } from '../bytes.ts';
import {
  asEither,
  asText,
  type FramePart,
  hexOf,
  moment,
  named,
  per,
  type Say,
  verdict,
  Walk,
} from '../explain/walk.ts';
import { ARCHIVE, CRC_BYTES, checksumOf, HEAD_BYTES, HEADER, isIridium } from './frame.ts';
import { ELEMENT } from './iridium.ts';
import { signed, unsigned } from './little.ts';
import { readExtendedSpecial, readSpecial } from './special.ts';
import { nextRecord } from './split.ts';
import type { TagRow } from './tag-row.ts';
import { extendedTagOf, sizeOf, TAG, tagOf } from './tags.ts';
import { plainValue } from './values.ts';

const HEADERS: Readonly<Record<number, string>> = {
  [HEADER.data]: 'data',
  [HEADER.confirmation]: 'confirmation',
  [HEADER.garmin]: 'Garmin',
  [HEADER.photo]: 'picture',
  [HEADER.compressed]: 'compressed data',
};

/** "Head packet structure". */
export function explain(frame: Uint8Array): readonly FramePart[] {
  if (isIridium(frame)) return explainIridium(frame);
  const walk = new Walk(frame);
  const header = walk.little('header', 1, named(HEADERS));
  walk.little('length', 2, value => `${value & ~ARCHIVE}${value & ARCHIVE ? ', the archive has more' : ''}`, 'bytes');
  const end = Math.max(Math.min(HEAD_BYTES, frame.length), frame.length - CRC_BYTES);
  if (header === HEADER.data) records(walk, end);
  if (walk.at < end) walk.take('what it says', end - walk.at, asEither);
  walk.little('checksum', 2, verdict(checksumOf(frame.subarray(0, end + CRC_BYTES)), 4));
  return walk.done();
}

function records(walk: Walk, end: number): void {
  const content = walk.bytes.subarray(0, end);
  for (let i = 1; walk.at < end; i++) {
    if (isReadable(content, walk.at)) walk.group(`record ${i}`, inner => record(inner), end);
    else walk.take('what it says', nextRecord(content, walk.at + 1, null) - walk.at, asEither);
  }
}

function isReadable(content: Uint8Array, at: number): boolean {
  const size = sizeOf(content[at] ?? 0, content, at + 1);
  return size !== null && at + 1 + size <= content.length;
}

function record(walk: Walk): string {
  let last = -1;
  const seen = new Set<number>();
  let time = '';
  while (walk.left > 0) {
    const tag = walk.peek();
    const size = sizeOf(tag, walk.bytes, walk.at + 1);
    if (size === null || size >= walk.left || tag < last || seen.has(tag)) break;
    if (tag === TAG.time) time = moment(unsigned(walk.bytes.subarray(walk.at + 1, walk.at + 5)) * 1000);
    if (tag === TAG.extended) walk.group('extended tags', inner => extended(inner), walk.at + 1 + size);
    else if (tag === TAG.place) walk.group('coordinates', place, walk.at + 1 + size);
    else walk.take(nameOf(tag), 1 + size, sayOf(tag), unitOf(tag));
    seen.add(tag);
    last = tag;
  }
  return time;
}

function place(walk: Walk): void {
  walk.little('tag', 1, hexOf(2));
  walk.little('source, satellites', 1, value => `${SOURCES[value >> 4] ?? 'not correct'}, ${value & 15} satellites`);
  walk.little('latitude', 4, per(1e6), '°', true);
  walk.little('longitude', 4, per(1e6), '°', true);
}

const SOURCES: Readonly<Record<number, string>> = { 0: 'correct', 2: 'from cell towers' };
const NAMES: Readonly<Record<number, string>> = {
  [TAG.motion]: 'speed and course',
  [TAG.accuracy]: 'HDOP or error',
  [TAG.text]: 'text of the command',
  [TAG.array]: 'user array',
};
const nameOf = (tag: number): string => `${hexOf(2)(tag)} ${NAMES[tag] ?? tagOf(tag)?.[2] ?? 'tag'}`;
const unitOf = (tag: number): string | undefined => (tag === TAG.altitude ? 'm' : tagOf(tag)?.[3]) || undefined;

const sayOf =
  (tag: number): Say<Uint8Array> =>
  bytes => {
    const data = bytes.subarray(1);
    if (tag === TAG.time) return moment(unsigned(data) * 1000);
    if (tag === TAG.motion) return `${unsigned(data.subarray(0, 2)) / 10} km/h, ${unsigned(data.subarray(2)) / 10}°`;
    if (tag === TAG.altitude) return signed(data);
    if (tag === TAG.text) return asText(data.subarray(1));
    const row = tagOf(tag);
    return row === undefined ? hex(data.subarray(1)) : shown(row, data, name => readSpecial(tag, name, data));
  };

function shown(row: TagRow, data: Uint8Array, special: (name: string) => object): string | number {
  if (row[4]?.form !== 'special') {
    const value = plainValue(row, data);
    return typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value ?? 'none');
  }
  const values = Object.entries(special(row[2]));
  return values.length > 0 ? values.map(([name, value]) => `${name} ${value}`).join(', ') : hex(data);
}

const LENGTH_BYTES = 3;
function extended(walk: Walk): void {
  walk.take('tag and length', LENGTH_BYTES);
  while (walk.left > 0) {
    const tag = unsigned(Uint8Array.of(walk.peek(), walk.peek(1)));
    const row = extendedTagOf(tag);
    if (row === undefined) {
      walk.rest('tags that are not known');
      return;
    }
    const say: Say<Uint8Array> = bytes =>
      shown(row, bytes.subarray(2), name => readExtendedSpecial(name, bytes.subarray(2)));
    walk.take(`${hexOf(4)(tag)} ${row[2]}`, 2 + row[1], say, row[3] || undefined);
  }
}

const ELEMENTS: Readonly<Record<number, string>> = {
  [ELEMENT.header]: 'header',
  [ELEMENT.payload]: 'payload',
  [ELEMENT.location]: 'location',
};

/** "DirectIP", MO message. */
function explainIridium(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u8('Iridium, revision');
  walk.u16('length', undefined, 'bytes');
  while (walk.left > 0) {
    const id = walk.peek();
    const size = LENGTH_BYTES + walk.peek(1) * 256 + walk.peek(2);
    walk.group(ELEMENTS[id] ?? `element ${id}`, inner => element(id, inner), walk.at + size);
  }
  return walk.done();
}

function element(id: number, walk: Walk): void {
  walk.u8('element');
  walk.u16('length', undefined, 'bytes');
  if (id === ELEMENT.header) {
    walk.u32('reference');
    walk.take('IMEI', 15, ascii);
    walk.u8('session status');
    walk.u16('number of the message');
    walk.u16('number of the last message to the modem');
    walk.u32('time', seconds => moment(seconds * 1000));
  } else if (id === ELEMENT.location) {
    const sides = walk.u8('hemispheres');
    angle(walk, 'latitude', (sides & 2) !== 0);
    angle(walk, 'longitude', (sides & 1) !== 0);
    walk.u32('radius', undefined, 'km');
  } else if (id === ELEMENT.payload) records(walk, walk.end);
  if (walk.left > 0) walk.rest('what it says');
}

const angle = (walk: Walk, name: string, negative: boolean): void => {
  walk.take(
    name,
    3,
    ([degrees = 0, high = 0, low = 0]) =>
      (negative ? -1 : 1) * Number((degrees + (high * 256 + low) / 60_000).toFixed(6)),
    '°',
  );
};

import { ascii } from '../bytes.ts';
import { crc16Ccitt } from '../crc16.ts';
import { type FieldName, fieldTexts, walkFields } from '../explain/fields.ts';
import { asText, type FramePart, hexOf, moment, verdict, Walk } from '../explain/walk.ts';
import { explainLocation } from './binary-explain.ts';
import { isFirstPlace, LEADING } from './first-models.ts';
import { formOf } from './frame.ts';
import { placesIn } from './place.ts';
import { readTime } from './text-fields.ts';

/** @Track Air Interface Protocol: text, the two binary forms. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const form = formOf(frame);
  if (form === 'binary') return binary(frame);
  if (form === 'records') return records(frame);
  if (form === 'life') return life(frame);
  return text(frame);
}

const time = (text: string): string => moment(readTime(text) ?? Number.NaN);

/** From the accuracy on, as `placesIn` finds it. */
const PLACE: readonly FieldName[] = [
  ['accuracy (HDOP)'],
  ['speed', 'km/h'],
  ['course', '°'],
  ['altitude', 'm'],
  ['longitude', '°'],
  ['latitude', '°'],
  ['time of the fix', undefined, time],
  'country (MCC)',
  'network (MNC)',
  'area (LAC)',
  'cell',
];

/** The same of the first models, which begins with the fix and has the accuracy behind the altitude. */
const FIRST_PLACE: readonly FieldName[] = ['fix', ...PLACE.slice(1, 4), ...PLACE.slice(0, 1), ...PLACE.slice(4)];

/** IMEI, content, count number, version. */
function firstNames(fields: readonly string[]): Map<number, FieldName> {
  const names = new Map<number, FieldName>([
    [0, 'report'],
    [1, 'IMEI'],
    [fields.length - 2, 'count number'],
    [fields.length - 1, 'version'],
  ]);
  for (let at = LEADING; at + 2 < fields.length; at++) {
    if (!isFirstPlace(fields, at)) continue;
    for (const [i, name] of FIRST_PLACE.entries()) names.set(at - LEADING + i, name);
  }
  return names;
}

function text(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const end = frame.at(-1) === 0x24 || frame.at(-1) === 0 ? frame.length - 1 : frame.length;
  const fields = fieldTexts(frame, 0, end, ',');
  const isFirst = /^\d{15}$/.test(fields[1] ?? '');
  const names = isFirst ? firstNames(fields) : laterNames(fields);
  walkFields(walk, end, ',', index => names.get(index));
  walk.rest('end');
  return walk.done();
}

function laterNames(fields: readonly string[]): Map<number, FieldName> {
  const names = new Map<number, FieldName>([
    [0, 'report'],
    [1, 'protocol version'],
    [2, 'IMEI'],
    [3, 'name of the tracker'],
    [fields.length - 2, ['time of sending', undefined, time]],
    [fields.length - 1, 'count number'],
  ]);
  for (const place of placesIn(fields, 4)) {
    for (const [i, name] of PLACE.entries()) names.set(place.from + i, name);
  }
  if (fields[0]?.startsWith('+ACK')) names.set(fields.length - 3, 'serial number of the command');
  return names;
}

const HEAD_BYTES: Readonly<Record<string, number>> = { '+INF': 9, '+ACK': 12, '+HBD': 11 };

function binary(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const header = ascii(walk.take('report', 4, asText));
  const end = Math.max(walk.at, frame.length - 4);
  const bytes = HEAD_BYTES[header];
  if (bytes === undefined) explainLocation(walk, end, header === '+EVT' || header === '+BVT');
  else {
    walk.take('type, mask and length', bytes - 4);
    walk.take('tracker', 8);
  }
  walk.take('what the mask asks for, time of sending and count', end - walk.at);
  walk.u16('checksum', verdict(crc16Ccitt(frame, 4, end), 4));
  walk.u16('end', hexOf(4));
  return walk.done();
}

/** "Heartbeat Data". */
function life(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u16('start', hexOf(4));
  walk.u8('length', undefined, 'bytes');
  walk.take('IMEI', 8);
  walk.u16('type of tracker', hexOf(4));
  walk.u16('protocol', hexOf(4));
  walk.u8('custom', hexOf(2));
  walk.u32('time', seconds => moment(seconds * 1000));
  walk.u16('count number', hexOf(4));
  walk.u8('check byte', hexOf(2));
  walk.rest('end');
  return walk.done();
}

const TRAILER = 4;

function records(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u16('start', hexOf(4));
  walk.u16('length', undefined, 'bytes');
  const flag = walk.u8('flag', hexOf(2));
  if (flag & 0x80) walk.u16('packet');
  walk.take('IMEI', 8);
  walk.u16('type of tracker', hexOf(4));
  walk.u16('protocol', hexOf(4));
  walk.u8('custom', hexOf(2));
  walk.take('reserved', walk.u8('reserved bytes'));
  const end = Math.max(walk.at, frame.length - TRAILER);
  for (let i = 1; walk.at < end; i++) walk.group(`record ${i}`, record, end);
  walk.u16('frame count');
  walk.u8('not explained', hexOf(2));
  walk.u8('end', hexOf(2));
  return walk.done();
}

function record(walk: Walk): void {
  const start = walk.at;
  const long = (walk.peek() & 0x80) !== 0;
  const length = long
    ? walk.u16('length', value => value & 0x7fff, 'bytes') & 0x7fff
    : walk.u8('length', undefined, 'bytes');
  const inner = new Walk(walk.bytes, walk.at, Math.min(walk.end, Math.max(walk.at, start + length)));
  inner.u32('time', seconds => moment(seconds * 1000));
  inner.u16('count');
  inner.u8('record');
  inner.u8('event');
  while (inner.left >= 2) inner.take(`item ${hexOf(2)(inner.peek())}`, 2 + inner.peek(1));
  inner.rest('more');
  walk.parts.push(...inner.parts);
  walk.at = inner.at;
}

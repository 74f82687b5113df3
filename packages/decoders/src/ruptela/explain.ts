import { hex } from '../bytes.ts';
import { crc16Kermit } from '../crc16.ts';
import { asEither, type FramePart, moment, per, type Say, verdict, Walk } from '../explain/walk.ts';
import { COMMANDS_OF_TRACKER } from './decode.ts';
import { elementOf, readValue } from './elements.ts';
import { CRC_BYTES } from './frame.ts';
import { LEAST_BYTES, type RecordForm, recordStarts } from './records.ts';

const PLAIN = 1;
const EXTENDED = 68;

/** "Packet structure". */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u16('length', undefined, 'bytes');
  walk.u64('IMEI', number => String(number).padStart(15, '0'));
  const command = walk.u8('command', id => `${id} ${COMMANDS_OF_TRACKER.get(id)?.what ?? 'not named'}`);
  const end = Math.max(walk.at, frame.length - CRC_BYTES);
  if (command === PLAIN || command === EXTENDED) records(walk, command === EXTENDED ? 'extended' : 'plain', end);
  if (walk.at < end) walk.take('what it says', end - walk.at, asEither);
  walk.u16('checksum', verdict(crc16Kermit(frame, Math.min(2, end), end), 4));
  return walk.done();
}

function records(walk: Walk, form: RecordForm, end: number): void {
  if (walk.at < end) walk.u8('records left');
  const starts = recordStarts(walk.bytes, walk.at, end, form);
  const count = walk.at < end ? walk.u8('records') : 0;
  if (starts === null) {
    for (let i = 1; (i <= count || walk.at + LEAST_BYTES[form] <= end) && walk.at < end; i++)
      walk.group(`record ${i}`, inner => record(inner, form), end);
    return;
  }
  for (const i of starts.keys()) {
    const group = (part: Walk): string => {
      const time = record(part, form);
      if (part.left > 0) part.rest('not explained');
      return time;
    };
    walk.group(`record ${i + 1}`, group, starts[i + 1] ?? end);
  }
}

const DEGREES = 1e7;
const unless =
  (unknown: number, say: Say<number> = value => value): Say<number> =>
  value =>
    value === unknown ? 'not known' : say(value);

function record(walk: Walk, form: RecordForm): string {
  const extended = form === 'extended';
  const seconds = walk.u32('time', value => moment(value * 1000));
  walk.u8('fraction of the second');
  if (extended) walk.u8('part', value => `${(value & 15) + 1} of ${(value >> 4) + 1}`);
  walk.u8('priority');
  walk.i32('longitude', unless(-0x8000_0000, per(DEGREES, 7)), '°');
  walk.i32('latitude', unless(-0x8000_0000, per(DEGREES, 7)), '°');
  walk.i16('altitude', unless(-0x8000, per(10)), 'm');
  walk.u16('course', unless(0xffff, per(100)), '°');
  walk.u8('satellites', unless(0xff));
  walk.u16('speed', unless(0xffff), 'km/h');
  walk.u8('HDOP', unless(0xff, per(10)));
  if (extended) walk.u16('event element', id => (id === 0 ? 'none' : id));
  else walk.u8('event element', id => (id === 0 ? 'none' : id));
  for (const size of [1, 2, 4, 8] as const) {
    const count = walk.u8(`elements of ${size} ${size === 1 ? 'byte' : 'bytes'}`);
    for (let i = 0; i < count && walk.left > 0; i++) element(walk, extended ? 2 : 1, size);
  }
  return moment(seconds * 1000);
}

function element(walk: Walk, idBytes: 1 | 2, size: 1 | 2 | 4 | 8): void {
  const id = idBytes === 2 ? walk.peek() * 256 + walk.peek(1) : walk.peek();
  const row = elementOf(id, size);
  const say: Say<Uint8Array> = bytes => {
    const value = bytes.subarray(idBytes);
    if (size === 8) return hex(value);
    const raw = value.reduce((sum, byte) => sum * 256 + byte, 0);
    const read = row === undefined || row[4]?.form === 'drivers' ? raw : readValue(row, raw);
    return typeof read === 'boolean' ? (read ? 'yes' : 'no') : (read ?? 'not known');
  };
  walk.take(`${id} ${row?.[2] ?? 'element'}`, idBytes + size, say, row?.[3]);
}

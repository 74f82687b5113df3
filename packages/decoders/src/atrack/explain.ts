import { viewOf } from '../bytes.ts';
import { crc16Ibm } from '../crc16.ts';
import { type FieldName, walkFields } from '../explain/fields.ts';
import { asEither, asText, type FramePart, moment, per, verdict, Walk } from '../explain/walk.ts';
import { HEAD_BYTES, KEEP_ALIVE, PREFIX, TEXT_HEAD } from './frame.ts';

const latin1 = new TextDecoder('latin1');
const at = (seconds: number): string => moment(seconds * 1000);
const unit = (bytes: Uint8Array): string => String(viewOf(bytes).getBigUint64(0));

/** As in `decode.ts`. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const head = TEXT_HEAD.exec(latin1.decode(frame.subarray(0, 16)));
  if (head) text(walk, head);
  else if (frame[0] === PREFIX) binary(walk);
  else if (frame[0] === KEEP_ALIVE) {
    walk.take('keep-alive', 2);
    walk.take('unit ID', 8, unit);
    walk.u16('sequence');
  }
  walk.rest('text', asEither);
  return walk.done();
}

function binary(walk: Walk): void {
  walk.take('prefix', 2, asText);
  walk.u16('CRC', verdict(crc16Ibm(walk.bytes, 4, walk.bytes.length), 4));
  walk.u16('length', undefined, 'bytes');
  walk.u16('sequence');
  walk.take('unit ID', 8, unit);
  if (walk.left > 0 && walk.at === HEAD_BYTES && walk.bytes[1] !== 0x52) walk.group('first record', record);
  walk.rest('more values and records', asEither);
}

function record(walk: Walk): void {
  walk.u32('time of the fix', at);
  walk.u32('time by the clock', at);
  walk.u32('time of sending', at);
  walk.i32('longitude', per(1e6), '°');
  walk.i32('latitude', per(1e6), '°');
  walk.u16('course', undefined, '°');
  walk.u8('report ID');
  walk.u32('odometer', per(10), 'km');
  walk.u16('HDOP', per(10));
  walk.u8('inputs');
  walk.u16('speed', undefined, 'km/h');
  walk.u8('outputs');
  walk.u16('analog input', undefined, 'mV');
  zeroEnded(walk, 'driver');
  walk.i16('temperature', per(10), '°C');
  walk.i16('second temperature', per(10), '°C');
  zeroEnded(walk, 'text, or list of values');
}

function zeroEnded(walk: Walk, name: string): void {
  const end = walk.bytes.subarray(0, walk.end).indexOf(0, walk.at);
  walk.take(name, (end < 0 ? walk.end : end + 1) - walk.at, asText);
}

/** Degrees with decimals, or millionths. */
const degrees = (text: string): number => (text.includes('.') ? Number(text) : Number(text) / 1e6);

const HEAD: readonly FieldName[] = ['prefix', 'CRC', 'length', 'sequence', 'unit ID'];
const RECORD: readonly FieldName[] = [
  ...['time of the fix', 'time by the clock', 'time of sending'],
  ['longitude', '°', degrees],
  ['latitude', '°', degrees],
  ...['course', 'report ID'],
  ...['odometer', 'HDOP', 'inputs', 'speed', 'outputs', 'analog input', 'driver', 'temperature', 'second temperature'],
];

function text(walk: Walk, [head, sum = '']: RegExpExecArray): void {
  const right = crc16Ibm(walk.bytes, head.length - 1, walk.bytes.length);
  const names: readonly FieldName[] = [...HEAD, ...RECORD];
  const end = walk.bytes.indexOf(0x0a);
  walkFields(walk, end < 0 ? walk.end : end, ',', index =>
    index === 1
      ? ['CRC', undefined, () => verdict(right, 4)(Number.parseInt(sum, 16))]
      : (names[index] ?? 'text and values'),
  );
}

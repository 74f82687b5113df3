import { crc16Modbus } from '../crc16.ts';
import { angle, type FieldName, hemisphere, validity, walkFields } from '../explain/fields.ts';
import { type FramePart, verdict, Walk } from '../explain/walk.ts';
import { ALARMS } from './alarms.ts';
import { AROUND_PLACE, AT, CLOUD, STANDARD } from './at.ts';
import { AVL, SHORT } from './avl.ts';
import { xorOf } from './frame.ts';

const latin1 = new TextDecoder('latin1');

/** Text from `$$`, as in `decode.ts`. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const end = contentEnd(frame);
  const text = latin1.decode(frame.subarray(0, Math.min(end, 4096)));
  const at = AT.exec(text);
  const avl = AVL.exec(text);
  if (avl) classic(walk, end, avl);
  else if (at) series(walk, end, at);
  walk.rest('end');
  return walk.done();
}

function contentEnd(frame: Uint8Array): number {
  let end = frame.length;
  while (end > 0 && (frame[end - 1] === 0x0a || frame[end - 1] === 0x0d)) end--;
  return end;
}

const asItIs = (bytes: Uint8Array): string => latin1.decode(bytes);
const moment = (bytes: Uint8Array): string =>
  latin1.decode(bytes).replace(/^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3T$4:$5:$6Z');
const number = (bytes: Uint8Array): number => Number(latin1.decode(bytes));

function checksum(walk: Walk, digits: number, computed: number): void {
  walk.take('checksum', digits, bytes => verdict(computed, digits)(Number.parseInt(latin1.decode(bytes), 16)));
}

function series(walk: Walk, end: number, [, , , , content = '']: readonly string[]): void {
  walk.take('start', 2, asItIs);
  walk.take('length', 4, number, 'bytes');
  walk.take('type', 2, asItIs);
  walk.take('IMEI', 16, bytes => latin1.decode(bytes.subarray(0, 15)));
  const standard = STANDARD.exec(content);
  const around = standard ? null : AROUND_PLACE.exec(content);
  if (standard || around) {
    walk.take('vehicle status', 8, asItIs);
    walk.take('time', 12, moment);
    const front = ((standard ?? around)?.[3] ?? '').length;
    if (front > 0) walk.take('voltages and values of the model', front, asItIs);
    if (standard) beforePlace(walk);
    place(walk, 'latitude', (around?.[4] ?? '4152.7347').length);
    place(walk, 'longitude', (around?.[6] ?? '08737.8005').length);
    if (walk.at < end - 2) walk.take(standard ? 'serial number' : 'values of the model', end - 2 - walk.at, asItIs);
  } else if (CLOUD.test(content)) {
    walkFields(walk, end - 2, ',', index => CLOUD_FIELDS[index]);
  } else if (content.length > 0) walk.take('content', content.length, asItIs);
  checksum(walk, 2, xorOf(walk.bytes, Math.max(0, end - 2)));
}

function beforePlace(walk: Walk): void {
  walk.take('satellites', 2, number);
  walk.take('signal', 2, number);
  walk.take('course', 3, number, '°');
  walk.take('speed', 3, number, 'km/h');
  walk.take('HDOP', 4, number);
  walk.take('odometer', 7, asItIs);
}

function place(walk: Walk, name: string, digits: number): void {
  walk.take(name, digits, bytes => angle(asItIs(bytes)), '°');
  walk.take('hemisphere', 1, bytes => hemisphere(asItIs(bytes)));
}

const CLOUD_FIELDS: readonly FieldName[] = ['time', ['longitude', '°'], ['latitude', '°'], 'form'];

/** `|` after each field. */
const PLACE: readonly FieldName[] = [
  'date and time',
  ['validity', undefined, validity],
  ['latitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['longitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['speed', 'kn'],
  ['course', '°'],
];

const GPRMC: readonly FieldName[] = ['sentence', 'time', ...PLACE.slice(1), 'date'];

const BEHIND = /^[01]{8,12}$/;

function classic(walk: Walk, end: number, [, , imei = '', type = '', content = '']: readonly string[]): void {
  walk.take('start', 2, asItIs);
  walk.take('length', 2, bytes => Number.parseInt(asItIs(bytes), 16), 'bytes');
  walk.take('IMEI', imei.length + 1, bytes => asItIs(bytes.subarray(0, imei.length)));
  walk.take('alarm', 2, () => `${type} ${ALARMS[type.toUpperCase()]?.what ?? 'not named'}`);
  const last = end - 4;
  if (SHORT.test(content)) walkFields(walk, until(walk, last, PLACE.length), '|', index => PLACE[index]);
  else {
    const bar = walk.bytes.indexOf(0x7c, walk.at);
    const stop = bar < 0 || bar > last ? last : bar;
    if (content.startsWith('$GPRMC')) walkFields(walk, stop, ',', index => GPRMC[index] ?? 'mode and checksum');
    else if (stop > walk.at) walk.take('no fix', stop - walk.at, asItIs);
    if (walk.at < last) walk.take('bar', 1, asItIs);
  }
  fields(walk, last);
  checksum(walk, 4, crc16Modbus(walk.bytes, 0, Math.max(0, last)));
}

/** Where the next `count` fields end. */
function until(walk: Walk, last: number, count: number): number {
  let at = walk.at;
  for (let left = count; left > 0 && at < last; left--) {
    const bar = walk.bytes.indexOf(0x7c, at);
    at = bar < 0 || bar >= last ? last : bar + 1;
  }
  return at;
}

const DOPS: readonly FieldName[] = ['PDOP', 'HDOP', 'VDOP'];
const VALUES: readonly FieldName[] = ['status: buttons, inputs, outputs', 'clock', 'voltage: charging, battery, input'];

function fields(walk: Walk, last: number): void {
  const texts = latin1.decode(walk.bytes.subarray(walk.at, last)).split('|');
  const at = texts.findIndex(text => BEHIND.test(text));
  walkFields(walk, last, '|', (index, text) => {
    if (index < at) return at === 1 ? 'HDOP' : DOPS[index];
    const named = VALUES[index - at];
    if (index - at === 1 && text.length !== 14) return 'voltage: charging, battery';
    if (named !== undefined && at >= 0) return named;
    return /\./.test(text)
      ? 'odometer'
      : text.length === 4
        ? 'temperature, or serial number'
        : 'ADC, area and cell, or card';
  });
}

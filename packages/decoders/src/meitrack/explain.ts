import { ascii } from '../bytes.ts';
import { type FieldName, walkFields } from '../explain/fields.ts';
import { asEither, asText, type FramePart, moment, per, type Say, verdict, Walk } from '../explain/walk.ts';
import { timeOf } from './cce.ts';
import { EVENT_CODES } from './event-codes.ts';
import { checksum, readHead } from './frame.ts';
import { nameOfUnknown, PARAMETER_BY_ID } from './parameters.ts';
import { readTime } from './text.ts';

const TAIL_BYTES = 5;
const COMMA = 0x2c;

/** "GPRS Command Format": start, flag, length, IMEI, command, content, star, checksum, end of line. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const head = readHead(frame);
  if (head === null || head === 'more') {
    walk.rest('no frame of this protocol');
    return walk.done();
  }
  const star = Math.max(head.comma + 1, frame.length - TAIL_BYTES);
  walk.take('start', 2, asText);
  walk.take('flag', 1, asText);
  walk.take('length', head.comma + 1 - walk.at, () => head.length, 'bytes');
  upToComma(walk, 'IMEI', star);
  const name = upToComma(walk, 'command', star);
  if (name === 'CCE') cce(walk, star);
  else if (name === 'CCC') ccc(walk, star);
  else if (name === 'D00') {
    for (const field of ['picture', 'parts', 'this part']) upToComma(walk, field, star);
    walk.take('bytes of the picture', Math.max(0, star - walk.at));
  } else {
    const shift = name === 'AFF' ? 1 : 0;
    walkFields(walk, star, ',', index =>
      name === 'AAA' || shift === 1
        ? index < shift
          ? 'number of the cached report'
          : REPORT[index - shift]
        : undefined,
    );
  }
  if (walk.at < star) walk.take('more', star - walk.at);
  walk.take('star', 1, () => '');
  walk.take('checksum', 2, digits => verdict(checksum(frame, star + 1), 2)(Number.parseInt(ascii(digits), 16)));
  walk.rest('end of line', () => '');
  return walk.done();
}

function upToComma(walk: Walk, name: string, until: number): string {
  const found = walk.bytes.subarray(0, until).indexOf(COMMA, walk.at);
  const end = found < 0 ? until : found;
  const text = ascii(walk.bytes.subarray(walk.at, end));
  walk.take(name, Math.max(0, (found < 0 ? until : found + 1) - walk.at), () => text);
  return text;
}

const event: Say<number | string> = code => {
  const word = EVENT_CODES.get(Number(code));
  return word ? `${code} ${word}` : code;
};

/** AAA. */
const REPORT: readonly FieldName[] = [
  ['event', undefined, event],
  ['latitude', '°'],
  ['longitude', '°'],
  ['time', undefined, text => moment(readTime(text) ?? Number.NaN)],
  ['fix', undefined, text => (text === 'A' ? 'valid' : 'not valid')],
  'satellites',
  'GSM signal',
  ['speed', 'km/h'],
  ['course', '°'],
  'HDOP',
  ['altitude', 'm'],
  ['mileage', 'm'],
  ['run time', 's'],
  'country, network, area, cell',
  'inputs and outputs',
  'voltages',
  'what belongs to the event',
  'customized',
  'protocol version',
  'fuel',
  'temperatures',
];

/** Packets left, packets, then parameters grouped by their length. Little endian. */
function cce(walk: Walk, end: number): void {
  walk.little('packets left', 4);
  const packets = walk.little('packets', 2);
  for (let i = 1; i <= packets && walk.at < end; i++) {
    const length = walk.little('length', 2, undefined, 'bytes');
    walk.group(`packet ${i}`, cceParameters, Math.min(end, walk.at + length));
  }
}

type NumberRow = readonly [name: string, say?: Say<number>, unit?: string, signed?: true];
const NUMBERS: Readonly<Record<number, NumberRow>> = {
  1: ['event', event],
  64: ['event', event],
  2: ['latitude', per(1e6), '°', true],
  3: ['longitude', per(1e6), '°', true],
  4: ['time', seconds => moment(timeOf(seconds))],
  5: ['fix', value => (value === 1 ? 'valid' : 'not valid')],
  6: ['satellites'],
  7: ['GSM signal'],
  8: ['speed', undefined, 'km/h'],
  9: ['course', undefined, '°'],
  10: ['HDOP', per(10)],
  11: ['altitude', undefined, 'm', true],
  12: ['mileage', undefined, 'm'],
  13: ['run time', undefined, 's'],
  20: ['outputs'],
  21: ['inputs'],
  37: ['card', value => value.toString(16).toUpperCase().padStart(8, '0')],
  41: ['fuel', per(100), '%'],
};
const WIDE = 0xfe;

function cceParameters(walk: Walk): void {
  walk.little('parameters', 2);
  for (const size of [1, 2, 4, 0] as const) {
    if (walk.left === 0) return;
    const count = walk.u8(size === 0 ? 'of any length' : `of ${size} ${size === 1 ? 'byte' : 'bytes'}`);
    for (let i = 0; i < count && walk.left > 0; i++) parameter(walk, size);
  }
  walk.rest('more');
}

function parameter(walk: Walk, size: 0 | 1 | 2 | 4): void {
  const head = walk.peek() === WIDE ? 2 : 1;
  const id = head === 2 ? walk.peek() * 256 + walk.peek(1) : walk.peek();
  const row = PARAMETER_BY_ID.get(id);
  const [known, say, unit, signed] = size === 0 ? [] : (NUMBERS[id] ?? []);
  const name = `${nameOfUnknown(id).slice(1)} ${known ?? row?.name ?? 'parameter'}`;
  if (size === 0) {
    walk.take(name, head + 1 + walk.peek(head), bytes => asEither(bytes.subarray(head + 1)));
    return;
  }
  walk.take(
    name,
    head + size,
    bytes => {
      const value = new Walk(bytes, head).little('', size, undefined, undefined, signed ?? false);
      return say ? say(value) : row ? Number((value * row.scale).toPrecision(12)) : value;
    },
    unit ?? row?.unit,
  );
}

/** Version, length of a record, packets left, records of that length. */
function ccc(walk: Walk, end: number): void {
  walk.little('version', 2);
  const length = walk.little('length of a record', 2, undefined, 'bytes');
  walk.little('packets left', 4);
  for (let i = 1; length > 0 && walk.at + length <= end; i++) walk.group(`record ${i}`, cccRecord, walk.at + length);
}

function cccRecord(walk: Walk): void {
  walk.u8('event', event);
  walk.little('latitude', 4, per(1e6), '°', true);
  walk.little('longitude', 4, per(1e6), '°', true);
  walk.little('time', 4, seconds => moment(timeOf(seconds)));
  walk.u8('fix', value => (value === 1 ? 'valid' : 'not valid'));
  walk.u8('satellites');
  walk.u8('GSM signal');
  walk.little('speed', 2, undefined, 'km/h');
  walk.little('course', 2, undefined, '°');
  walk.little('HDOP', 2, per(10));
  walk.little('altitude', 2, undefined, 'm', true);
  walk.little('mileage', 4, undefined, 'm');
  walk.little('run time', 4, undefined, 's');
  for (const name of ['country (MCC)', 'network (MNC)', 'area (LAC)', 'cell']) walk.little(name, 2);
  walk.u8('outputs');
  walk.u8('inputs');
  for (const name of ['analog input 1', 'battery', 'external power']) if (walk.left >= 2) walk.little(name, 2);
  walk.rest('more');
}

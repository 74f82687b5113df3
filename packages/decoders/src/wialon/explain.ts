import { ascii } from '../bytes.ts';
import { crc16Ibm } from '../crc16.ts';
import { angle, type FieldName, hemisphere, walkFields } from '../explain/fields.ts';
import { asText, type FramePart, verdict, Walk } from '../explain/walk.ts';
import { inflate } from '../inflate.ts';
import { attached, CONTAINER, MOST_GROWTH, readHeader } from './frame.ts';
import { FULL_FIELDS, SHORT_FIELDS } from './record.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Wialon IPS, "General structure": tracker (over datagrams), type, fields, checksum since 2.0, end of line. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  if (frame[0] === CONTAINER) return container(walk);
  const header = readHeader(frame);
  if (header === null || header === 'more') {
    walk.rest('no frame of this protocol');
    return walk.done();
  }
  if (header.lead !== '') walk.take('tracker', header.lead.length, asText);
  walk.take('packet', header.at - walk.at, () => `${header.type} ${TYPES[header.type] ?? ''}`.trim());
  const line = frame.indexOf(LF, header.at);
  const end = line < 0 ? frame.length : frame[line - 1] === CR && line > header.at ? line - 1 : line;
  if (header.type === 'B') blackBox(walk, end);
  else message(walk, header.type, end);
  if (line >= 0) walk.take('end of line', line + 1 - walk.at, () => '');
  if (attached(frame.subarray(header.at, end), header.type) > 0) walk.rest('bytes of the file');
  return walk.done();
}

function container(walk: Walk): readonly FramePart[] {
  walk.u8('compressed', () => '');
  walk.take('bytes', 2, ([low = 0, high = 0]) => low + high * 256);
  const most = walk.left * MOST_GROWTH;
  walk.rest('packet', bytes => ascii(inflate(bytes, most) ?? new Uint8Array(0)));
  return walk.done();
}

const TYPES: Readonly<Record<string, string>> = {
  L: 'login',
  D: 'data',
  SD: 'short data',
  B: 'black box',
  P: 'sign of life',
  M: 'message from the driver',
  I: 'picture',
  IT: 'tachograph',
  T: 'tachograph',
  AM: 'answer to a message',
  AQI: 'answer to the question for a picture',
};

const RECORD: readonly FieldName[] = [
  'date',
  'time',
  ['latitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['longitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['speed', 'km/h'],
  ['course', '°'],
  ['altitude', 'm'],
  'satellites',
  'HDOP',
  'inputs',
  'outputs',
  'analog inputs',
  'card',
  'parameters',
];
const FIELDS: Readonly<Record<string, readonly FieldName[]>> = {
  I: ['bytes', 'part', 'last part', 'date', 'time', 'name'],
  T: ['code', 'bytes', 'part', 'last part'],
};

/** A field beyond the usual ones is the checksum of everything before it. */
function message(walk: Walk, type: string, end: number): void {
  const from = walk.at;
  const fields = ascii(walk.bytes.subarray(from, end)).split(';');
  const usual =
    type === 'SD'
      ? SHORT_FIELDS
      : type === 'D'
        ? FULL_FIELDS
        : type === 'L' && fields.length > 2
          ? fields.length - 1
          : null;
  const names = usual === null ? (FIELDS[type] ?? []) : RECORD;
  walkFields(walk, end, ';', (index, text) => {
    if (usual !== null && index === usual) return ['checksum', undefined, checked(walk.bytes, from, end - text.length)];
    if (type === 'L') return (usual === null ? ['tracker', 'password'] : ['version', 'tracker', 'password'])[index];
    return names[index] ?? (type === 'M' ? 'text' : undefined);
  });
}

const checked =
  (bytes: Uint8Array, from: number, to: number) =>
  (digits: string): string =>
    String(verdict(crc16Ibm(bytes, from, to), 4)(Number.parseInt(digits, 16)));

/** A group for each record. */
function blackBox(walk: Walk, end: number): void {
  const from = walk.at;
  for (let number = 1; walk.at < end; number++) {
    const bar = walk.bytes.subarray(0, end).indexOf(0x7c, walk.at);
    const next = bar < 0 ? end : bar + 1;
    const text = ascii(walk.bytes.subarray(walk.at, bar < 0 ? end : bar));
    if (!text.includes(';'))
      walk.take('checksum', next - walk.at, () =>
        text === '' ? '' : checked(walk.bytes, from, end - text.length)(text),
      );
    else {
      walk.group(
        `record ${number}`,
        inner => {
          walkFields(inner, bar < 0 ? end : bar, ';', index => RECORD[index]);
          inner.rest('bar', () => '');
        },
        next,
      );
    }
  }
}

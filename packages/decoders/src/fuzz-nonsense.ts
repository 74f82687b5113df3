import { ByteWriter } from './byte-writer.ts';
import { randomBytes, SAMPLE_POSITION } from './fuzz-inputs.ts';
import { encodeReport } from './gl200/encode.ts';
import { REPORTS } from './gl200/reports.ts';
import { encodeContent, encodeText } from './meitrack/encode.ts';
import { encodeOlder, encodeUniversal } from './suntech/encode.ts';
import { encodeData } from './wialon/encode.ts';

/** Frames with a valid envelope and checksum around arbitrary fields. */

const IMEI = '352093081452251';
const VALUES = [
  '',
  '0',
  '-1',
  '99999999999',
  '1e999',
  'NA',
  'FFFFFFFF',
  '20260115083005',
  '1.000000',
  'A',
  ':',
  '|',
  '-',
];
type Random = () => number;
const oneOf = <T>(random: Random, values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];

/** Replaces, drops and repeats fields. */
function shuffled(random: Random, fields: readonly string[]): string[] {
  return fields.flatMap(field => {
    const chance = random();
    if (chance < 0.7) return [field];
    if (chance < 0.9) return [oneOf(random, VALUES) ?? ''];
    return chance < 0.95 ? [] : [field, field];
  });
}

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0) & 0xff);

function gl200(random: Random): Uint8Array {
  const [head = '', ...fields] = textOf(encodeReport(IMEI, SAMPLE_POSITION, 1))
    .slice(0, -1)
    .split(',');
  const name = oneOf(random, [...Object.keys(REPORTS), 'GTINF', 'GTCAN', 'GTOBD', 'GTGSM', 'GTWIF', 'GTDAT', 'GTXXX']);
  return bytesOf(`${head.slice(0, 6)}${name},${shuffled(random, fields).join(',')}$`);
}

function meitrack(random: Random): Uint8Array {
  if (random() < 0.5) {
    const name = oneOf(random, ['CCE,', 'CCC,', 'D00,']) ?? 'CCE,';
    const head = Uint8Array.of(0, 0, 0, 0, 1 + Math.floor(random() * 3), 0);
    const content = new ByteWriter().ascii(name).bytes(head).bytes(randomBytes(random, 200)).done();
    return encodeContent(IMEI, content, 3);
  }
  const text = textOf(encodeText(IMEI, SAMPLE_POSITION, 1));
  const fields = text.slice(text.indexOf('AAA'), text.lastIndexOf('*')).split(',');
  return encodeContent(IMEI, bytesOf(shuffled(random, fields).join(',')), 3);
}

function suntech(random: Random): Uint8Array {
  const encode = random() < 0.5 ? encodeUniversal : encodeOlder;
  const [head = '', ...fields] = textOf(encode(IMEI, SAMPLE_POSITION, 1))
    .slice(0, -1)
    .split(';');
  const type = oneOf(random, ['STT', 'ALT', 'EMG', 'EVT', 'UEX', 'HTE', 'BLE', 'BSA', 'RES', 'ALV']);
  if (random() < 0.2) {
    const content = randomBytes(random, 120);
    return new ByteWriter().u8(0x81).u16(content.length).bytes(content).done();
  }
  return bytesOf(`${head.replace(/[A-Z]{3}$/, type ?? 'STT')};${shuffled(random, fields).join(';')}\r`);
}

function wialon(random: Random): Uint8Array {
  const text = textOf(encodeData(SAMPLE_POSITION));
  const fields = text.slice(3, text.lastIndexOf(';')).split(';');
  const type = oneOf(random, ['D', 'SD', 'B', 'M', 'I', 'T', 'IT', 'L', 'P']);
  return bytesOf(`#${type}#${shuffled(random, fields).join(';')}\r\n`);
}

export const NONSENSE: Readonly<Record<string, (random: Random) => Uint8Array>> = { gl200, meitrack, suntech, wialon };

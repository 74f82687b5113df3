import { toKilometresPerHour } from '@milepost/units';
import { crc16Ibm } from '../crc16.ts';
import {
  cutAnywhere,
  type Dialect,
  type Dialects,
  type Random,
  randomBytes,
  type Slot,
  slot,
  together,
  unknownBytes,
  unknownFields,
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeRecord, sealBinary } from './encode.ts';

/** What varies between models and settings: the prefix, the time's form, the listed values, the records in a frame. */

const IMEI = '352093081452251';
/** From the first time to the analog input. */
const FIXED_BYTES = 35;
const prefixes = slot('prefix', '@P', '@p', '@O', '@1');
const LISTS = ['', '\0', 'SOS\0', '%CI\0', '%CI%CE%CN%GQ\0', '%CI%VN%GL%GN%GV\0', '%CI%MV%BV%XX%SA\0'];

const binary: Dialect = {
  name: 'binary',
  brings: 'fix',
  slots: (position, random) => {
    const record = encodeRecord(position);
    return [
      prefixes,
      slot('fix', record.subarray(0, FIXED_BYTES)),
      cutAnywhere('driver and temperatures', record.subarray(FIXED_BYTES)),
      slot('list', ...LISTS),
      unknownBytes('values', random, 80),
    ];
  },
  seal: ([prefix, ...parts]) => sealBinary(IMEI, 7, together(parts), String.fromCharCode(...(prefix ?? []))),
};

const seconds = ({ time }: PositionMessage): string => String(time / 1000);
const clock = ({ time }: PositionMessage): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);
const millionths = (value: number): string => String(Math.round(value * 1e6));

const fieldsOf = (position: PositionMessage): Slot[] => [
  slot('times', ...[seconds, clock].map(form => Array.from({ length: 3 }, () => form(position)).join(','))),
  slot(
    'place',
    `,${millionths(position.lon)},${millionths(position.lat)}`,
    `,${position.lon.toFixed(6)},${position.lat.toFixed(6)}`,
  ),
  slot('course', `,${Math.round(position.course ?? 0)}`),
  slot('report ID', ',2', ',121'),
  slot('odometer', ',2511', ',6.5', ',0'),
  slot('HDOP', ',8', ',990', ',1.1'),
  slot('inputs', ',1', ',0'),
  slot('speed', `,${Math.round(toKilometresPerHour(position.speed ?? (0 as never)))}`),
  slot('outputs and analog', ',0,0', ',0,642'),
];

const TAILS = [',,2000,2000,', ',,2000,2000,\x1a', ',0,0,0,\x1a', ',DE4F,215,-30,', ''];

/** Prefix, fields; the CRC begins with the comma behind the length. */
function sealedText([prefix, ...parts]: readonly Uint8Array[]): Uint8Array {
  const latin1 = (bytes: Uint8Array): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  const content = Uint8Array.from(`,7,${IMEI},${latin1(together(parts))}\r\n`, letter => letter.charCodeAt(0));
  const digits = crc16Ibm(content, 0, content.length).toString(16).padStart(4, '0');
  const sum = content.length % 2 === 0 ? digits : digits.toUpperCase();
  const head = `${latin1(prefix ?? new Uint8Array(0))},${sum},${content.length}`;
  return together([Uint8Array.from(head, letter => letter.charCodeAt(0)), content]);
}

const text: Dialect = {
  name: 'text',
  brings: 'fix',
  slots: (position, random) => [
    prefixes,
    ...fieldsOf(position),
    slot('tail', ...TAILS),
    slot('values', '', ',%CI%BC,3:224:F128833445E6002C09C6', ',%CI%MV%SA,124,9', ',0DE0CD9F8F1F40FE092D0BA0C5F0'),
    unknownFields('more', random, 8),
  ],
  seal: sealedText,
};

const picture: Dialect = {
  name: 'picture',
  brings: 'no fix',
  slots: (_position, random: Random) => [
    slot('prefix', '@R'),
    slot('part', ...[0, 1, 35, 60, 800].map(length => randomBytes(random, length))),
  ],
  seal: ([, ...parts]) => sealBinary(IMEI, 7, together(parts), '@R'),
};

export const dialects: Dialects = { over: 'stream', dialects: [binary, text, picture] };

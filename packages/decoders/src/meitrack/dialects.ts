import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import {
  asciiBytes,
  cutAnywhere,
  type Dialect,
  type Dialects,
  randomBytes,
  separated,
  slot,
  together,
  unknownBytes,
  unknownFields,
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeContent } from './encode.ts';

/** What varies between models and firmware: the fields after the position, and the parameters. */

const IMEI = '352093081452251';
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const little = (value: number, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, i) => Math.floor((value >>> 0) / 256 ** i) & 0xff);
const clockOf = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(2, 14);
const MILLENNIUM_MS = Date.UTC(2000, 0, 1);
const millionths = (value: number): Uint8Array => little(Math.round(value * 1e6), 4);
const seconds = ({ time }: PositionMessage): Uint8Array => little((time - MILLENNIUM_MS) / 1000, 4);
const seal = (parts: readonly Uint8Array[]): Uint8Array => encodeContent(IMEI, together(parts), 3);

const text: Dialect = {
  name: 'text',
  brings: 'fix',
  slots: (position, random) => [
    ...separated(',', [
      slot('command', 'AAA', 'AFF,0004', 'AAX', 'XYZ'),
      slot('event', '35', '1', '0', '255', '109', ''),
      slot(
        'latitude',
        position.lat.toFixed(6),
        position.lat.toFixed(5),
        position.lat.toFixed(7),
        position.lat.toFixed(14),
      ),
      slot('longitude', position.lon.toFixed(6), position.lon.toFixed(5), ` ${position.lon.toFixed(6)}`),
      slot('time', clockOf(position.time), `${clockOf(position.time)} `, `20${clockOf(position.time)}`),
      slot('fix', 'A', 'V', ' A', 'a', 'v', '', '1', '0'),
      slot('satellites', '9', '', '0', ' 9'),
      slot('signal', '20', '', '99'),
      slot('speed', String(Math.round(toKilometresPerHour(position.speed ?? (0 as never)))), '', '41.0'),
      slot('course', String(position.course ?? 0), '', '323'),
      slot('HDOP', '0.8', '', '1', '0.0'),
      slot('altitude', '181', '', '-7'),
      slot('mileage', '1697', '', '249701532'),
      slot('run time', '1', ''),
      slot('tower', '310|410|81FE|066D5A', '0|0|0000|0000', '', '639|02|100E|844'),
      slot('lines', '0400', '0000', '8400', ''),
      slot('voltages', '0000|0000|0000|0195|04F0', '|||0A22|0000', '4.33|12.96|1.92|2.72|2.69', '', '0018|||025D|00CB'),
    ]),
    unknownFields('tail', random, 14, ',', [
      '',
      '0',
      '00000001',
      '1E28',
      '108',
      '11|171207091500',
      '0000|0000',
      '01091A',
    ]),
  ],
  seal,
};

/** Events and validities that no document has. */
const unusual: Dialect = {
  name: 'text with unknown words',
  brings: 'fix',
  slots: position =>
    separated(',', [
      slot('command', 'AAA', 'AFF,0004'),
      slot('event', '35', 'X5', 'A5', '-1', '1.5', '4294967296'),
      slot('place', `${position.lat.toFixed(6)},${position.lon.toFixed(6)},${clockOf(position.time)}`),
      slot('fix', 'A', 'N', 'B', '2', '3D', '-', 'A,A'),
      slot('tail', '9,20,54', ''),
    ]),
  seal,
};

/** Reports that end at any field after the fix. */
const shortened: Dialect = {
  name: 'shortened text',
  brings: 'fix',
  slots: position => {
    const head = ['AAA', '35', position.lat.toFixed(6), position.lon.toFixed(6), clockOf(position.time), 'A'];
    return [
      slot('head', head.join()),
      cutAnywhere('tail', asciiBytes(',9,20,54,271,0.8,181,1697,1,310|410|81FE|6D5A,0400,0000|0000|0000|0195|04F0')),
    ];
  },
  seal,
};

/** Empty coordinates. */
const none: Dialect = {
  name: 'text without a fix',
  brings: 'no fix',
  slots: (position, random) => [
    ...separated(',', [
      slot('command', 'AAA', 'AFF,0004'),
      slot('event', '35', '255'),
      slot('coordinates', ','),
      slot('time', clockOf(position.time), '700101000000'),
      slot('fix', 'V', 'A'),
      slot('satellites', '0', ''),
    ]),
    unknownFields('tail', random, 12),
  ],
  seal,
};

const ccc: Dialect = {
  name: 'CCC',
  brings: 'fix',
  slots: (position, random) => [
    slot('version', bytes(2, 1), bytes(1, 5)),
    slot('left', little(1, 4), little(400, 4)),
    slot('records', bytes(1), bytes(2), bytes(5)),
    slot('event', bytes(35), bytes(1), bytes(255)),
    slot('place', together([millionths(position.lat), millionths(position.lon), seconds(position)])),
    slot('fix', bytes(1), bytes(0)),
    cutAnywhere(
      'tail',
      new ByteWriter().hex('09130036000F010800B500D338010007CBF0200FE01010004350000000A001A3010000').done(),
    ),
    unknownBytes('more', random, 10),
  ],
  seal: ([version = bytes(), left = bytes(), records = bytes(1), ...parts]) => {
    const record = together(parts);
    const all = Array.from({ length: records[0] ?? 1 }, () => record);
    return seal([asciiBytes('CCC,'), version, little(record.length, 2), left, ...all]);
  },
};

/** Undocumented ids, in the documented sizes. */
const unknownIds = (name: string, size: number, random: () => number) => {
  const one = (id: number): Uint8Array => {
    const head = size === 0 ? bytes(id, 5) : bytes(id);
    return together([head, randomBytes(random, size || 5)]);
  };
  const wide = (id: number): Uint8Array => together([bytes(0xfe), one(id)]);
  return { name, alternatives: [bytes(), one(0xe0), wide(0xe1), one(0xe2)] };
};

const cce = (name: string): Dialect => ({
  name,
  brings: 'fix',
  slots: (position, random) => [
    slot('packets', bytes(1), bytes(0), bytes(2), bytes(3)),
    slot('fix', bytes(5, 1, 6, 9), bytes(5, 0), bytes(6, 0, 7, 20), bytes()),
    unknownIds('bytes', 1, random),
    slot('words', bytes(8, 54, 0, 9, 15, 1), bytes(0x1a, 0xd9, 4), bytes()),
    unknownIds('unknown words', 2, random),
    slot('latitude', together([bytes(2), millionths(position.lat)])),
    slot('longitude', together([bytes(3), millionths(position.lon)])),
    slot('time', together([bytes(4), seconds(position)])),
    unknownIds('longs', 4, random),
    slot('tower', new ByteWriter().hex('0E0C36019A01FE815A6D06000000').done(), bytes()),
    unknownIds('lists', 0, random),
    unknownBytes('damage', random, 4),
  ],
  seal: ([packets = bytes(1), ...parts]) => {
    const [fix, more, words, moreWords, lat, lon, time, longs, tower, lists, damage] = parts;
    const group = (count: number, ...all: readonly (Uint8Array | undefined)[]): Uint8Array =>
      together([bytes(count), ...all.map(each => each ?? bytes())]);
    const some = (part: Uint8Array | undefined): number => ((part?.length ?? 0) > 0 ? 1 : 0);
    const parameters = together([
      group((fix?.length ?? 0) / 2 + some(more), fix, more),
      group((words?.length ?? 0) / 3 + some(moreWords), words, moreWords),
      group(3 + some(longs), lat, lon, time, longs),
      group(some(tower) + some(lists), tower, lists),
      damage ?? bytes(),
    ]);
    const packet = together([little(parameters.length + 2, 2), little(9, 2), parameters]);
    return seal([asciiBytes(`${name},`), little(0, 4), little(packets[0] ?? 1, 2), packet]);
  },
});

export const dialects: Dialects = {
  over: 'stream',
  dialects: [text, unusual, shortened, none, ccc, cce('CCE'), cce('CFF')],
};

import { ByteWriter } from '../byte-writer.ts';
import {
  type Dialect,
  type Dialects,
  type Slot,
  separated,
  slot,
  together,
  unknownFields,
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeRecord, encodeReport } from './encode.ts';
import { MILEAGE_RECORD } from './frame.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const IDENTITY = '4109876543';

const documented = (position: PositionMessage): string[] =>
  String.fromCharCode(...encodeReport(IDENTITY, position))
    .slice(1, -1)
    .split(',');

const sealed = (parts: readonly Uint8Array[]): Uint8Array =>
  together([Uint8Array.of(0x2a), ...parts, Uint8Array.of(0x23)]);

const noPoint = (angle: string): string => angle.replace('.', '');

const text: Dialect = {
  name: 'text',
  brings: 'fix',
  slots: (position, random) => {
    const [maker = '', identity = '', keyword = '', ...fields] = documented(position);
    const [clock = '', flag = '', lat = '', north = '', lon = '', east = '', speed = '', course = '', date = ''] =
      fields;
    const status = fields[9] ?? '';
    return [
      ...separated(',', [
        slot('maker', maker, 'TH', 'hq', '24', 'X1'),
        slot('identity', identity, '352093081452251', '83001234', '8600012345678901', '14104'),
        slot('keyword', keyword, 'V2', 'V5', 'V6', 'V8', 'v1', 'VI1', 'B1', 'XX', 'ALARM'),
        slot('clock', clock, `${clock}.00`, clock.replace(/(..)(..)(..)/, '$1:$2:$3'), `${Number(clock)}`),
        slot('validity', flag, 'V', '0', '1', '', 'B'),
        slot('place', ...places([lat, north], [lon, east], position)),
        slot('speed', speed, '', '0', '000.00', '-', 'N'),
        slot('course', course, '', '0', '000.0', '-'),
        slot('date', ...dates(date)),
        slot('status', status, status.toLowerCase(), ` ${status} `, '', 'FFFF'),
      ]),
      unknownFields('tail', random, 6),
    ];
  },
  seal: sealed,
};

const alternatives = (angle: string, hemisphere: string): string[] => [
  `${angle},${hemisphere}`,
  `${angle}0,${hemisphere}`,
  `${angle}0000000,${hemisphere}`,
  `${noPoint(angle)},${hemisphere}`,
  `${hemisphere},${angle}`,
  `${angle}${hemisphere}`,
  `${hemisphere}${angle}`,
  `-${angle},${hemisphere}`,
  ` ${angle},${hemisphere}`,
  `${angle} , ${hemisphere}`,
];

type Angle = readonly [text: string, hemisphere: string];

/** One of the two angles in another form, and both in decimal degrees. */
function places([lat, north]: Angle, [lon, east]: Angle, position: PositionMessage): string[] {
  const [first = '', ...lats] = alternatives(lat, north);
  const [second = '', ...lons] = alternatives(lon, east);
  const decimal = (angle: number, decimals: number): string => Math.abs(angle).toFixed(decimals);
  return [
    `${first},${second}`,
    ...lats.map(text => `${text},${second}`),
    ...lons.map(text => `${first},${text}`),
    ...[4, 5, 6, 12].map(
      places => `${decimal(position.lat, places)},${north},${decimal(position.lon, places)},${east}`,
    ),
  ];
}

const dates = (date: string): string[] => {
  const [day, month, year] = [date.slice(0, 2), date.slice(2, 4), date.slice(4)];
  return [
    date,
    `4,${date}`,
    '',
    `${day}${month}20${year}`,
    `20${year}${month}${day}`,
    `${day}/${month}/${year}`,
    `${day}-${month}-20${year}`,
    `20${year}-${month}-${day}`,
    `${Number(day)}/${Number(month)}/${year}`,
    `${Number(date)}`,
  ];
};

/** Without coordinates, no other field may be taken for a position. */
const noFix: Dialect = {
  name: 'without a fix',
  brings: 'no fix',
  slots: (position, random) => {
    const [maker = '', identity = '', keyword = '', clock = '', , , , , , , , date = '', status = ''] =
      documented(position);
    return [
      ...separated(',', [
        slot('maker', maker),
        slot('identity', identity),
        slot('keyword', keyword, 'V2', 'V5', 'V8', 'VP1', 'LINK', 'V3', 'NBR', 'XX'),
        slot('clock', clock, '', '000000'),
        slot('validity', 'V', 'A', '0', ''),
        slot(
          'place',
          ',N,,E',
          '0.0000,0,0.0000,0',
          ',,,',
          '22344026,,113564321,',
          '9934.4026,N,19934.4026,E',
          '310,260,32936,13641',
        ),
        slot('motion', '000.00,000', ','),
        slot('date', date, '', '000000'),
        slot('status', status, ''),
      ]),
      unknownFields('tail', random, 4, ',', ['', '0', '310', 'FFFFFFFF', '6']),
    ];
  },
  seal: sealed,
};

const hexed = (digits: string): Uint8Array => new ByteWriter().hex(digits).done();

/** Packed decimals: a ten-digit identity with a tail of 3, 16 or 17 bytes, or a fifteen-digit one with a tail of 10. */
const record = (name: string, identity: Slot, tail: Slot, start?: Slot): Dialect => ({
  name,
  brings: 'fix',
  slots: position => {
    const whole = encodeRecord(IDENTITY, position);
    const piece = (title: string, from: number, to: number, ...others: readonly string[]): Slot =>
      slot(title, whole.subarray(from, to), ...others.map(hexed));
    const flags = whole[21] ?? 0;
    return [
      start ?? piece('start', 0, 1),
      identity,
      piece('time and latitude', 6, 16),
      piece('battery', 16, 17, '06', '64'),
      piece('longitude', 17, 21),
      slot('flags', Uint8Array.of(flags), Uint8Array.of(flags ^ 2), Uint8Array.of(flags | 1)),
      piece('speed and course', 22, 25, '000000', '999359', 'ffffff', 'fff359', '012fff'),
      piece('status', 25, 29, 'ffffffff', '00000000', 'fffffbff'),
      tail,
    ];
  },
  seal: together,
});

const SHORT_IDENTITY = slot('identity', hexed(IDENTITY), hexed('0000000001'));

export const dialects: Dialects = {
  over: 'stream',
  dialects: [
    text,
    noFix,
    record('record', SHORT_IDENTITY, slot('tail', hexed('ff0000'))),
    record(
      'record with a mileage',
      slot('mileage', hexed('0000130502'), hexed('0000000000'), hexed('9999999999')),
      slot('tail', hexed('ff0000'), hexed('00001f'), hexed('fff701')),
      slot('start', Uint8Array.of(MILEAGE_RECORD)),
    ),
    record(
      'record with a tower',
      SHORT_IDENTITY,
      slot(
        'tail',
        hexed('ff001406000000000136000481fe6d5a'),
        hexed('00bdf0900000000001d60161cc4b9a35'),
        hexed('ff0014080000a1230136000481fe6d5a'),
        hexed('00001f0c00a1b2c30136000481fe6d5a'),
        hexed('ff00140800a1b2c30000000000000000'),
      ),
    ),
    record('record of 46 bytes', SHORT_IDENTITY, slot('tail', hexed('ff0301002a102030006400001122334455'))),
    record(
      'record with an IMEI',
      slot('identity', hexed('3520930814522510'), hexed('352093081452251e')),
      slot('tail', hexed('01120064ba73005ecc00'), new Uint8Array(10)),
    ),
  ],
};

import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import {
  cutAnywhere,
  type Dialect,
  type Dialects,
  type Slot,
  separated,
  slot,
  together,
  unknownBytes,
  unknownFields,
} from '../dialects/dialect.ts';
import { join } from '../testing/stream.ts';
import { encodeOlder, encodeUniversal } from './encode.ts';
import { SIZES } from './zip.ts';

/** What varies between series, settings and firmware. There is no checksum. */

const ID = '205174410';
const ids = slot('id', ID, '317652', '0560001616', '352093081452251', '3520930814');
const CR = Uint8Array.of(0x0d);
const line = (parts: readonly Uint8Array[]): Uint8Array => join([...parts, CR]);
const words = (bytes: Uint8Array): string[] =>
  String.fromCharCode(...bytes)
    .slice(0, -1)
    .split(';');
const TAIL = [
  '',
  '0',
  '1',
  '000000',
  '4.1',
  '0.00',
  '01E04D44160000',
  '-75',
  'A7',
  '00000000',
  '28EE56B911160234:+13.7',
];

/** Latitude and longitude with the different digits and signs that models use. */
const angles = (name: string, text: string): Slot => {
  const [, sign = '', whole = '', decimals = ''] = /^([+-])(\d+)\.(\d+)$/.exec(text) ?? [];
  const bare = sign === '+' ? '' : sign;
  return slot(
    name,
    text,
    `${sign}${whole.padStart(3, '0')}.${decimals}`,
    `${bare}${whole}.${decimals}`,
    `${sign}${whole}.${decimals}0`,
    `${sign}${whole}.${decimals}000000`,
    `${sign}${whole}.${decimals.slice(0, 5)}`,
    ` ${sign}${whole}.${decimals} `,
  );
};

const older: Dialect = {
  name: 'older text',
  brings: 'fix',
  slots: (position, random) => {
    const [, , model = '', firmware = '', date = '', clock = '', cell = '', lat = '', lon = '', ...rest] = words(
      encodeOlder(ID, position, 1),
    );
    const [speed = '', course = '', satellites = '', fix = '', ...tail] = rest;
    return [
      ...separated(';', [
        slot(
          'header',
          'ST300STT',
          'ST300ALT',
          'ST300EMG',
          'ST300EVT',
          'SA200STT',
          'ST3330STT',
          'ST310USTT',
          'ST340LCALT',
          'ST600ALT',
          'ST300XYZ',
          'ST300GED;Res',
        ),
        ids,
        slot('model', model, '', `${model};${firmware}`),
        slot('firmware', firmware, '', '319H', '1.0.15'),
        slot('date', date, date.replace(/(....)(..)(..)/, '$1-$2-$3'), ` ${date}`),
        slot('clock', clock, `${clock} `),
        slot('cell', cell, '', '00000', '0032cc3e;736;3;445c;41', '1;2'),
        angles('latitude', lat),
        angles('longitude', lon),
        slot('speed', speed, '', '0', '000.000'),
        slot('course', course, '', '0', '000.00'),
        slot('satellites', satellites, '', '0'),
        slot('fix', fix, '0', '', 'F'),
      ]),
      cutAnywhere('tail', new TextEncoder().encode(`;${tail.join(';')}`)),
      unknownFields('more', random, 8, ';', TAIL),
    ];
  },
  seal: line,
};

const universal: Dialect = {
  name: 'universal text',
  brings: 'fix',
  slots: (position, random) => {
    const [, , , model = '', firmware = '', sent = '', date = '', clock = '', ...rest] = words(
      encodeUniversal(ID, position, 1),
    );
    const [cell = '', mcc = '', mnc = '', lac = '', level = '', lat = '', lon = '', ...behind] = rest;
    const [speed = '', course = '', satellites = '', fix = '', ...tail] = behind;
    return [
      ...separated(';', [
        slot('header', 'STT', 'ALT', 'EMG', 'EVT', 'CRR', 'HTE', 'XYZ', 'RES'),
        ids,
        slot('map', 'BFFFFF', '3FFFFF', 'FFFFFF', '03FFFFFF', '000000', 'nonsense', ''),
        slot('model', model, ''),
        slot('firmware', firmware, '010'),
        slot('sent', sent, '0', ''),
        slot('date', date),
        slot('clock', clock),
        slot('network', [cell, mcc, mnc, lac, level].join(';'), `${cell};0;0;0000;0`, ';;;;', cell, '0;0'),
        angles('latitude', lat),
        angles('longitude', lon),
        slot('speed', speed, '', '0'),
        slot('course', course, '', '0'),
        slot('satellites', satellites, '', '0'),
        slot('fix', fix, '0', ''),
      ]),
      cutAnywhere('tail', new TextEncoder().encode(`;${tail.join(';')}`)),
      unknownFields('more', random, 8, ';', TAIL),
    ];
  },
  seal: line,
};

/** A report map that leaves out any of the fields around the position. */
const mapped: Dialect = {
  name: 'universal text by its map',
  brings: 'fix',
  slots: position => {
    const [, , , ...fields] = words(encodeUniversal(ID, position, 1));
    const needed = new Set([4, 5, 11, 12]);
    return fields
      .slice(0, SIZES.length - 1)
      .map((text, i) => (needed.has(i + 1) ? slot(`bit ${i + 1}`, text) : slot(`bit ${i + 1}`, text, '\0')));
  },
  seal: parts => {
    const texts = parts.map(part => String.fromCharCode(...part));
    const map = texts.reduce((bits, text, i) => (text === '\0' ? bits : bits | (1 << (i + 1))), 0);
    const present = texts.filter(text => text !== '\0');
    const digits = map.toString(16).toUpperCase().padStart(6, '0');
    return line([new TextEncoder().encode(['STT', ID, digits, ...present].join(';'))]);
  },
};

const battery: Dialect = {
  name: 'battery trackers',
  brings: 'fix',
  slots: (position, random) => {
    const [, , , , date = '', clock = '', , lat = '', lon = '', speed = '', course = ''] = words(
      encodeOlder(ID, position, 1),
    );
    const towers = ['24153;724;4;-65;365;0', '24161;724;4;365;0;0', '0;0;0;0;0;0'];
    return [
      ...separated(';', [
        slot('header', 'ST410STT', 'ST410ALT', 'ST420STT'),
        ids,
        slot('firmware', '426;01', '426', '408;01'),
        slot('towers', towers.join(';'), towers[0] ?? '', '', Array.from({ length: 7 }, () => towers[1]).join(';')),
        slot('battery', '3.98;1;0176;2;016', '3.8;1;2503;6', '3.7;0', ''),
        slot('date', date),
        slot('clock', clock),
        angles('latitude', lat),
        angles('longitude', lon),
        slot('speed', speed, '', '0'),
        slot('course', course, ''),
        slot('satellites', '6', ''),
        slot('fix', '1', '0'),
      ]),
      unknownFields('more', random, 5, ';', TAIL),
    ];
  },
  seal: line,
};

const st910: Dialect = {
  name: 'ST910',
  brings: 'fix',
  slots: (position, random) => {
    const [, , , firmware = '', date = '', clock = '', , lat = '', lon = '', speed = '', course = ''] = words(
      encodeOlder(ID, position, 1),
    );
    return [
      ...separated(';', [
        slot('header', 'ST910', 'ST940', 'ST900'),
        slot('kind', 'Location', 'Alert', 'Emergency', 'Other'),
        ids,
        slot('firmware', firmware, '500', ''),
        slot('date', date),
        slot('clock', clock),
        slot('cell', '3be0133057', ''),
        angles('latitude', lat),
        angles('longitude', lon),
        slot('speed', speed, ''),
        slot('course', course, ''),
        slot('fix', '1', '0', 'F'),
        slot('battery', '4.2', '286734;72', ''),
      ]),
      unknownFields('more', random, 12, ';', TAIL),
    ];
  },
  seal: line,
};

const two = (value: number): string => String(value).padStart(2, '0');
const clockBytes = (time: number): number[] => {
  const date = new Date(time);
  return [
    date.getUTCFullYear() - 2000,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
};

/** A whole number in bytes, then packed decimals. */
function packed(value: number, bytes: 1 | 2, decimals: number): Uint8Array {
  const [whole = '', rest = ''] = Math.abs(value).toFixed(decimals).split('.');
  const writer = new ByteWriter();
  return (bytes === 1 ? writer.u8(Number(whole)) : writer.u16(Number(whole))).hex(rest).done();
}

const olderZip: Dialect = {
  name: 'older zip',
  brings: 'fix',
  slots: ({ time, lat, lon, speed, course, satellites, odometer }, random) => {
    const signs = (lat < 0 ? 0x40 : 0) | (lon < 0 ? 0x20 : 0);
    const fix = (valid: number): Uint8Array => Uint8Array.of(valid | signs | ((satellites ?? 0) & 31));
    const clock = clockBytes(time);
    // A packed-decimal time that is also a valid time in plain bytes would be read as plain bytes.
    const decimals = clock.map(two).join('');
    const plain = (clock[1] ?? 0) < 10 ? [] : [new ByteWriter().hex(decimals).done()];
    return [
      slot('header', ...[0x10, 0x11, 0x12, 0x13, 0x15].map(header => Uint8Array.of(header))),
      // Six-digit ids have no model number behind them.
      slot(
        'id, model, firmware',
        ...['2051744100280313', '2051744123280313', '2051744100000010', '8500000022', '205174280010'].map(digits =>
          new ByteWriter().hex(digits).done(),
        ),
      ),
      slot('clock', Uint8Array.from(clock), ...plain),
      slot('cell', new Uint8Array(3), Uint8Array.of(0xc9, 0x9e, 0x48)),
      slot('latitude', packed(lat, 1, 6)),
      slot('longitude', packed(lon, 1, 6)),
      slot('speed', packed(toKilometresPerHour(speed ?? (0 as never)), 2, 2)),
      slot('course', packed(course ?? 0, 2, 2)),
      slot('fix', fix(0x80), fix(0)),
      slot('distance', new ByteWriter().u32(Math.round(odometer ?? 0)).done()),
      slot('power', Uint8Array.of(14, 0x10), Uint8Array.of(0, 0)),
      slot('lines', Uint8Array.of(5), Uint8Array.of(0), Uint8Array.of(0xff)),
      cutAnywhere('tail', Uint8Array.of(1, 0, 42, 0, 0, 14, 16, 4, 0x12, 1)),
      unknownBytes('more', random, 6),
    ];
  },
  seal: parts => {
    const content = together(parts);
    return new ByteWriter().u8(2).u16(content.length).bytes(content).u8(3).done();
  },
};

const magnitude = (value: number): number => (Math.round(Math.abs(value) * 1e6) | (value < 0 ? 0x8000_0000 : 0)) >>> 0;

const universalZip: Dialect = {
  name: 'universal zip',
  brings: 'fix',
  slots: (position, random) => {
    const clock = clockBytes(position.time);
    const given: Readonly<Record<number, Uint8Array>> = {
      4: Uint8Array.from(clock.slice(0, 3)),
      5: Uint8Array.from(clock.slice(3)),
      11: new ByteWriter().u32(magnitude(position.lat)).done(),
      12: new ByteWriter().u32(magnitude(position.lon)).done(),
      16: Uint8Array.of(1),
    };
    const fields = SIZES.slice(1).map((size, i): Slot => {
      const bytes = given[i + 1];
      if (bytes) return { name: `bit ${i + 1}`, alternatives: [bytes] };
      return {
        name: `bit ${i + 1}`,
        alternatives: [new Uint8Array(size), new Uint8Array(size).fill(0xff), new Uint8Array(0)],
      };
    });
    return [
      slot('header', ...[0x81, 0x82, 0x83, 0x84, 0x85].map(header => Uint8Array.of(header))),
      ...fields,
      unknownBytes('more', random, 8),
    ];
  },
  seal: ([header = Uint8Array.of(0x81), ...parts]) => {
    const fields = parts.slice(0, SIZES.length - 1);
    const map = fields.reduce((bits, part, i) => (part.length === 0 ? bits : bits | (1 << (i + 1))), 0);
    const content = new ByteWriter().hex('0560001616').u24(map).bytes(join(parts)).done();
    return new ByteWriter().bytes(header).u16(content.length).bytes(content).done();
  },
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [older, universal, mapped, battery, st910, olderZip, universalZip],
};

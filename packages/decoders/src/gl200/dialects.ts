import { toKilometresPerHour } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Ccitt } from '../crc16.ts';
import {
  asciiBytes,
  type Dialect,
  type Dialects,
  type Random,
  type Slot,
  separated,
  slot,
  together,
  unknownBytes,
  unknownFields,
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { BEFORE_ID, BEFORE_PLACE, BEHIND_ID, type Field, MASK } from './binary-location.ts';
import { encodeReport } from './encode.ts';
import { timeText } from './text-fields.ts';

/** What varies between models, their masks and their firmware. */

const IMEI = '352093081452251';
const VIN = '1FMZU72E95A770026';
const WORDS = [
  '',
  '0',
  '1',
  '00',
  '100',
  '85',
  '210100',
  '0.0',
  '12345:12:34',
  '-58',
  'FFFFF',
  '00:00:00',
  'nan',
  '+0000',
];

const textPlace = (position: PositionMessage, random: Random): Slot[] => {
  const { lat, lon, speed, course, altitude, time } = position;
  const more = random() < 0.5 ? '01,12' : '03,7,0';
  return [
    slot('accuracy', '1', '0', '50', ''),
    slot('speed', toKilometresPerHour(speed ?? (0 as never)).toFixed(1), '', '0', '0.0'),
    slot('course', String(course ?? 0), '', '0'),
    slot('altitude', (altitude ?? 0).toFixed(1), '', '-93.1', '0'),
    slot('longitude', lon.toFixed(6), lon.toFixed(5), lon.toFixed(7), lon.toFixed(12), shortest(lon)),
    slot('latitude', lat.toFixed(6), lat.toFixed(5), lat.toFixed(7), lat.toFixed(12), shortest(lat)),
    slot('time', timeText(time)),
    slot('tower', '0310,0410,81FE,066D5A', ',,,', '310,410,500b,B0E320F', '0310,0410,81FE,066D5A'),
    slot(
      'reserved',
      '00',
      '',
      more,
      '01,11',
      '0009,9,2.01,1.47,2.49',
      '1B,9,0,2.01,1.47,2.49,1',
      '19,0,,79',
      '0015e96913a7,-58',
    ),
  ];
};

/** Without the zeros at its end, so that few decimals may be left. */
const shortest = (angle: number): string => {
  const digits = String(Number(angle.toFixed(6)));
  return digits.includes('.') ? digits : `${digits}.0`;
};

const text: Dialect = {
  name: 'text',
  brings: 'fix',
  slots: (position, random) => {
    const before = ['12665', '10', '1'];
    const blank = '0,,,,,,,0310,0410,81FE,066D5A,00';
    return [
      ...separated(',', [
        slot(
          'report',
          ...['+RESP:GTFRI', '+BUFF:GTFRI', '+RESP:GTERI', '+RESP:GTIGN', '+RESP:GTSTT', '+RESP:GTOBD', '+RESP:GTCAN'],
          ...['+RESP:GTNMR', '+RESP:GTXYZ', '+BUFF:GTPFA', '+RESP:GTGEO', '+RESP:GTIDA', '+RESP:GTDAT', '+RESP:GTTEM'],
        ),
        slot('version', '060228', '8020050502', '1A0102', ''),
        slot('identity', IMEI, 'A1000045835601'),
        slot('name', 'gv300', '', `${VIN},gv500`, `${VIN},`, 'Cami\xc3\xb3n 12', 'Se\xf1al'),
        slot(
          'before',
          before.join(),
          ',10,1',
          '0,0,1',
          '00000100,,10,1',
          '00000002,12003,10,1',
          '41',
          '',
          '1,2,3,4,5,6',
          `00,2,${blank}`,
          `00,3,${blank},${blank}`,
        ),
        ...textPlace(position, random),
      ]),
      unknownFields('tail', random, 12, ',', WORDS),
      slot('sent', `,${timeText(position.time)}`, ','),
      slot('count', ',11F0', ',000C', ','),
    ];
  },
  seal: parts => together([...parts, asciiBytes('$')]),
};

/** GL100 and GT300: no version and no name in front, the version at the end and a zero byte after it, another order in the position. */
const firstModels: Dialect = {
  name: 'text of the first models',
  brings: 'fix',
  slots: ({ lat, lon, speed, course, altitude, time }) =>
    separated(',', [
      slot('report', ...['TRI', 'SZI', 'EST', 'SOS', 'RTL', 'MSA', 'BND', 'NMR', 'XYZ'].map(word => `+RESP:GT${word}`)),
      slot('identity', IMEI),
      slot('before', '1,0,0', '1,0,99', '0,3,1'),
      slot('fix', '1', '0'),
      slot('speed', toKilometresPerHour(speed ?? (0 as never)).toFixed(1), '0.0', ''),
      slot('heading', String(course ?? 0), '0', ''),
      slot('altitude', (altitude ?? 0).toFixed(1), '-3.5', '', '70'),
      slot('accuracy', '1', '0', '50', ''),
      slot('longitude', lon.toFixed(6), lon.toFixed(5)),
      slot('latitude', lat.toFixed(6), lat.toFixed(5)),
      slot('time', timeText(time)),
      slot('tower', '0460,0000,18d8,6141', ',,,'),
      slot('reserved', '00', ''),
      slot('sent', '11F0', `${timeText(time)},11F0`),
      slot('version and end', '0102070202$', '010210020A$', '0102070202\0'),
    ]),
  seal: together,
};

/** Every field of the position is empty, except the tower. */
const none: Dialect = {
  name: 'text without a fix',
  brings: 'no fix',
  slots: (position, random) => [
    ...separated(',', [
      slot('report', '+RESP:GTFRI', '+BUFF:GTFRI', '+RESP:GTGEO', '+RESP:GTIGN', '+RESP:GTOBD', '+RESP:GTXYZ'),
      slot('version', '060228', ''),
      slot('identity', IMEI),
      slot('name', 'gv300', '', `${VIN},gv500`),
      slot('before', '12665,10,1', ',10,1', '0,0,1', '41', ''),
      slot('accuracy', '0', ''),
      slot('place', ',,,,,'),
      slot('tower', '0310,0410,81FE,066D5A', ',,,'),
    ]),
    unknownFields('tail', random, 12, ',', WORDS),
    slot('sent', `,${timeText(position.time)}`, ','),
    slot('count', ',11F0', ','),
  ],
  seal: parts => together([...parts, asciiBytes('$')]),
};

/** The fields that a GV300 sends if nothing is left out, with other events. */
const encoded: Dialect = {
  name: 'as encoded',
  brings: 'fix',
  slots: position =>
    separated(
      ',',
      String.fromCharCode(...encodeReport(IMEI, position, 1))
        .slice(0, -1)
        .split(',')
        .map((field, i) => slot(`field ${i}`, field)),
    ),
  seal: parts => together([...parts, asciiBytes('$')]),
};

const whole = (value: number): Uint8Array => new ByteWriter().u16(Math.round(value) & 0xffff).done();

const clock = (time: number): Uint8Array => {
  const date = new Date(time);
  const parts = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return new ByteWriter().u16(date.getUTCFullYear()).bytes(Uint8Array.from(parts)).done();
};

const ABSENT = new Uint8Array(0);
/** The fields that a mask may leave out, in order. */
const MASKED: readonly Field[] = [
  ...BEFORE_ID.map(([field]) => field),
  ...BEHIND_ID.map(([field]) => field),
  ...BEFORE_PLACE.map(([field]) => field),
  'cell',
];

const binary = (name: string, header: string, places: number): Dialect => ({
  name,
  brings: 'fix',
  slots: (position, random) => {
    const kmh = toKilometresPerHour(position.speed ?? (0 as never));
    const values: Readonly<Partial<Record<Field, Uint8Array>>> = {
      speed: new ByteWriter().u16(Math.floor(kmh)).u8(0).done(),
      azimuth: whole(position.course ?? 0),
      altitude: whole(position.altitude ?? 0),
      cell: new ByteWriter().hex('0310041081fe6d5a00').done(),
      motion: Uint8Array.of(0x22),
    };
    const sizes = new Map([...BEFORE_ID, ...BEHIND_ID, ...BEFORE_PLACE]);
    const optional = MASKED.map(field => {
      const value = values[field] ?? new Uint8Array(sizes.get(field) ?? 0).fill(1);
      return { name: field, alternatives: [value, ABSENT] };
    });
    return [
      slot('type', ...[7, 0, 11, 100, 255].map(type => Uint8Array.of(type))),
      ...optional,
      slot('accuracy', Uint8Array.of(1), Uint8Array.of(0)),
      {
        name: 'place',
        alternatives: [
          new ByteWriter()
            .u32(Math.round(position.lon * 1e6) >>> 0)
            .u32(Math.round(position.lat * 1e6) >>> 0)
            .bytes(clock(position.time))
            .done(),
        ],
      },
      unknownBytes('behind', random, 20),
      slot('reserved bit', Uint8Array.of(0), Uint8Array.of(1)),
      slot('sent', clock(position.time)),
    ];
  },
  seal: parts => {
    const [type = ABSENT, ...rest] = parts;
    const by = new Map(MASKED.map((field, i) => [field, rest[i] ?? ABSENT]));
    const [accuracy = ABSENT, place = ABSENT, behind = ABSENT, reserved, sent = ABSENT] = rest.slice(MASKED.length);
    const given = (field: Field): Uint8Array => by.get(field) ?? ABSENT;
    // Some models set the battery bit but send no battery level.
    const bits = MASKED.reduce((mask, field) => (given(field).length > 0 ? mask | MASK[field] : mask), 0x00f0_00b0);
    const mask = reserved?.[0] === 1 ? bits | MASK.battery : bits;
    const fix = together([accuracy, ...BEFORE_PLACE.map(([field]) => given(field)), place, given('cell')]);
    const content = together([
      ...BEFORE_ID.map(([field]) => given(field)),
      Uint8Array.of(35, 20, 93, 8, 14, 52, 25, 1),
      ...BEHIND_ID.map(([field]) => given(field)),
      header === '+EVT' ? ABSENT : Uint8Array.of(0x10),
      Uint8Array.of(places),
      ...Array.from({ length: places }, () => fix),
      behind,
      sent,
      Uint8Array.of(0, 1),
    ]);
    const length = 4 + 1 + 4 + 2 + content.length + 4;
    const frame = new ByteWriter().ascii(header).bytes(type).u32(mask).u16(length).bytes(content).done();
    return new ByteWriter()
      .bytes(frame)
      .u16(crc16Ccitt(frame, 4, frame.length))
      .u16(0x0d0a)
      .done();
  },
});

/** Items of the newer models, of any number and length, around the one with the position. */
const records: Dialect = {
  name: 'records',
  brings: 'fix',
  slots: (position, random) => {
    const items = (name: string): Slot => ({
      name,
      alternatives: [
        ABSENT,
        Uint8Array.of(0x02, 2, 0x41, 0x42),
        Uint8Array.of(0x10, 0),
        Uint8Array.of(0x75, 3, ...Array.from({ length: 3 }, () => Math.floor(random() * 256))),
        Uint8Array.of(0x80, 0x8c, 9, ...Array.from({ length: 9 }, () => Math.floor(random() * 256))),
        Uint8Array.of(0x20, 0x80, 0x80, ...new Uint8Array(128)),
      ],
    });
    const place = new ByteWriter()
      .u8(0x29)
      .u32(Math.round(position.lon * 1e6) >>> 0)
      .u32(Math.round(position.lat * 1e6) >>> 0)
      .u32(position.time / 1000)
      .done();
    const item = (id: number, more: number): Uint8Array =>
      new ByteWriter()
        .u8(id)
        .u8(place.length + more)
        .bytes(place)
        .bytes(new Uint8Array(more))
        .done();
    return [
      items('before'),
      slot('place', item(0x52, 9), item(0x51, 2), item(0x51, 0), item(0x52, 40)),
      items('behind'),
    ];
  },
  seal: parts => {
    const content = new ByteWriter().u32(0x6968_a57d).u16(1).u8(0x50).u8(0).bytes(together(parts)).done();
    const long = content.length + 1 > 0x7f;
    const record = new ByteWriter();
    if (long) record.u16(0x8000 | (content.length + 2));
    else record.u8(content.length + 1);
    const body = record.bytes(content).done();
    const head = new ByteWriter().hex('0003520930814522518203000300').u8(0).done();
    const length = 4 + head.length + body.length + 4;
    return new ByteWriter().u16(0x2b00).u16(length).bytes(head).bytes(body).hex('010ff824').done();
  },
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [
    text,
    firstModels,
    none,
    encoded,
    binary('binary', '+RSP', 1),
    binary('binary events', '+EVT', 1),
    binary('binary with several places', '+BSP', 3),
    records,
  ],
};

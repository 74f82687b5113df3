import { ByteWriter } from '../byte-writer.ts';
import { crc16Itu } from '../crc16.ts';
import {
  cutAnywhere,
  type Dialect,
  type Dialects,
  type Random,
  randomBytes,
  slot,
  together,
  unknownBytes,
} from '../dialects/dialect.ts';
import { encodeAlarm, encodeLocation, timeOf } from './encode.ts';
import { FIX_BYTES } from './fix.ts';
import { LONG_START, SHORT_START, STOP } from './frame.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const IMEI = '0352093081452251';
const HEAD_BYTES = 4;
const END_BYTES = 6;

/** Start, type, content: adds the length, the serial number and the checksum. */
function sealed([start = new Uint8Array(0), ...parts]: readonly Uint8Array[]): Uint8Array {
  const content = together(parts);
  const long = start[0] === 0x79 || content.length + END_BYTES - 2 > 0xff;
  const length = content.length + END_BYTES - 2;
  const head = new ByteWriter().u16(long ? LONG_START : SHORT_START);
  const frame = (long ? head.u16(length) : head.u8(length)).bytes(content).u16(7).done();
  return new ByteWriter()
    .bytes(frame)
    .u16(crc16Itu(frame, 2, frame.length))
    .u16(STOP)
    .done();
}

const START = slot('start', Uint8Array.of(0x78), Uint8Array.of(0x79));
const hexed = (digits: string): Uint8Array => new ByteWriter().hex(digits).done();
const type = (...numbers: readonly number[]) => slot('type', ...numbers.map(number => Uint8Array.of(number)));
const contentOf = (frame: Uint8Array): Uint8Array => frame.slice(HEAD_BYTES, -END_BYTES);

/** Logins, answers to commands and time requests, which are not reports. */
const NO_REPORTS = new Set([0x01, 0x15, 0x21, 0x81, 0x8a]);
/** Packets that by their document begin with something other than a fix. */
const OTHER_HEADS = new Set([0x31, 0x32, 0x33, 0x70, 0xf1, 0xf2, 0x95]);
const EVERY_TYPE = Array.from({ length: 256 }, (_, number) => number).filter(number => !NO_REPORTS.has(number));

const INPUT_BITS = [0x40, 0x80, 0xc0];
/** Some makers put inputs into the two bits of the status word that the documents leave clear. */
const withInputs = (fix: Uint8Array): Uint8Array[] =>
  INPUT_BITS.map(bits => fix.map((byte, at) => (at === FIX_BYTES - 2 ? byte | bits : byte)));

const location: Dialect = {
  name: 'location',
  brings: 'fix',
  slots: (position, random) => {
    const content = contentOf(encodeLocation(position, 1));
    const plain = EVERY_TYPE.filter(number => number !== 0x22 && !OTHER_HEADS.has(number));
    return [
      START,
      type(0x22, ...plain),
      slot('before', '', hexed(IMEI), hexed(`01${IMEI}`), new Uint8Array(4)),
      slot('fix', content.subarray(0, FIX_BYTES), ...withInputs(content.subarray(0, FIX_BYTES))),
      cutAnywhere('tower, ignition, mileage', content.subarray(FIX_BYTES)),
      unknownBytes('tail', random, 40),
    ];
  },
  seal: sealed,
};

const alarm: Dialect = {
  name: 'alarm',
  brings: 'fix',
  slots: (position, random) => {
    const state = { ignition: true, charging: true, batteryLevel: 83, gsm: 31 };
    const content = contentOf(encodeAlarm({ ...position, event: 'sos' }, state, 1));
    return [
      START,
      type(0x26, 0x16, 0x27, 0xa3, 0xa4, 0x25, 0x47, 0xa7, 0xf3),
      slot('fix', content.subarray(0, FIX_BYTES)),
      cutAnywhere('tower and state', content.subarray(FIX_BYTES)),
      unknownBytes('tail', random, 70),
    ];
  },
  seal: sealed,
};

const information: Dialect = {
  name: 'information',
  brings: 'fix',
  slots: (position, random) => [
    START,
    type(0x94),
    slot('kind', ...EVERY_TYPE.map(number => Uint8Array.of(number))),
    slot('fix', contentOf(encodeLocation(position, 1)).subarray(0, FIX_BYTES)),
    unknownBytes('tail', random, 12),
  ],
  seal: sealed,
};

const MODULES = {
  imei: hexed(`00010008${IMEI}`),
  level: hexed('006a000160'),
  unknown: hexed('00430002abcd'),
} as const;

const modular: Dialect = {
  name: 'modules',
  brings: 'fix',
  slots: position => {
    const block = contentOf(encodeLocation(position, 1)).subarray(0, FIX_BYTES);
    const seconds = new ByteWriter()
      .u32(position.time / 1000)
      .u8(9)
      .u16(0);
    const fix = new ByteWriter()
      .u16(0x33)
      .u16(18)
      .bytes(seconds.bytes(block.subarray(7)).done());
    return [
      START,
      type(0x70),
      slot('head', hexed('0000000102'), ''),
      slot('before', '', MODULES.imei, MODULES.unknown),
      slot('fix', fix.done()),
      slot('behind', '', MODULES.level, MODULES.unknown, '0', hexed('006a00'), hexed('0043000aab'), hexed('000000')),
    ];
  },
  seal: sealed,
};

const country = (random: Random): Uint8Array =>
  new ByteWriter()
    .u16(200 + Math.floor(random() * 600))
    .u8(Math.floor(random() * 100))
    .done();

/** Towers and Wi-Fi stations after a time: none of it is a position. */
const towers: Dialect = {
  name: 'towers',
  brings: 'no fix',
  slots: (position, random) => [
    START,
    type(0x28, 0x11, 0x18, 0x24, 0x2c, 0x31, 0xa1, 0xa2, 0x25, 0x47, 0x7e),
    slot('time', timeOf(position.time)),
    slot('network', country(random)),
    unknownBytes('towers', random, 80),
  ],
  seal: sealed,
};

const noise: Dialect = {
  name: 'anything',
  brings: 'either',
  slots: (position, random) => [
    START,
    type(...EVERY_TYPE),
    slot('time', '', timeOf(position.time)),
    slot('content', ...[8, 12, 18, 20, 26, 30, 40, 60].map(length => randomBytes(random, length))),
  ],
  seal: sealed,
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [location, alarm, information, modular, towers, noise],
};

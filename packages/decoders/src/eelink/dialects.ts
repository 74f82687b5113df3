import { ByteWriter } from '../byte-writer.ts';
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
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeLocation, encodePackage, wrapped } from './encode.ts';
import { GPS_BYTES } from './position.ts';

/** What varies between models and firmware: the mask, what the tail has, the wrapper, the older packages. */

const IMEI = '352093081452251';
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const NOTHING = bytes();
const HEAD_BYTES = 7;
const FIX_FROM = HEAD_BYTES + 5;

const fixOf = (position: PositionMessage): Uint8Array =>
  encodeLocation({ ...position, attributes: {} }, 1).subarray(FIX_FROM, FIX_FROM + GPS_BYTES);
const tailOf = (position: PositionMessage): Uint8Array =>
  encodeLocation({ ...position, attributes: {} }, 1).subarray(FIX_FROM + GPS_BYTES);
const timeOf = ({ time }: PositionMessage): Uint8Array => new ByteWriter().u32(time / 1000).done();

/** Each block has a bit of the mask. */
const BLOCKS = [
  [0x02, 11],
  [0x04, 7],
  [0x08, 7],
  [0x10, 7],
  [0x20, 7],
  [0x40, 7],
] as const;

function blocks(random: Random): Slot[] {
  const radio = BLOCKS.map(([bit, size]) => ({
    name: `block 0x${bit.toString(16)}`,
    alternatives: [NOTHING, randomBytes(random, size), bytes(...new Uint8Array(size))],
  }));
  const station = randomBytes(random, 7);
  const extension = [
    NOTHING,
    bytes(7, 0),
    together([bytes(7, 1), randomBytes(random, 19)]),
    together([bytes(8, 0b0001_1011), randomBytes(random, 19), randomBytes(random, 10), station, station, station]),
    together([bytes(9, 0b0000_1000), station]),
  ];
  return [...radio, { name: 'extension', alternatives: extension }];
}

const BITS = [0x01, ...BLOCKS.map(([bit]) => bit), 0x80];

/** Type, wrapper, time, fix, blocks, rest: the mask says what is there. */
function sealed([type = bytes(0x12), wrapper = NOTHING, time = NOTHING, ...parts]: readonly Uint8Array[]): Uint8Array {
  const mask = BITS.reduce((sum, bit, i) => sum | ((parts[i]?.length ?? 0) > 0 ? bit : 0), 0);
  const content = together([time, bytes(mask), ...parts]);
  const frame = encodePackage(type[0] ?? 0x12, 7, content);
  return wrapper.length > 0 ? wrapped(IMEI, frame) : frame;
}

const WRAPPED = slot('wrapper', '', 'EL');
const type = (...numbers: readonly number[]): Slot => slot('package', ...numbers.map(number => bytes(number)));

const location = (name: string, fixed: boolean): Dialect => ({
  name,
  brings: fixed ? 'fix' : 'no fix',
  slots: (position, random) => [
    type(0x12),
    WRAPPED,
    slot('time', timeOf(position)),
    slot('fix', fixed ? fixOf(position) : NOTHING),
    ...blocks(random),
    cutAnywhere('hardware and sensors', tailOf(position)),
    unknownBytes('tail', random, 40),
  ],
  seal: sealed,
});

const warning: Dialect = {
  name: 'warning',
  brings: 'fix',
  slots: (position, random) => [
    type(0x14),
    WRAPPED,
    slot('time', timeOf(position)),
    slot('fix', fixOf(position)),
    ...blocks(random),
    slot('warning', ...Array.from({ length: 256 }, (_, number) => bytes(number))),
    slot('status', bytes(0x06, 0x7f), NOTHING, bytes(0), bytes(0xff, 0xff)),
    unknownBytes('data of the warning', random, 20),
  ],
  seal: sealed,
};

/** Of these only the position is known. */
const others: Dialect = {
  name: 'report or message',
  brings: 'fix',
  slots: (position, random) => [
    type(0x15, 0x16),
    WRAPPED,
    slot('time', timeOf(position)),
    slot('fix', fixOf(position)),
    ...blocks(random),
    unknownBytes('rest', random, 40),
  ],
  seal: sealed,
};

const older: Dialect = {
  name: 'before version 2',
  brings: 'fix',
  slots: (position, random) => [
    type(0x02, 0x04, 0x05),
    WRAPPED,
    slot('time', timeOf(position)),
    slot('place', fixOf(position).subarray(0, 8)),
    slot('speed', bytes(54), bytes(0), bytes(255)),
    slot('course', bytes(1, 15), bytes(0, 0)),
    slot('cell', randomBytes(random, 9), new Uint8Array(9)),
    slot('validity', bytes(1)),
    unknownBytes('tail', random, 16),
  ],
  seal: ([type = bytes(0x02), wrapper = NOTHING, ...parts]) => {
    const frame = encodePackage(type[0] ?? 0x02, 7, together(parts));
    return wrapper.length > 0 ? wrapped(IMEI, frame) : frame;
  },
};

const noise: Dialect = {
  name: 'anything',
  brings: 'either',
  slots: (position, random) => [
    type(...Array.from({ length: 256 }, (_, number) => number).filter(number => number !== 1)),
    WRAPPED,
    slot('time', '', timeOf(position)),
    slot('content', ...[0, 1, 4, 9, 20, 25, 33, 60].map(length => randomBytes(random, length))),
  ],
  seal: ([type = bytes(0), wrapper = NOTHING, ...parts]) => {
    const frame = encodePackage(type[0] ?? 0, 7, together(parts));
    return wrapper.length > 0 ? wrapped(IMEI, frame) : frame;
  },
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [location('location', true), location('location without a fix', false), warning, others, older, noise],
};

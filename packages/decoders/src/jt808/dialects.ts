import { ByteWriter } from '../byte-writer.ts';
import { ascii, Reader } from '../bytes.ts';
import {
  anyPosition,
  asciiBytes,
  cutAnywhere,
  type Dialect,
  type Dialects,
  type Random,
  randomBytes,
  slot,
  together,
  unknownBytes,
} from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeLocation, encodePacket } from './encode.ts';
import { LOCATION_BYTES } from './location.ts';
import { MESSAGES } from './messages.ts';
import { unpack } from './packet.ts';
import { STATUS } from './status.ts';
import { timeDigits } from './time.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const IDENTITY = '013912345678';

/** Message id, tracker ID, and the body in pieces. */
function sealed([id = new Uint8Array(2), identity = new Uint8Array(0), ...body]: readonly Uint8Array[]): Uint8Array {
  return encodePacket(new Reader(id).u16(), ascii(identity), 7, together(body));
}

const ids = (...numbers: readonly number[]) =>
  slot('id', ...numbers.map(number => new ByteWriter().u16(number).done()));
/** Twelve digits; fifteen with the 2019 header; fourteen as a number. */
const identity = slot('identity', IDENTITY, '352093081452251', '35209308145225');

/** Alarm, status, position, motion, time; then the items. */
function bodyOf(position: PositionMessage): Uint8Array {
  const unpacked = unpack(encodeLocation(IDENTITY, { ...position, gsm: 25 as const }, 1));
  return 'packet' in unpacked ? unpacked.packet.body : new Uint8Array(0);
}

/** With the sign in the coordinates instead of the status word: as a negative number, and in the highest bit. */
function signedForms({ lat, lon }: PositionMessage, body: Uint8Array): Uint8Array[] {
  const status = new Reader(body, 4).u32() & ~(STATUS.south | STATUS.west);
  const micro = (angle: number): number => Math.round(angle * 1e6);
  const inBit = (angle: number): number => (angle < 0 ? 0x8000_0000 - micro(angle) : micro(angle));
  return [micro, inBit].map(form =>
    new ByteWriter()
      .bytes(body.subarray(0, 4))
      .u32(status)
      .u32(form(lat) >>> 0)
      .u32(form(lon) >>> 0)
      .bytes(body.subarray(16))
      .done(),
  );
}

const item = (id: number, bytes: Uint8Array): Uint8Array =>
  new ByteWriter().u8(id).u8(bytes.length).bytes(bytes).done();

/** Items with arbitrary content, and at the end a list that is cut off. */
const items = (random: Random) =>
  slot(
    'items',
    '',
    ...Array.from({ length: 256 }, (_, id) => item(id, randomBytes(random, Math.floor(random() * 24)))),
    Uint8Array.of(0x30, 9, 1),
    Uint8Array.of(0x30),
  );

/** Messages with their own layout, parts of a picture, and messages without a location. */
const UNLIKE = new Set([...MESSAGES.keys()].filter(id => id !== 0x0200));

const location: Dialect = {
  name: 'location',
  brings: 'fix',
  slots: (position, random) => {
    const body = bodyOf(position);
    return [
      ids(0x0200, 0x0203, 0x0f01, 0x0506, 0x8888, 0x0c01),
      identity,
      slot('body', body.subarray(0, LOCATION_BYTES), ...signedForms(position, body.subarray(0, LOCATION_BYTES))),
      cutAnywhere('documented items', body.subarray(LOCATION_BYTES)),
      items(random),
    ];
  },
  seal: sealed,
};

const elsewhere: Dialect = {
  name: 'location under other ids',
  brings: 'fix',
  slots: (position, random) => [
    ids(
      ...Array.from({ length: 400 }, () => Math.floor(random() * 0xffff)).filter(
        id => !UNLIKE.has(id) && id >> 8 !== 0x55,
      ),
    ),
    identity,
    slot('before', Uint8Array.of(0, 7), '', new Uint8Array(4).fill(0xff)),
    slot('other', '', bodyOf(anyPosition(random))),
    slot('body', bodyOf(position).subarray(0, LOCATION_BYTES)),
    unknownBytes('behind', random, 30),
  ],
  seal: sealed,
};

const batch: Dialect = {
  name: 'batch',
  brings: 'fix',
  slots: position => {
    const body = bodyOf(position);
    const part = new ByteWriter().u16(body.length).bytes(body).done();
    return [
      ids(0x0704),
      identity,
      slot('count', Uint8Array.of(0, 2), Uint8Array.of(0, 0), Uint8Array.of(0, 9)),
      slot('kind', Uint8Array.of(1), Uint8Array.of(0), ''),
      slot('other', part, '', new ByteWriter().u16(3).u24(0).done()),
      slot('body', part, new ByteWriter().u8(body.length).bytes(body).done(), body),
      slot('behind', '', Uint8Array.of(0), new ByteWriter().u16(40).u24(1).done()),
    ];
  },
  seal: sealed,
};

/** 0x0205: four lists of satellites before the location. */
const behindSatellites: Dialect = {
  name: 'location behind satellites',
  brings: 'fix',
  slots: (position, random) => {
    const list = (name: string) =>
      slot(
        name,
        ...[4, 0, 1, 9, 20].map(count =>
          new ByteWriter()
            .u8(count)
            .bytes(randomBytes(random, count * 5))
            .done(),
        ),
      );
    return [
      ids(0x0205),
      identity,
      ...['BeiDou', 'GPS', 'GLONASS', 'Galileo'].map(list),
      slot('body', bodyOf(position).subarray(0, LOCATION_BYTES)),
    ];
  },
  seal: sealed,
};

/** 0x0900 with data from a device on a port. */
const passedThrough: Dialect = {
  name: 'data passed through',
  brings: 'no fix',
  slots: (position, random) => [
    ids(0x0900),
    identity,
    slot('type', ...[0xf0, 0x41, 0x42, 0x53, 0x00, 0x0b, 0xa1].map(type => Uint8Array.of(type))),
    slot('time', new ByteWriter().hex(timeDigits(position.time)).done()),
    slot('kind', ...[2, 3, 4, 5, 6, 7].map(kind => Uint8Array.of(0, 2, kind))),
    unknownBytes('content', random, 60),
  ],
  seal: sealed,
};

/** The standard's other messages: kept, whatever they contain. */
const others: Dialect = {
  name: 'messages of the standard',
  brings: 'either',
  slots: (_position, random) => [
    ids(...[...MESSAGES.keys()].filter(id => id >> 8 !== 0x55)),
    identity,
    slot('head', '', Uint8Array.of(1), Uint8Array.of(4), new Uint8Array(4)),
    unknownBytes('content', random, 60),
  ],
  seal: sealed,
};

const noise: Dialect = {
  name: 'anything',
  brings: 'either',
  slots: (_position, random) => [
    ids(0x0200, 0x0900, 0x0704, 0x0210, 0x0801, 0x5501, 0x0500, 0x7777),
    identity,
    slot('head', '', Uint8Array.of(0xf0), asciiBytes('*')),
    unknownBytes('content', random, 90),
  ],
  seal: sealed,
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [location, elsewhere, batch, behindSatellites, passedThrough, others, noise],
};

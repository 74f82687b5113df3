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

/** What varies between units and their scripts. Datagrams have no checksum. */

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const packed = (digits: string): Uint8Array => new ByteWriter().hex(digits).done();
const u32 = (value: number): Uint8Array => new ByteWriter().u32(value >>> 0).done();
const angle = (value: number): Uint8Array => u32(Math.round(value * 1e7));

/** Each is announced by its bit and preceded by its length. */
const options: Slot = slot(
  'options',
  new ByteWriter().u8(0x83).u8(5).hex('4332149475').u8(1).u8(1).done(),
  new ByteWriter().u8(0x81).u8(8).hex('352093081452251F').done(),
  new ByteWriter().u8(0x87).u8(5).hex('4332149475').u8(1).u8(1).u8(4).u32(0).done(),
  new ByteWriter().u8(0x9b).u8(5).hex('4332149475').u8(1).u8(1).u8(2).u16(0).u8(6).hex('010203040506').done(),
  new ByteWriter().u8(0xc3).u8(5).hex('4332149475').u8(1).u8(1).u8(3).hex('010203').done(),
);

const service = slot('service', bytes(1), bytes(0));

const report = (name: string, types: readonly number[], tail: Uint8Array): Dialect => ({
  name,
  brings: 'fix',
  slots: ({ time, lat, lon, satellites }: PositionMessage, random: Random) => [
    options,
    service,
    slot('type', ...types.map(type => bytes(type))),
    slot('sequence', bytes(3, 0x9c)),
    slot('updated', u32(time / 1000), u32(time / 1000 + 40)),
    slot('fixed', u32(time / 1000)),
    slot('latitude', angle(lat)),
    slot('longitude', angle(lon)),
    slot('altitude', u32(18_150), u32(0), u32(-100)),
    slot('speed', u32(1500), u32(0)),
    slot('course', bytes(1, 15), bytes(0, 0)),
    slot('satellites', bytes(satellites ?? 0), bytes(0)),
    slot('fix status', ...[0, 1, 2, 4, 8, 0x13, 0x20, 0x3f, 0x40, 0x7f].map(status => bytes(status))),
    { name: 'network', alternatives: [packed('019aff9d6f'), new Uint8Array(5), randomBytes(random, 5)] },
    slot('HDOP', bytes(8), bytes(255)),
    slot('inputs', bytes(1), bytes(0xff)),
    slot('unit status', bytes(0), bytes(0xff)),
    cutAnywhere('tail', tail),
    unknownBytes('more', random, 12),
  ],
  seal: together,
});

const mini: Dialect = {
  name: 'mini messages',
  brings: 'fix',
  slots: ({ time, lat, lon }, random) => [
    options,
    service,
    slot('type', bytes(10), bytes(11), bytes(12), bytes(99)),
    slot('sequence', bytes(3, 0x9c)),
    slot('time', u32(time / 1000)),
    slot('latitude', angle(lat)),
    slot('longitude', angle(lon)),
    slot('course', bytes(1, 15), bytes(0, 0)),
    slot('speed', bytes(54), bytes(0)),
    slot('fix', ...[0x09, 0x29, 0x49, 0].map(fix => bytes(fix))),
    slot('connection', bytes(0x80), bytes(0)),
    slot('inputs', bytes(1), bytes(0xff)),
    cutAnywhere('tail', packed('2102000000010000000A')),
    unknownBytes('more', random, 12),
  ],
  seal: together,
};

/** All zeros if the tracker has never had a fix. */
const none: Dialect = {
  name: 'no fix',
  brings: 'no fix',
  slots: ({ time }, random) => [
    options,
    service,
    slot('type', ...[2, 4, 5, 8, 9].map(type => bytes(type))),
    slot('sequence', bytes(3, 0x9c)),
    slot('updated', u32(time / 1000), u32(0)),
    slot('fix', new Uint8Array(26)),
    slot('fix status', bytes(8), bytes(0), bytes(0x10)),
    unknownBytes('more', random, 30),
  ],
  seal: together,
};

export const dialects: Dialects = {
  over: 'datagram',
  dialects: [
    report('event reports', [2], packed('3E0B02000000000A000001F4')),
    report('locate reports', [8], packed('02000000000A000001F4')),
    report('user messages', [4, 9], packed('0001000548656C6C6F01000000000A')),
    report('application messages', [5], packed('00070003AABBCC')),
    report('types that no document names', [12, 99, 255], packed('0102')),
    mini,
    none,
  ],
};

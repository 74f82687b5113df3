import { ByteWriter } from '../byte-writer.ts';
import { crc16Modbus } from '../crc16.ts';
import {
  asciiBytes,
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

/** What varies between models, firmware and settings: which tags are sent, unknown ones, the way to the server. */

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const NOTHING = bytes();
const little = (value: number, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, i) => (value >>> (8 * i)) & 0xff);
const tagged = (tag: number, ...data: readonly Uint8Array[]): Uint8Array => together([bytes(tag), ...data]);
const micro = (angle: number): Uint8Array => little(Math.round(angle * 1e6), 4);

const IMEI = tagged(0x03, asciiBytes('352093081452251'));
const DEVICE = tagged(0x04, little(50, 2));

/** Tags behind the place, by the lengths of the table, in their order. */
const BEHIND: readonly (readonly [tag: number, length: number])[] = [
  [0x33, 4],
  [0x34, 2],
  [0x35, 1],
  [0x36, 1],
  [0x40, 2],
  [0x41, 2],
  [0x42, 2],
  [0x43, 1],
  [0x44, 4],
  [0x45, 2],
  [0x46, 2],
  [0x47, 4],
  [0x48, 2],
  [0x49, 1],
  [0x50, 2],
  [0x58, 2],
  [0x5a, 4],
  [0x5c, 68],
  [0x5d, 3],
  [0x60, 2],
  [0x63, 3],
  [0x70, 2],
  [0x78, 2],
  [0x80, 3],
  [0x88, 1],
  [0x8a, 1],
  [0x90, 4],
  [0xa0, 1],
  [0xb0, 2],
  [0xc0, 4],
  [0xc1, 4],
  [0xc2, 4],
  [0xc4, 1],
  [0xd3, 4],
  [0xd4, 4],
  [0xd5, 1],
  [0xd6, 2],
  [0xdb, 4],
  [0xe2, 4],
  [0xf0, 4],
];

const filled = (random: Random, [tag, length]: readonly [number, number]): Slot => ({
  name: `tag 0x${tag.toString(16)}`,
  alternatives: [
    NOTHING,
    tagged(tag, new Uint8Array(length)),
    tagged(tag, new Uint8Array(length).fill(0xff)),
    tagged(tag, randomBytes(random, length)),
  ],
});

/** Correct from satellites, with any number of them. From cell towers in the last. */
const CORRECT = [0x0b, 0x00, 0x0f, 0x27] as const;
const NOT_CORRECT = [0x10, 0x30, 0xf5] as const;

function recordSlots({ time, lat, lon }: PositionMessage, random: Random, sources: readonly number[]): Slot[] {
  const block = (data: Uint8Array): Uint8Array => tagged(0xfe, little(data.length, 2), data);
  return [
    slot('head', NOTHING, DEVICE, together([bytes(0x01, 0x82, 0x02, 0x12), IMEI, DEVICE]), IMEI),
    slot('record', tagged(0x10, little(1054, 2)), NOTHING, together([bytes(0x10, 1, 0, 0x11, 1, 0, 0, 0)])),
    slot('time', tagged(0x20, little(time / 1000, 4))),
    slot('milliseconds', NOTHING, tagged(0x21, little(0, 2)), tagged(0x21, little(0xffff, 2))),
    slot('place', ...sources.map(source => tagged(0x30, bytes(source), micro(lat), micro(lon)))),
    ...BEHIND.map(tag => filled(random, tag)),
    slot('array', NOTHING, bytes(0xea, 0), bytes(0xea, 3, 0x20, 0x30, 0x10)),
    slot(
      'extended tags',
      NOTHING,
      block(NOTHING),
      block(bytes(0x21, 0, 0x4d, 3, 0, 0, 0x82, 0, 1, 2, 0xfc, 0, 9)),
      block(together([bytes(0x24, 0x27), randomBytes(random, 9)])),
      block(randomBytes(random, 30)),
      bytes(0xfe, 0xff, 0xff),
    ),
  ];
}

function pack(content: Uint8Array, archive: number): Uint8Array {
  const frame = together([bytes(0x01), little(content.length | (archive << 15), 2), content]);
  return together([frame, little(crc16Modbus(frame, 0, frame.length), 2)]);
}

const records = (name: string, brings: Dialect['brings'], sources: readonly number[]): Dialect => ({
  name,
  brings,
  slots: (position, random) => [
    slot('archive', bytes(0), bytes(1)),
    ...recordSlots(position, random, sources),
    // A tag without a known length, of the refrigerator or of a newer firmware, one that is too long, and anything.
    slot('unknown tag', NOTHING, together([bytes(0x5b), randomBytes(random, 20)]), bytes(0x05, 1, 2), bytes(0xea, 200)),
    unknownBytes('behind', random, 12),
  ],
  seal: ([archive = bytes(0), ...parts]) => pack(together(parts), archive[0] ?? 0),
});

/** A record behind one that cannot be read to its end. */
const behindUnknown: Dialect = {
  name: 'a record behind an unknown tag',
  brings: 'fix',
  slots: (position, random) => [
    slot('before', bytes(0), bytes(1), bytes(2), bytes(3)),
    slot('unknown', together([bytes(0x5b), randomBytes(random, 30)]), bytes(0x5b), bytes(0xeb, 0x10, 0x20)),
    ...recordSlots(position, random, CORRECT),
  ],
  seal: ([how = NOTHING, unknown = NOTHING, ...parts]) => {
    const record = together(parts);
    // The record before it began like this one, another time; as it should, without a place, or without a clock.
    const time = parts.slice(0, 2).reduce((sum, part) => sum + part.length, 0);
    const first = record.slice();
    first[time + 1] = (first[time + 1] ?? 0) ^ 1;
    const place = time + 5 + (parts[3]?.length ?? 0);
    const before = [
      first,
      first.subarray(0, place),
      together([first.subarray(0, time), bytes(0x20), little(0, 4)]),
      NOTHING,
    ];
    return pack(together([before[how[0] ?? 0] ?? NOTHING, unknown, record]), 0);
  },
};

/** The same tags as payload of a message that came by satellite. */
const iridium: Dialect = {
  name: 'over Iridium',
  brings: 'fix',
  slots: (position, random) => [
    slot('location', NOTHING, new ByteWriter().hex('03000b0321ac2c4545b20000009f').done()),
    ...recordSlots(position, random, CORRECT),
  ],
  seal: ([location = NOTHING, ...parts], { time }) => {
    const payload = together(parts);
    const header = new ByteWriter()
      .u8(1)
      .u16(28)
      .u32(1)
      .ascii('300234069604590')
      .u8(0)
      .u16(1)
      .u16(0)
      .u32(time / 1000);
    const body = new ByteWriter().bytes(header.done()).bytes(location).u8(2).u16(payload.length).bytes(payload).done();
    return new ByteWriter().u8(1).u16(body.length).bytes(body).done();
  },
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [
    records('records', 'fix', CORRECT),
    records('records without a fix', 'no fix', NOT_CORRECT),
    behindUnknown,
    iridium,
  ],
};

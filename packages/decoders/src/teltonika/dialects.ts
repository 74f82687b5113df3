import { ByteWriter } from '../byte-writer.ts';
import { crc16Ibm } from '../crc16.ts';
import {
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
import { GH3000_CODEC } from './gh3000.ts';
import { AVL_CODECS } from './records.ts';

/** What varies between families and settings: arbitrary element ids, the number of records, the data after them. */

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const u16 = (value: number): Uint8Array => new ByteWriter().u16(value & 0xffff).done();
const u32 = (value: number): Uint8Array => new ByteWriter().u32(value >>> 0).done();

interface Form {
  readonly codec: number;
  readonly idBytes: 1 | 2;
  readonly countBytes: 1 | 2;
  readonly variable: boolean;
  readonly generation: boolean;
}

const number = (value: number, size: 1 | 2): Uint8Array => (size === 1 ? bytes(value & 255) : u16(value));

/** A count, then that many elements with arbitrary ids. */
function group(size: number, { idBytes, countBytes }: Form, random: Random): Slot {
  const elements = (count: number): Uint8Array => {
    const each = Array.from({ length: count }, () => {
      const id = number(Math.floor(random() * 1000), idBytes);
      const length = size === 0 ? Math.floor(random() * 20) : size;
      return together([id, size === 0 ? u16(length) : bytes(), randomBytes(random, length)]);
    });
    return together([number(count, countBytes), ...each]);
  };
  // A count that fits no packet, as of elements in another form.
  const tooMany = number(countBytes === 1 ? 0xff : 0xffff, countBytes);
  return { name: `elements of ${size}`, alternatives: [...[0, 1, 3, 12].map(elements), tooMany] };
}

function recordSlots({ time, lat, lon, satellites }: PositionMessage, random: Random, form: Form): Slot[] {
  const { idBytes, countBytes, variable, generation } = form;
  return [
    slot('time', new ByteWriter().u64(time).done()),
    slot('priority', bytes(0), bytes(1), bytes(2), bytes(255)),
    slot('longitude', u32(Math.round(lon * 1e7))),
    slot('latitude', u32(Math.round(lat * 1e7))),
    slot('altitude', u16(181), u16(-50)),
    slot('angle', u16(271), u16(0), u16(0xffff)),
    slot('satellites', bytes(satellites ?? 0), bytes(0), bytes(255)),
    slot('speed', u16(54), u16(0), u16(0xffff)),
    slot('event', number(0, idBytes), number(239, idBytes), number(255, idBytes), number(999, idBytes)),
    ...(generation ? [slot('generation', bytes(0), bytes(5), bytes(255))] : []),
    // The decoder ignores the total.
    slot('elements', number(0, countBytes), number(200, countBytes)),
    ...[1, 2, 4, 8].map(size => group(size, form, random)),
    ...(variable ? [group(0, form, random)] : []),
  ];
}

function packet(codec: number, count: number, behind: number, records: Uint8Array): Uint8Array {
  const data = together([bytes(codec, count), records, bytes(behind)]);
  return new ByteWriter()
    .u32(0)
    .u32(data.length)
    .bytes(data)
    .u32(crc16Ibm(data, 0, data.length))
    .done();
}

const records = (name: string, form: Form): Dialect => ({
  name,
  brings: 'fix',
  slots: (position, random) => [
    slot('records', bytes(1), bytes(2), bytes(5)),
    slot('first count', bytes(0), bytes(1)),
    slot('second count', bytes(0), bytes(1)),
    ...recordSlots(position, random, form),
    unknownBytes('behind', random, 6),
  ],
  seal: ([count = bytes(1), more = bytes(0), other = bytes(0), ...parts]) => {
    const behind = parts.pop() ?? bytes();
    const record = together(parts);
    const number = count[0] ?? 1;
    const all = together([...Array.from({ length: number }, () => record), behind]);
    return packet(form.codec, number + (more[0] ?? 0), number + (more[0] ?? 0) + (other[0] ?? 0), all);
  },
});

/** The record behind one with elements of an unknown form, which has another time and place. */
const behindUnknown = (name: string, form: Form): Dialect => ({
  name,
  brings: 'fix',
  slots: (position, random) => [
    slot('stated number', bytes(2), bytes(3)),
    { name: 'sixteens', alternatives: [1, 2].map(count => together([bytes(count), randomBytes(random, 17 * count)])) },
    ...recordSlots(position, random, form),
    unknownBytes('behind', random, 6),
  ],
  seal: ([count = bytes(2), extra = bytes(), ...parts]) => {
    const [time = bytes(), priority = bytes(), longitude = bytes(), ...others] = parts.slice(0, -1);
    const before = together([
      time.with(6, (time[6] ?? 0) ^ 1),
      priority,
      longitude,
      u32(123_456_789),
      ...others.slice(1),
    ]);
    const stated = count[0] ?? 2;
    return packet(form.codec, stated, stated, together([before, extra, ...parts]));
  },
});

const CODEC_8: Form = { codec: AVL_CODECS.codec8, idBytes: 1, countBytes: 1, variable: false, generation: false };
const EXTENDED: Form = {
  codec: AVL_CODECS.codec8Extended,
  idBytes: 2,
  countBytes: 2,
  variable: true,
  generation: false,
};
const CODEC_16: Form = { codec: AVL_CODECS.codec16, idBytes: 2, countBytes: 1, variable: false, generation: true };

const EPOCH_2007_S = Date.UTC(2007, 0) / 1000;
const f32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value);
  return bytes;
};

/** Codec 7: masks say which fields of the fix, and which groups of elements, are there. */
const gh3000: Dialect = {
  name: 'GH3000',
  brings: 'fix',
  slots: ({ time, lat, lon }, random) => [
    slot('priority', bytes(0), bytes(1), bytes(3)),
    slot('second count', bytes(1), bytes(2)),
    slot('time', u32(time / 1000 - EPOCH_2007_S)),
    slot('place', together([f32(lat), f32(lon)])),
    slot('altitude', u16(158), bytes(), u16(-50)),
    slot('angle', bytes(64), bytes(), bytes(255)),
    slot('speed', bytes(5), bytes(), bytes(255)),
    slot('satellites', bytes(7), bytes(), bytes(0)),
    slot('cell', bytes(), bytes(0, 1, 3, 11)),
    slot('signal', bytes(22), bytes(), bytes(255)),
    slot('operator', bytes(), u32(24_602)),
    ...[1, 2, 4].map(size => ({
      name: `elements of ${size}`,
      alternatives: [bytes(), bytes(0), together([bytes(1), randomBytes(random, 1 + size)]), bytes(255)],
    })),
    unknownBytes('behind', random, 6),
  ],
  seal: ([priority = bytes(0), again = bytes(1), time = bytes(), ...parts]) => {
    const behind = parts.pop() ?? bytes();
    const bits = (from: number, to: number): number =>
      parts.slice(from, to).reduce((sum, part, bit) => sum | (part.length > 0 ? 1 << bit : 0), 0);
    const [fix, groups] = [parts.slice(0, 8), parts.slice(8)].map(together);
    const first = (time[0] ?? 0) | ((priority[0] ?? 0) << 6);
    const head = [time.with(0, first), bytes(1 | (bits(8, 11) << 1), bits(0, 8))];
    const record = together([...head, fix ?? bytes(), groups ?? bytes()]);
    return packet(GH3000_CODEC, 1, again[0] ?? 1, together([record, behind]));
  },
};

/** All zeros if a tracker has never had a fix. */
const never: Dialect = {
  name: 'no fix',
  brings: 'no fix',
  slots: (position, random) =>
    recordSlots(position, random, EXTENDED).map(each => {
      const { name } = each;
      if (name === 'longitude' || name === 'latitude') return slot(name, u32(0));
      return name === 'satellites' ? slot(name, bytes(0)) : each;
    }),
  seal: parts => packet(EXTENDED.codec, 1, 1, together(parts)),
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [
    records('Codec 8', CODEC_8),
    records('Codec 8 Extended', EXTENDED),
    records('Codec 16', CODEC_16),
    behindUnknown('Codec 8 behind unknown elements', CODEC_8),
    behindUnknown('Codec 8 Extended behind unknown elements', EXTENDED),
    behindUnknown('Codec 16 behind unknown elements', CODEC_16),
    gh3000,
    never,
  ],
};

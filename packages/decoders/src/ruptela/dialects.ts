import { ByteWriter } from '../byte-writer.ts';
import { crc16Kermit } from '../crc16.ts';
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
import type { RecordForm } from './records.ts';

/** What varies between families and settings: the elements, unknown values, parts of a record. */

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const u16 = (value: number): Uint8Array => new ByteWriter().u16(value & 0xffff).done();
const u32 = (value: number): Uint8Array => new ByteWriter().u32(value >>> 0).done();
const NO_COORDINATE = 0x8000_0000;

/** A count, then that many elements with arbitrary ids. */
function group(name: string, size: number, form: RecordForm, random: Random): Slot {
  const elements = (count: number): Uint8Array => {
    const writer = new ByteWriter().u8(count);
    for (let i = 0; i < count; i++) {
      const id = Math.floor(random() * (form === 'extended' ? 1000 : 256));
      if (form === 'extended') writer.u16(id);
      else writer.u8(id);
      writer.bytes(randomBytes(random, size));
    }
    return writer.done();
  };
  // The last is a count that fits no packet, as of elements in another form.
  return { name, alternatives: [...[0, 1, 2, 7].map(elements), bytes(0xff)] };
}

interface Kind {
  readonly form: RecordForm;
  readonly fixed: boolean;
}

function recordSlots({ time, lat, lon, satellites }: PositionMessage, random: Random, { form, fixed }: Kind): Slot[] {
  const extended = form === 'extended';
  const none = u32(NO_COORDINATE);
  return [
    slot('time', u32(time / 1000)),
    slot('fraction', bytes(0), bytes(99)),
    ...(extended ? [slot('part', bytes(0), bytes(0x10))] : []),
    slot('priority', bytes(0), bytes(1), bytes(255)),
    slot('longitude', fixed ? u32(Math.round(lon * 1e7)) : none),
    slot('latitude', fixed ? u32(Math.round(lat * 1e7)) : none),
    slot('altitude', u16(1815), u16(-0x8000), u16(-500)),
    slot('course', u16(27_100), u16(0xffff)),
    slot('satellites', bytes(satellites ?? 0), bytes(0), bytes(0xff)),
    slot('speed', u16(54), u16(0xffff)),
    slot('HDOP', bytes(8), bytes(0xff)),
    slot('event', extended ? u16(173) : bytes(173), extended ? u16(0) : bytes(0), extended ? u16(999) : bytes(255)),
    ...[1, 2, 4, 8].map(size => group(`elements of ${size}`, size, form, random)),
  ];
}

function packet(command: number, payload: Uint8Array): Uint8Array {
  const content = new ByteWriter().u64(352_093_081_452_251).u8(command).bytes(payload).done();
  return new ByteWriter()
    .u16(content.length)
    .bytes(content)
    .u16(crc16Kermit(content, 0, content.length))
    .done();
}

const COMMANDS: Readonly<Record<RecordForm, number>> = { plain: 1, extended: 68 };

const records = (name: string, kind: Kind): Dialect => ({
  name,
  brings: kind.fixed ? 'fix' : 'no fix',
  slots: (position, random) => [
    slot('records left', bytes(0), bytes(1), bytes(200)),
    slot('count', bytes(1), bytes(0), bytes(2), bytes(255)),
    ...recordSlots(position, random, kind),
    unknownBytes('behind', random, 8),
  ],
  seal: parts => packet(COMMANDS[kind.form], together(parts)),
});

/** The same record in two consecutive parts, followed by data that does not fit. */
const parted: Dialect = {
  name: 'two parts',
  brings: 'fix',
  slots: (position, random) => [
    ...recordSlots(position, random, { form: 'extended', fixed: true }),
    slot('count', bytes(2), bytes(0), bytes(3), bytes(9)),
    unknownBytes('behind', random, 8),
  ],
  seal: parts => {
    const [count = bytes(2), behind = bytes()] = parts.slice(-2);
    const record = together(parts.slice(0, -2));
    const part = (index: number): Uint8Array => record.with(5, 0x10 | index);
    return packet(COMMANDS.extended, together([bytes(0), count, part(0), part(1), behind]));
  },
};

/** The record behind one with elements of an unknown form, which has another time and place. */
const behindUnknown = (name: string, form: RecordForm): Dialect => ({
  name,
  brings: 'fix',
  slots: (position, random) => [
    slot('count', bytes(2), bytes(1), bytes(3), bytes(255)),
    { name: 'unknown elements', alternatives: [1, 9, 18, 35].map(length => randomBytes(random, length)) },
    ...recordSlots(position, random, { form, fixed: true }).map(each =>
      each.name === 'priority' ? slot(each.name, bytes(0), bytes(1), bytes(2)) : each,
    ),
    unknownBytes('behind', random, 8),
  ],
  seal: ([count = bytes(2), unknown = bytes(), ...parts]) => {
    const [time = bytes(), ...rest] = parts.slice(0, -1);
    const longitude = form === 'extended' ? 3 : 2;
    const before = together([time.with(2, (time[2] ?? 0) ^ 1), ...rest.with(longitude, u32(123_456_789))]);
    return packet(COMMANDS[form], together([bytes(0), count, before, unknown, ...parts]));
  },
});

export const dialects: Dialects = {
  over: 'stream',
  dialects: [
    records('records', { form: 'plain', fixed: true }),
    records('extended records', { form: 'extended', fixed: true }),
    records('records without a fix', { form: 'plain', fixed: false }),
    records('extended records without a fix', { form: 'extended', fixed: false }),
    parted,
    behindUnknown('records behind unknown elements', 'plain'),
    behindUnknown('extended records behind unknown elements', 'extended'),
  ],
};

import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc16Ibm, crc16Itu, crc16Modbus, crc16Xmodem } from './crc16.ts';
import { SESSION } from './fuzz-checks.ts';
import { SAMPLE_POSITION } from './fuzz-inputs.ts';
import { type ProtocolName, protocols } from './index.ts';
import { xor } from './jt808/frame.ts';

/** Trackers whose clock has not been set, and damaged ones, send dates that no calendar has. */

const SENT = { ...SAMPLE_POSITION, time: epochMs(Date.UTC(2026, 2, 4, 5, 6, 7)) };
const IMEI = '352093081452251';

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const two = (value: number) => String(value % 100).padStart(2, '0');
const DAY_FIRST = ({ year, month, day }: Day) => Buffer.from(two(day) + two(month) + two(year));
const YEAR_FIRST = ({ year, month, day }: Day) => Buffer.from(two(year) + two(month) + two(day));
const PACKED = ({ year, month, day }: Day) => Buffer.from(two(year) + two(month) + two(day), 'hex');
const BYTES = ({ year, month, day }: Day) => Buffer.from([year % 100, month, day]);

/** The checksum of GT06: from the length up to itself; the stop bits are behind it. */
function checkedGt06(frame: Buffer): Buffer {
  frame.writeUInt16BE(crc16Itu(frame, 2, frame.length - 4), frame.length - 4);
  return frame;
}

function checkedJt808(frame: Buffer): Buffer {
  frame[frame.length - 2] = xor(frame.subarray(1), frame.length - 3);
  return frame;
}

function checkedMeitrack(frame: Buffer): Buffer {
  const star = frame.lastIndexOf('*');
  const sum = frame.subarray(0, star + 1).reduce((total, byte) => total + byte, 0) & 0xff;
  frame.write(sum.toString(16).toUpperCase().padStart(2, '0'), star + 1, 'latin1');
  return frame;
}

/** In front of the line end: of everything before it. */
function checkedTotem(frame: Buffer): Buffer {
  const end = frame.length - 6;
  frame.write(crc16Modbus(frame, 0, end).toString(16).toUpperCase().padStart(4, '0'), end, 'latin1');
  return frame;
}

/** The checksum of IPS 2.0: of what is between `#D#` and itself. */
function checkedWialon(frame: Buffer): Buffer {
  const end = frame.length - 6;
  frame.write(crc16Ibm(frame, 3, end).toString(16).toUpperCase().padStart(4, '0'), end, 'latin1');
  return frame;
}

/** The checksum of everything before it, which is the last field of a report without a tower. */
function checkedXexun(frame: Buffer): Buffer {
  const [, counted = '', behind = ''] = /^(.*F:[^,]*,\d,\d+,)\d+(.*)$/s.exec(frame.toString('latin1')) ?? [];
  const bytes = Buffer.from(counted, 'latin1');
  return Buffer.from(`${counted}${crc16Xmodem(bytes, 0, bytes.length)}${behind}`, 'latin1');
}

/** How a protocol writes the date, and its checksum if it has one. */
const DATES: readonly (readonly [ProtocolName, (date: Day) => Buffer, ((frame: Buffer) => Buffer)?])[] = [
  ['gl200', YEAR_FIRST],
  ['gps103', YEAR_FIRST],
  ['gt06', BYTES, checkedGt06],
  ['h02', DAY_FIRST],
  ['jt808', PACKED, checkedJt808],
  ['meitrack', YEAR_FIRST, checkedMeitrack],
  ['suntech', YEAR_FIRST],
  ['tk103', YEAR_FIRST],
  ['totem', DAY_FIRST, checkedTotem],
  ['watch', DAY_FIRST],
  ['wialon', DAY_FIRST, checkedWialon],
  ['xexun', DAY_FIRST, checkedXexun],
];

/** The report of `SENT` with another date. */
function sentOn(date: Day, [name, write, checked = same]: (typeof DATES)[number]): Buffer {
  const [report = new Uint8Array(0)] = protocols[name].tracker?.reports(IMEI, [SENT], 1) ?? [];
  const frame = Buffer.from(report);
  const at = frame.indexOf(write({ year: 2026, month: 3, day: 4 }));
  expect(at, name).toBeGreaterThan(0);
  frame.set(write(date), at);
  return checked(frame);
}

const same = (frame: Buffer) => frame;

const positionsOf = (name: ProtocolName, frame: Buffer) =>
  (protocols[name].stream?.decode(frame, { ...SESSION, imei: IMEI }).messages ?? []).filter(
    message => message.kind === 'position',
  );

const years = fc.integer({ min: 2010, max: 2069 });
const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const ends = fc
  .record({ year: years, month: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, month }) => ({ year, month, day: lastOf(year, month) }));

describe.each(DATES.map(row => [row[0], row] as const))('dates of %s', (name, row) => {
  it('[R4.03] has the last day of every month, and 29 February of leap years', () => {
    fc.assert(
      fc.property(ends, date => {
        const time = Date.UTC(date.year, date.month - 1, date.day, 5, 6, 7);
        expect(positionsOf(name, sentOn(date, row))).toMatchObject([{ time }]);
      }),
      { numRuns: 30, examples: [[{ year: 2028, month: 2, day: 29 }], [{ year: 2026, month: 12, day: 31 }]] },
    );
  });

  it('[R4.03] places nothing on a day that no month has', () => {
    const beyond = ends.chain(date =>
      fc.oneof(
        fc.integer({ min: date.day + 1, max: 32 }).map(day => ({ ...date, day })),
        fc.constantFrom({ ...date, day: 0 }, { ...date, month: 0 }, { ...date, month: 13 }),
      ),
    );
    fc.assert(
      fc.property(beyond, date => {
        expect(positionsOf(name, sentOn(date, row))).toEqual([]);
      }),
      { numRuns: 60, examples: [[{ year: 2027, month: 2, day: 29 }], [{ year: 2026, month: 4, day: 31 }]] },
    );
  });
});

import { Reader } from '../bytes.ts';
import { tidy } from './beside.ts';
import type { MessageReader } from './reports.ts';
import { readTime } from './time.ts';

/**
 * 0x0210 of electric vehicles ("4G Wireless Air Protocol" VJT.04.063, §3.75–3.78): time, length, then lists of id 2,
 * length 2, content: voltages and temperatures of the battery's cells, a bit for each of 128, then two bytes each.
 */
const MASK_BYTES = 16;

interface List {
  readonly text: string;
  readonly min: string;
  readonly max: string;
  readonly convert: (raw: number) => number;
}
const LISTS: Readonly<Record<number, List>> = {
  1: {
    text: 'tractionCellVoltages',
    min: 'tractionCellVoltageMin',
    max: 'tractionCellVoltageMax',
    convert: raw => tidy((raw - 32_767) / 100),
  },
  2: {
    text: 'tractionTemperatures',
    min: 'tractionTemperatureMin',
    max: 'tractionTemperatureMax',
    convert: raw => tidy((raw - 400) / 10),
  },
};

function readList({ text, min, max, convert }: List, value: Reader): Record<string, string | number> | null {
  const mask = value.take8(Math.min(MASK_BYTES, value.remaining));
  const numbers = Array.from({ length: MASK_BYTES * 8 }, (_, i) => i + 1).filter(
    number => ((mask[(number - 1) >> 3] ?? 0) >> (7 - ((number - 1) & 7))) & 1,
  );
  if (mask.length < MASK_BYTES || value.remaining !== numbers.length * 2) return null;
  if (numbers.length === 0) return {};
  const values = numbers.map(() => convert(value.u16()));
  return {
    [text]: values.map((each, i) => `${numbers[i]}:${each}`).join(' '),
    [min]: Math.min(...values),
    [max]: Math.max(...values),
  };
}

/** Null if the lengths do not fit: another use of the id. */
export const tractionCells: MessageReader = body => {
  const time = readTime(body);
  if (time === null || body.u16() !== body.remaining || body.remaining === 0) return null;
  const attributes: Record<string, string | number> = {};
  while (body.remaining >= 4) {
    const list = LISTS[body.u16()];
    const length = body.u16();
    if (length > body.remaining) return null;
    const value = new Reader(body.take8(length));
    const values = list ? readList(list, value) : {};
    if (values === null) return null;
    Object.assign(attributes, values);
  }
  return body.remaining === 0 ? [{ kind: 'status', time, event: null, attributes }] : null;
};

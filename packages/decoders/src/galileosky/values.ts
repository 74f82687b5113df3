import { ascii, hex } from '../bytes.ts';
import type { Attributes } from '../protocol.ts';
import { reversed, signed, unsigned } from './little.ts';
import { readExtendedSpecial, readSpecial } from './special.ts';
import type { TagRow } from './tag-row.ts';
import { EXTENDED, extendedTagOf, TAG, tagOf } from './tags.ts';

export type Value = Attributes[string];
export type Values = Record<string, Value>;

/** Tags of the pack's head, and those that `records.ts` reads itself. */
const READ_ELSEWHERE: ReadonlySet<number> = new Set([0x01, 0x02, ...Object.values(TAG)]);
/** Zero means that the bus has said nothing. */
const SILENT_AT_ZERO: ReadonlySet<number> = new Set([0xc0, 0xc2, 0xc3]);
const TOWER: ReadonlySet<number> = new Set([EXTENDED.cell, EXTENDED.area, EXTENDED.country, EXTENDED.network]);

/** The value of a row that is not special; null for an identification of zeros. */
export function plainValue([, , , , reading = {}]: TagRow, data: Uint8Array): Value | null {
  const { form, scale = 1 } = reading;
  if (form === 'text') return ascii(data);
  if (form === 'bytes') return hex(data);
  if (form === 'hex') return data.some(byte => byte !== 0) ? hex(reversed(data)) : null;
  const raw = reading.signed ? signed(data) : unsigned(data);
  if (form === 'flag') return raw === 1;
  return scale === 1 ? raw : Number((raw * scale).toPrecision(12));
}

export function readValues(tags: ReadonlyMap<number, Uint8Array>): Values {
  const values: Values = {};
  for (const [tag, data] of tags) {
    const row = tagOf(tag);
    if (row === undefined || READ_ELSEWHERE.has(tag)) continue;
    if (SILENT_AT_ZERO.has(tag) && data.every(byte => byte === 0)) continue;
    put(values, row, data, () => readSpecial(tag, row[2], data));
  }
  const array = tags.get(TAG.array);
  if (array) values.userArray = hex(array.subarray(1));
  const extended = tags.get(TAG.extended);
  if (extended) readExtended(extended.subarray(2), values);
  return values;
}

function put(values: Values, row: TagRow, data: Uint8Array, special: () => Values): void {
  if (row[4]?.form === 'special') {
    Object.assign(values, special());
    return;
  }
  const value = plainValue(row, data);
  if (value !== null && value !== '') values[row[2]] = value;
}

/** Tags of two bytes. One that has no known length ends them; the rest is kept as it is. */
function readExtended(block: Uint8Array, values: Values): void {
  const tower = new Map<number, number>();
  for (let at = 0; at < block.length; ) {
    const tag = unsigned(block.subarray(at, at + 2));
    const row = extendedTagOf(tag);
    const end = at + 2 + (row?.[1] ?? 0);
    if (row === undefined || end > block.length) {
      values.extended = hex(block.subarray(at));
      break;
    }
    const data = block.subarray(at + 2, end);
    if (TOWER.has(tag)) tower.set(tag, unsigned(data));
    else put(values, row, data, () => readExtendedSpecial(row[2], data));
    at = end;
  }
  const [country, network, area, cell] = [EXTENDED.country, EXTENDED.network, EXTENDED.area, EXTENDED.cell].map(
    tag => tower.get(tag) ?? 0,
  );
  if (country && cell) values.cell = [country, network, area, cell].join('-');
}

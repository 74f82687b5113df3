import { hex, type Reader } from '../bytes.ts';
import type { Extension } from './beside.ts';

/** Cell towers and Wi-Fi stations among a location's items, in the forms that recorded trackers use. */

const isCountry = (mcc: number): boolean => (mcc >= 200 && mcc <= 799) || mcc === 901;

/** Lengths of network, area and cell in bytes; the country has two. */
interface TowerForm {
  readonly mnc: 1 | 2;
  readonly area: 2 | 3 | 4;
  readonly cell: 2 | 4;
  readonly signal: 0 | 1;
}
const bytesOf = ({ mnc, area, cell, signal }: TowerForm): number => 2 + mnc + area + cell + signal;

const read = (reader: Reader, bytes: number): number =>
  bytes === 1 ? reader.u8() : bytes === 2 ? reader.u16() : bytes === 3 ? reader.u24() : reader.u32();

/** `310-260-32936-13641`; null if the tracker has none. */
export function readTower(reader: Reader, form: TowerForm): string | null {
  const mcc = reader.u16();
  const mnc = read(reader, form.mnc);
  const area = read(reader, form.area);
  const cell = read(reader, form.cell);
  reader.skip(form.signal);
  return isCountry(mcc) && (area !== 0 || cell !== 0) && !reader.overrun ? [mcc, mnc, area, cell].join('-') : null;
}

/** Network of two bytes, area of three, cell of four, signal: one tower. */
export const SERVING: TowerForm = { mnc: 2, area: 3, cell: 4, signal: 1 };

/** Network of one byte, area of two, cell of four. */
export const SHORT: TowerForm = { mnc: 1, area: 2, cell: 4, signal: 0 };

export const tower =
  (form: TowerForm): Extension =>
  (value, { attributes }) => {
    if (value.remaining !== bytesOf(form)) return false;
    const cell = readTower(value, form);
    if (cell !== null) attributes.cell = cell;
    return true;
  };

/** Their number, then each of them; the first is the serving tower. */
export const towers =
  (form: TowerForm): Extension =>
  (value, { attributes }) => {
    const size = bytesOf(form);
    if (value.remaining < 1 + size || (value.remaining - 1) % size !== 0) return false;
    value.skip(1);
    const cells: string[] = [];
    while (value.remaining >= size) {
      const cell = readTower(value, form);
      if (cell !== null) cells.push(cell);
    }
    const [first, ...others] = cells;
    if (first !== undefined) attributes.cell = first;
    if (others.length > 0) attributes.cells = cells.join(' ');
    return true;
  };

const STATION_BYTES = 7;

/** Address and signal of each station, in some items after their number. */
export const stations =
  (counted: boolean): Extension =>
  (value, { attributes }) => {
    const bytes = value.remaining - (counted ? 1 : 0);
    if (bytes <= 0 || bytes % STATION_BYTES !== 0) return false;
    if (counted) value.skip(1);
    const found: string[] = [];
    while (value.remaining >= STATION_BYTES) {
      const address = value.take8(STATION_BYTES - 1);
      const signal = value.u8();
      if (address.some(byte => byte !== 0)) found.push(`${hex(address).replace(/(..)(?=.)/g, '$1:')}:${signal - 256}`);
    }
    if (found.length > 0) attributes.wifi = found.join(' ');
    return true;
  };

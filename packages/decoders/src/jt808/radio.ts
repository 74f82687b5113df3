import { hex, type Reader } from '../bytes.ts';
import type { Beside, Extension } from './beside.ts';

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

const TIME_BYTES = 6;
const DIGITS = /^\d{1,10}$/;
const UNUSED = ['0', '65535', '268435455'];

const characters = (bytes: Uint8Array): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('');

/** 0xFB ("4G Wireless Air Protocol", §3.42): time, then `460,0,2,9365,4413,20,9365,4414,12` as text. */
export function textTowers(bytes: Uint8Array, { attributes }: Beside): boolean {
  // The number of towers is a digit or a byte, so it is not read.
  const [mcc = '', mnc = '', , ...list] = characters(bytes.subarray(TIME_BYTES)).split(',');
  if (!/^\d{3}$/.test(mcc) || !DIGITS.test(mnc) || list.length < 2) return false;
  const cells: string[] = [];
  for (let i = 0; i + 1 < list.length; i += 3) {
    const [area = '', cell = ''] = list.slice(i, i + 2);
    if (!DIGITS.test(area) || !DIGITS.test(cell)) return false;
    if (!UNUSED.includes(cell)) cells.push([mcc, Number(mnc), Number(area), Number(cell)].join('-'));
  }
  const [first] = cells;
  if (first !== undefined) attributes.cell = first;
  if (cells.length > 1) attributes.cells = cells.join(' ');
  return true;
}

const STATION = /,(.),((?:[0-9A-F]{2}:){5}[0-9A-F]{2}),/gis;

/** 0xFC (§3.79): their number, then `-,-,`, the signal in a byte, the address as text and the channel in a byte. */
export function textStations(bytes: Uint8Array, { attributes }: Beside): boolean {
  const found = [...characters(bytes).matchAll(STATION)].map(([, signal = '', address = '']) => {
    const level = signal.charCodeAt(0);
    return `${address.toUpperCase()}:${level > 127 ? level - 256 : level}`;
  });
  if (found.length > 0) attributes.wifi = found.join(' ');
  return found.length > 0;
}

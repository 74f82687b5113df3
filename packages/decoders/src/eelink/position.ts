import {
  type Degrees,
  degrees,
  type EpochMs,
  epochMs,
  fromKilometresPerHour,
  type Metres,
  type MetresPerSecond,
  metres,
} from '@milepost/units';
import { hex, type Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import { withoutFix } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import type { Beside } from './beside.ts';

/** §3.6 "Position": a time, a mask of what follows, and that. */
export const GPS = 1 << 0;
export const SERVING_CELL = 1 << 1;
export const NEIGHBORS = [1 << 2, 1 << 3] as const;
export const STATIONS = [1 << 4, 1 << 5, 1 << 6] as const;
export const EXTENSION = 1 << 7;

/** Five-hundredths of a second of arc: 1/500". */
export const COORDINATE_SCALE = 1_800_000;
export const GPS_BYTES = 15;

export interface Fix {
  readonly lat: Degrees;
  readonly lon: Degrees;
  readonly altitude: Metres | null;
  readonly speed: MetresPerSecond;
  readonly course: Degrees;
  readonly satellites: number | null;
}

export interface Position {
  readonly time: EpochMs;
  readonly fix: Fix | null;
}

/** Null if the time, the mask or the fix is cut off. Cells and stations go to `beside`, as far as they are there. */
export function readPosition(content: Reader, beside: Beside): Position | null {
  const time = epochMs(content.u32() * 1000);
  const mask = content.u8();
  const fix = mask & GPS ? readFix(content) : null;
  if (content.overrun) return null;
  readRadio(content, mask, beside);
  if (content.overrun) content.rest();
  return { time, fix };
}

function readFix(content: Reader): Fix {
  const lat = degrees(content.i32() / COORDINATE_SCALE);
  const lon = degrees(content.i32() / COORDINATE_SCALE);
  const altitude = metres(content.i16());
  const speed = fromKilometresPerHour(content.u16());
  const course = degrees(content.u16());
  return { lat, lon, altitude, speed, course, satellites: content.u8() };
}

/** RxLev: 0 is −111 dBm, 111 is 0. */
const LEAST_DBM = -111;
const MOST_LEVEL = 111;
const MAX_CSQ = 31;

interface Cell {
  readonly code: string;
  readonly level: number;
}

function readRadio(content: Reader, mask: number, beside: Beside): void {
  const cells: Cell[] = [];
  let network = '';
  if (mask & SERVING_CELL) {
    network = `${content.u16()}-${content.u16()}`;
    cells.push(readCell(content, network));
  }
  for (const bit of NEIGHBORS) if (mask & bit) cells.push(readCell(content, network));
  const stations = STATIONS.filter(bit => mask & bit).map(() => readStation(content));
  // What is cut off would be zeros; the rest of such a package has nothing more.
  if (content.overrun) return;
  addCells(cells, beside);
  if (mask & EXTENSION) readExtension(content, stations, beside);
  addStations(stations, beside);
}

const readCell = (content: Reader, network: string): Cell => ({
  code: `${network}-${content.u16()}-${content.u32()}`,
  level: content.u8(),
});

const signed = (byte: number): number => (byte << 24) >> 24;

function readStation(content: Reader): string {
  const address = content.take8(6);
  const signal = signed(content.u8());
  if (address.every(byte => byte === 0)) return '';
  return `${(hex(address).match(/../g) ?? []).join(':')}:${signal}`;
}

function addCells(cells: readonly Cell[], beside: Beside): void {
  const known = cells.filter(({ code }) => !/^0-|^-|-0-0$/.test(code));
  const [serving] = known;
  if (serving === undefined) return;
  beside.attributes.cell = serving.code;
  if (serving.level <= MOST_LEVEL) beside.gsm = csqOf(serving.level);
  if (known.length > 1)
    beside.attributes.cells = known.map(({ code, level }) => `${code}:${level + LEAST_DBM}`).join(' ');
}

/** 3GPP TS 27.007 `+CSQ`: 0 is −113 dBm, 31 is −51 and more, in steps of 2 dB. */
const csqOf = (level: number): number => Math.min(MAX_CSQ, (level + LEAST_DBM + 113) >> 1);
export const levelOf = (csq: number): number => Math.max(0, 2 * csq - 113 - LEAST_DBM);

const LTE_NEIGHBOR_BYTES = 5;

/** "EXT": the radio, the numbers of cells and stations, the serving LTE cell, its neighbors, stations. */
function readExtension(content: Reader, stations: string[], beside: Beside): void {
  content.skip(1);
  const counts = content.u8();
  const cells = counts & 0b111;
  if (cells > 0) {
    const network = `${content.u16()}-${content.u16()}`;
    content.skip(2);
    const code = `${network}-${content.u16()}-${content.u32()}`;
    content.skip(6);
    const power = signed(content.u8());
    content.skip((cells - 1) * LTE_NEIGHBOR_BYTES);
    if (!content.overrun) Object.assign(beside.attributes, { cell: code, rsrp: power });
  }
  for (let left = (counts >> 3) & 0b1111; left > 0 && !content.overrun; left--) {
    const station = readStation(content);
    if (!content.overrun) stations.push(station);
  }
}

function addStations(stations: readonly string[], beside: Beside): void {
  const known = stations.filter(station => station !== '');
  if (known.length > 0) beside.attributes.wifi = known.join(' ');
}

/** A report; without a fix, a status that says so. */
export function messageOf({ time, fix }: Position, valid: boolean, beside: Beside): DecodedMessage {
  const { attributes, ...columns } = beside;
  const nowhere = fix === null || (fix.lat === 0 && fix.lon === 0);
  const place = fix ?? { lat: degrees(0), lon: degrees(0) };
  const message = positionOf({ ...columns, ...place, time, valid, attributes });
  return nowhere ? withoutFix(message) : message;
}

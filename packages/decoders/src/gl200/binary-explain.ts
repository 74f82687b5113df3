import { viewOf } from '../bytes.ts';
import { hexOf, moment, per, type Say, type Walk } from '../explain/walk.ts';
import { BEFORE_ID, BEFORE_PLACE, BEHIND_ID, type Field, layoutOf, MASK } from './binary-location.ts';

const SEND_TIME = 7 + 2;

const NAMES: Readonly<Partial<Record<Field, readonly [name: string, say?: Say<number>, unit?: string]>>> = {
  deviceType: ['type of tracker', hexOf(2)],
  protocol: ['protocol', hexOf(4)],
  firmware: ['firmware', hexOf(4)],
  battery: ['battery', undefined, '%'],
  externalPower: ['external power', per(1000), 'V'],
  analog1: ['analog input 1', per(1000), 'V'],
  analog2: ['analog input 2', per(1000), 'V'],
  analog3: ['analog input 3', per(1000), 'V'],
  inputs: ['inputs', hexOf(2)],
  outputs: ['outputs', hexOf(2)],
  motion: ['motion', hexOf(2)],
  satellites: ['antenna and satellites', value => `${value & 15} satellites`],
  azimuth: ['course', undefined, '°'],
};

function field(walk: Walk, name: Field, bytes: number): void {
  const [words = name, say, unit] = NAMES[name] ?? [];
  if (name === 'speed') walk.take('speed', bytes, speed, 'km/h');
  else if (name === 'altitude') walk.i16('altitude', undefined, 'm');
  else if (bytes === 1) walk.u8(words, say, unit);
  else walk.u16(words, say, unit);
}

/** Whole kilometers per hour in two bytes, tenths in the third. */
const speed: Say<Uint8Array> = ([high = 0, low = 0, tenths = 0]) => high * 256 + low + tenths / 10;

const clock: Say<Uint8Array> = ([high = 0, low = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]) =>
  moment(Date.UTC(high * 256 + low, month - 1, day, hour, minute, second));

/** +RSP and +EVT, as long as mask and position agree; the rest is left unexplained. */
export function explainLocation(walk: Walk, end: number, event: boolean): void {
  const view = viewOf(walk.bytes);
  walk.u8('type of report');
  const mask = walk.u32('report mask', hexOf(8));
  walk.u16('length', undefined, 'bytes');
  for (const [name, bytes] of BEFORE_ID) if (mask & MASK[name]) field(walk, name, bytes);
  walk.take('tracker', 8);
  const until = end - SEND_TIME;
  const layout = walk.at < until ? layoutOf(view, until, { event }) : null;
  if (layout === null) return;
  for (const [name, bytes] of BEHIND_ID) if (layout.mask & MASK[name]) field(walk, name, bytes);
  if (!event) walk.u8('number and type of the report', hexOf(2));
  const places = walk.u8('places');
  for (let i = 1; i <= places && walk.at < until; i++) walk.group(`place ${i}`, inner => place(inner, mask), until);
  walk.take('mileages and hour meters', Math.max(0, until - walk.at));
  walk.take('time of sending', 7, clock);
  walk.u16('count number', hexOf(4));
}

function place(walk: Walk, mask: number): void {
  walk.u8('accuracy (HDOP)');
  for (const [name, bytes] of BEFORE_PLACE) if (mask & MASK[name]) field(walk, name, bytes);
  walk.i32('longitude', per(1e6), '°');
  walk.i32('latitude', per(1e6), '°');
  walk.take('time of the fix', 7, clock);
  if (mask & MASK.cell) {
    for (const name of ['country (MCC)', 'network (MNC)']) walk.u16(name, value => value.toString(16));
    for (const name of ['area (LAC)', 'cell']) walk.u16(name);
    walk.u8('reserved');
  }
}

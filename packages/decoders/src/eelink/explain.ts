import { hex } from '../bytes.ts';
import {
  asEither,
  asText,
  type FramePart,
  hexOf,
  moment,
  named,
  per,
  type Say,
  verdict,
  Walk,
} from '../explain/walk.ts';
import { PACKAGES } from './decode.ts';
import { CHECKED_FROM, checksum, HEAD_BYTES, WRAPPER, WRAPPER_BYTES, WRAPPER_SIZED_FROM } from './frame.ts';
import { PID_BYTES, PIDS } from './obd.ts';
import { OLDER_BYTES } from './older.ts';
import { COORDINATE_SCALE, EXTENSION, GPS, NEIGHBORS, SERVING_CELL, STATIONS } from './position.ts';
import { WARNING_NAMES } from './warnings.ts';

/** EELINK Device Protocol V2, §4.2, §5.1 and the packages. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  if (frame[0] === WRAPPER) {
    walk.u16('mark of the wrapper', hexOf(4));
    const size = walk.u16('size of what follows', undefined, 'bytes');
    walk.u16('checksum', verdict(checksum(frame, Math.min(frame.length, CHECKED_FROM)), 4));
    walk.take('IMEI', WRAPPER_BYTES - CHECKED_FROM, imei);
    const end = Math.min(walk.end, WRAPPER_SIZED_FROM + size);
    while (walk.at + HEAD_BYTES <= end) onePackage(walk, end);
  } else onePackage(walk, walk.end);
  return walk.done();
}

const imei: Say<Uint8Array> = bytes => hex(bytes).replace(/^0/, '');

function onePackage(walk: Walk, last: number): void {
  walk.u16('mark', hexOf(4));
  const type = walk.u8('package', value => `${hexOf(2)(value)} ${PACKAGES.get(value)?.what ?? 'not named'}`);
  const size = walk.u16('size of what follows', undefined, 'bytes');
  const end = Math.max(walk.at, Math.min(last, walk.at + size));
  walk.u16('sequence number');
  if (end <= walk.at) return;
  const inner = new Walk(walk.bytes, walk.at, end);
  CONTENTS[type]?.(inner);
  inner.rest(inner.parts.length > 0 ? 'more' : 'content', asEither);
  walk.parts.push(...inner.parts);
  walk.at = inner.at;
}

type Content = (walk: Walk) => void;

const time = (walk: Walk, name = 'time'): unknown => walk.u32(name, value => moment(value * 1000));

const STATES: readonly (readonly [bit: number, on: string, off: string])[] = [
  [0, 'fixed', 'not fixed'],
  [1, 'for a car', 'not for a car'],
  [2, 'engine on', 'engine off'],
  [3, 'accelerometer', 'no accelerometer'],
  [4, 'motion warning on', 'motion warning off'],
  [5, 'relay', 'no relay'],
  [6, 'relay triggered', 'relay not triggered'],
  [7, 'can charge', 'cannot charge'],
  [8, 'charging', 'not charging'],
  [9, 'active', 'stationary'],
  [10, 'GPS running', 'GPS off'],
  [11, 'OBD running', 'OBD off'],
];

const states: Say<number> = word =>
  [...STATES.map(([bit, on, off]) => ((word >> bit) & 1 ? on : off)), `inputs ${hexOf(1)(word >> 12)}`].join(', ');

const status = (walk: Walk): unknown => (walk.left >= 2 ? walk.u16('status', states) : undefined);

const signedByte: Say<number> = value => (value << 24) >> 24;

function station(walk: Walk): void {
  walk.take('Wi-Fi station', 6);
  walk.u8('signal', signedByte, 'dBm');
}

function position(walk: Walk): void {
  time(walk);
  const mask = walk.u8('mask of what follows', value => value.toString(2).padStart(8, '0'));
  if (mask & GPS) {
    walk.i32('latitude', per(COORDINATE_SCALE), '°');
    walk.i32('longitude', per(COORDINATE_SCALE), '°');
    walk.i16('altitude', undefined, 'm');
    walk.u16('speed', undefined, 'km/h');
    walk.u16('course', undefined, '°');
    walk.u8('satellites');
  }
  if (mask & SERVING_CELL) {
    walk.u16('country (MCC)');
    walk.u16('network (MNC)');
    cell(walk);
  }
  for (const bit of NEIGHBORS) if (mask & bit) cell(walk);
  for (const bit of STATIONS) if (mask & bit) station(walk);
  if (mask & EXTENSION) extension(walk);
}

function cell(walk: Walk): void {
  walk.u16('area (LAC)');
  walk.u32('cell');
  walk.u8('signal', value => value - 111, 'dBm');
}

function extension(walk: Walk): void {
  walk.u8('radio');
  const counts = walk.u8('cells and stations', value => `${value & 7} and ${(value >> 3) & 15}`);
  const cells = counts & 7;
  if (cells > 0) walk.take('serving LTE cell', 19);
  for (let n = 1; n < cells && walk.left > 0; n++) walk.take('LTE cell nearby', 5);
  for (let n = (counts >> 3) & 15; n > 0 && walk.left > 0; n--) station(walk);
}

/** Fields in order, as far as they are there. */
const words =
  (
    ...fields: readonly (readonly [name: string, bytes: 2 | 4, divisor?: number, unit?: string, signed?: true])[]
  ): Content =>
  walk => {
    for (const [name, bytes, divisor = 1, unit, signed] of fields) {
      if (walk.left < bytes) return;
      if (bytes === 4) walk.u32(name, per(divisor, 3), unit);
      else if (signed) walk.i16(name, per(divisor, 4), unit);
      else walk.u16(name, per(divisor, 3), unit);
    }
  };

const hardware = words(
  ['battery', 2, 1000, 'V'],
  ['analog input 1', 2, 1000, 'V'],
  ['analog input 2', 2, 1000, 'V'],
  ['mileage', 4, 1, 'm'],
  ['since a GSM command', 2, 1, 'min'],
  ['since a GPS command', 2, 1, 'min'],
  ['steps', 2],
  ['walking time', 2, 1, 's'],
  ['temperature of the device', 2, 256, '°C', true],
  ['humidity', 2, 10, '%'],
  ['illuminance', 4, 256, 'lx'],
  ['CO2', 4, 1, 'ppm'],
  ['temperature of the probe', 2, 16, '°C', true],
);

function beacons(walk: Walk): void {
  if (walk.left < 2) return;
  walk.u8('beacons');
  walk.u8('kind of beacons', hexOf(2));
  while (walk.left >= 16) walk.take('beacon', 16);
}

const location: Content = walk => {
  position(walk);
  status(walk);
  hardware(walk);
  beacons(walk);
};

const warning: Content = walk => {
  position(walk);
  if (walk.left > 0) walk.u8('warning', named(WARNING_NAMES));
  status(walk);
};

const login: Content = walk => {
  walk.take('IMEI', 8, imei);
  if (walk.left > 0) walk.u8('language', named({ 0: 'Chinese', 1: 'English' }));
  if (walk.left > 0) walk.u8('time zone', value => ((value << 24) >> 24) * 15, 'min');
  if (walk.left >= 2) walk.u16('system version', hexOf(4));
  if (walk.left >= 2) walk.u16('application version', hexOf(4));
  if (walk.left >= 8) walk.take('parameters: version, size, compressed size, checksum', 8);
};

const older: Content = walk => {
  if (walk.left < OLDER_BYTES) return;
  time(walk);
  walk.i32('latitude', per(COORDINATE_SCALE), '°');
  walk.i32('longitude', per(COORDINATE_SCALE), '°');
  walk.u8('speed', undefined, 'km/h');
  walk.u16('course', undefined, '°');
  walk.u16('country (MCC)');
  walk.u16('network (MNC)');
  walk.u16('area (LAC)');
  walk.u24('cell');
  walk.u8('place', value => (value & 1 ? 'valid' : 'not valid'));
};

const obd: Content = walk => {
  if (walk.left === 4) {
    status(walk);
    return;
  }
  time(walk);
  while (walk.left >= PID_BYTES) {
    const pid = walk.u8('PID', value => PIDS[value]?.[0] ?? hexOf(2)(value));
    walk.take(PIDS[pid]?.[0] ?? 'value', 4);
  }
};

const CONTENTS: Readonly<Record<number, Content>> = {
  1: login,
  2: walk => {
    older(walk);
    status(walk);
    words(['battery', 2, 1000, 'V'])(walk);
  },
  3: walk => void status(walk),
  4: walk => {
    older(walk);
    if (walk.left > 0) walk.u8('alarm', named(WARNING_NAMES));
  },
  5: walk => {
    older(walk);
    if (walk.left > 0) walk.u8('state', named({ 1: 'ignition on', 2: 'ignition off' }));
    if (walk.left >= 4) time(walk, 'clock of the tracker');
    status(walk);
  },
  7: obd,
  18: location,
  20: warning,
  21: position,
  22: walk => {
    position(walk);
    walk.rest('message', asText);
  },
  23: obd,
  26: walk => {
    time(walk, 'day');
    while (walk.left >= 4) walk.u32('steps, time, distance or energy');
  },
};

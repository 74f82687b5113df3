import { hex, Reader } from '../bytes.ts';
import { crc16Itu } from '../crc16.ts';
import { asEither, asText, type FramePart, hexOf, moment, per, type Say, verdict, Walk } from '../explain/walk.ts';
import { alarmOf } from './alarm-codes.ts';
import { fixBegin } from './find-fix.ts';
import { scanTopin } from './topin-frame.ts';

/** Length of a heartbeat with a fix, from a recording. */
const RECORDED_FIX_BYTES = 48;
/** Length of a location after the tracker's IMEI, from a recording. */
const WRAPPED_BYTES = 55;
/** Serial number 2, checksum 2, stop 2. */
const TAIL_BYTES = 6;
const TOWER_BYTES = 8;

/** Concox GPS Tracker Communication Protocol, "Protocol packet format". */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const long = frame[0] === 0x79;
  walk.u16('start', hexOf(4));
  const length = long ? walk.u16('length', undefined, 'bytes') : walk.u8('length', undefined, 'bytes');
  const start = walk.at;
  if (!long && start + length + 2 !== frame.length && scanTopin(frame) === frame.length) relative(walk);
  else {
    const type = walk.u8('packet', value => `${hexOf(2)(value)} ${CONTENTS[value]?.[0] ?? 'not named'}`);
    const end = Math.max(walk.at, Math.min(walk.end, start + length + 2) - TAIL_BYTES);
    content(walk, type, end);
    walk.u16('serial number');
    walk.u16('checksum', verdict(crc16Itu(frame, 2, Math.max(2, walk.at)), 4));
    walk.u16('stop', hexOf(4));
  }
  return walk.done();
}

/** A related protocol with the same start and stop bytes, without serial number and checksum. */
function relative(walk: Walk): void {
  walk.u8('packet', value => `${hexOf(2)(value)} Topin`);
  walk.take('content', Math.max(0, walk.left - 2));
  walk.u16('stop', hexOf(4));
}

type Content = (walk: Walk) => void;
const DEGREES = 1_800_000;
const parted: Say<Uint8Array> = ([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]) =>
  moment(Date.UTC(2000 + year, month - 1, day, hour, minute, second));

const fix: Content = walk => {
  walk.take('time', 6, parted);
  walk.u8('satellites', value => value & 0x0f);
  walk.u32('latitude', per(DEGREES), '°');
  walk.u32('longitude', per(DEGREES), '°');
  walk.u8('speed', undefined, 'km/h');
  walk.u16('course and status', courseAndStatus);
};

const courseAndStatus: Say<number> = word =>
  [
    `${word & 0x3ff}°`,
    word & 0x0400 ? 'north' : 'south',
    word & 0x0800 ? 'west' : 'east',
    word & 0x1000 ? 'positioned' : 'not positioned',
  ].join(', ');

const tower: Content = walk => {
  const long = (walk.peek() & 0x80) !== 0;
  walk.u16('country (MCC)', value => value & 0x7fff);
  if (long) walk.u16('network (MNC)');
  else walk.u8('network (MNC)');
  walk.u16('area (LAC)');
  walk.u24('cell');
};

const wideTower: Content = walk => {
  const long = (walk.peek() & 0x80) !== 0;
  walk.u16('country (MCC)', value => value & 0x7fff);
  if (long) walk.u16('network (MNC)');
  else walk.u8('network (MNC)');
  walk.u32('area (LAC)');
  walk.u64('cell');
};

const modes: Content = walk => {
  walk.u8('ignition', value => (value ? 'on' : 'off'));
  walk.u8('upload mode', hexOf(2));
  walk.u8('sent', value => (value ? 'from memory' : 'live'));
  if (walk.left >= 4) walk.u32('mileage', undefined, 'm');
};

const status: Content = walk => {
  walk.u8('terminal information', bits =>
    [
      bits & 0b0000_0010 ? 'ignition on' : 'ignition off',
      bits & 0b0000_0100 ? 'charging' : 'not charging',
      bits & 0b0100_0000 ? 'GPS on' : 'GPS off',
      ...(bits & 0b1000_0000 ? ['fuel cut'] : []),
      ...(bits & 0b0000_0001 ? ['armed'] : []),
    ].join(', '),
  );
  walk.u8('battery level');
  walk.u8('GSM signal');
};

const alarm: Content = walk => {
  walk.u8('alarm', value => `${hexOf(2)(value)} ${alarmOf(value, 0).event ?? 'none'}`);
  walk.u8('language');
};

const location: Content = walk => {
  if (walk.left === WRAPPED_BYTES && walk.peek() === 1) walk.take('tracker and another time', 15);
  fix(walk);
  if (walk.left >= 8) tower(walk);
  if (walk.left >= 3) modes(walk);
};

/** Known from recordings: the length of the fix comes between its time and the rest. */
const measured: Content = walk => {
  walk.take('time', 6, parted);
  walk.u8('length of the fix', undefined, 'bytes');
};

const alarmPacket: Content = walk => {
  fix(walk);
  walk.u8('length of the tower', undefined, 'bytes');
  tower(walk);
  status(walk);
  alarm(walk);
};

const login: Content = walk => {
  walk.take('IMEI', 8, bytes => hex(bytes).slice(1));
  if (walk.left >= 2) walk.u16('type of tracker', hexOf(4));
  if (walk.left >= 2) walk.u16('time zone and language', hexOf(4));
};

const command: Content = walk => {
  const length = walk.u8('length of flag and text', undefined, 'bytes');
  walk.u32('flag of the command');
  walk.take('text', Math.max(0, Math.min(length - 4, walk.left)), asText);
  if (walk.left >= 2) walk.u16('language');
};

const NOT_EXPLAINED: Content = () => {};

const CONTENTS: Readonly<Record<number, readonly [name: string, content: Content]>> = {
  1: ['login', login],
  16: ['location', location],
  17: ['towers', NOT_EXPLAINED],
  18: ['location', location],
  34: ['location', location],
  49: ['location or towers', walk => (walk.bytes[0] === 0x79 ? measured(walk) : undefined)],
  50: ['location', walk => (walk.bytes[0] === 0x79 ? measured(walk) : location(walk))],
  51: ['location', measured],
  52: ['location', NOT_EXPLAINED],
  160: [
    'location over 4G',
    walk => {
      fix(walk);
      wideTower(walk);
      modes(walk);
    },
  ],
  19: [
    'heartbeat',
    walk => {
      status(walk);
      walk.u16('alarm and language', hexOf(4));
    },
  ],
  35: ['heartbeat', walk => void walk.u8('terminal information', hexOf(2))],
  22: ['alarm', alarmPacket],
  38: ['alarm', alarmPacket],
  39: [
    'alarm',
    walk => {
      alarmPacket(walk);
      if (walk.left > 0) walk.u8('fence');
    },
  ],
  21: ['answer to a command', command],
  129: ['answer to a command', command],
  128: ['command', command],
  33: [
    'answer to a command',
    walk => {
      walk.u32('flag of the command');
      walk.u8('kind of text');
      walk.rest('text');
    },
  ],
  138: ['question for the time', NOT_EXPLAINED],
  148: ['information', walk => void walk.u8('kind', hexOf(2))],
  155: ['from a device on the port', walk => void walk.u8('module')],
  23: ['question for an address', NOT_EXPLAINED],
  25: ['alarm by tower', NOT_EXPLAINED],
  24: ['towers', NOT_EXPLAINED],
  26: ['question for an address', fix],
  36: ['location or towers', NOT_EXPLAINED],
  40: ['towers', NOT_EXPLAINED],
  42: ['question for an address', fix],
  44: ['Wi-Fi stations', NOT_EXPLAINED],
  45: ['location', fix],
  53: ['picture', NOT_EXPLAINED],
  54: [
    'heartbeat',
    walk => {
      if (walk.left === RECORDED_FIX_BYTES) return fix(walk);
      status(walk);
      walk.u16('alarm and language', hexOf(4));
    },
  ],
  55: ['location', fix],
  56: ['location', fix],
  101: ['troubles of the vehicle bus', NOT_EXPLAINED],
  102: ['troubles of the vehicle bus', NOT_EXPLAINED],
  112: ['modules', NOT_EXPLAINED],
  140: ['values of the vehicle bus', NOT_EXPLAINED],
  149: ['alarm of a camera', NOT_EXPLAINED],
  156: ['from a module', walk => void walk.u8('module')],
  161: ['towers over 4G', NOT_EXPLAINED],
  167: ['question for an address over 4G', NOT_EXPLAINED],
  162: ['Wi-Fi stations over 4G', NOT_EXPLAINED],
  163: ['alarm over 4G', walk => fix(walk)],
  164: ['alarm over 4G', walk => fix(walk)],
  165: ['alarm by tower over 4G', NOT_EXPLAINED],
  241: ['numbered values', NOT_EXPLAINED],
  242: ['numbered values', NOT_EXPLAINED],
  253: ['firmware', NOT_EXPLAINED],
};

function content(walk: Walk, type: number, end: number): void {
  const inner = new Walk(walk.bytes, walk.at, end);
  const named = CONTENTS[type]?.[1];
  const begin = fixBegin(new Reader(walk.bytes, walk.at, end));
  if (begin !== null && (begin > 0 || named === undefined || named === NOT_EXPLAINED)) {
    if (begin > 0) inner.take('before the fix', begin);
    fix(inner);
    if (inner.left >= TOWER_BYTES) tower(inner);
  } else named?.(inner);
  inner.rest(inner.parts.length > 0 ? 'more' : 'content', asEither);
  walk.parts.push(...inner.parts);
  walk.at = inner.at;
}

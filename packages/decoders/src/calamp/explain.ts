import { hex } from '../bytes.ts';
import { asEither, type FramePart, hexOf, moment, named, per, type Say, Walk } from '../explain/walk.ts';
import { TYPES } from './decode.ts';
import { MOBILE_ID, MOBILE_ID_TYPE, SERVICE } from './header.ts';
import { FIX_STATUS } from './reports.ts';

const OPTIONS = 0x80;
const OPTION_NAMES: Readonly<Record<number, string>> = { [MOBILE_ID]: 'tracker', [MOBILE_ID_TYPE]: 'kind of number' };
const DEGREES = 1e7;
const ACK = 1;

/** LM Direct Reference Guide: options, message header, message. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const first = walk.peek();
  if (first & OPTIONS) {
    walk.u8('options', hexOf(2));
    for (let bit = 0; bit < 7 && walk.left > 0; bit++) {
      if ((first & (1 << bit)) === 0) continue;
      walk.take(OPTION_NAMES[1 << bit] ?? `option ${bit}`, 1 + walk.peek(), bytes =>
        hex(bytes.subarray(1)).replace(/F+$/, ''),
      );
    }
  }
  walk.u8(
    'service',
    named({
      [SERVICE.unacknowledged]: 'not to be acknowledged',
      [SERVICE.acknowledged]: 'to be acknowledged',
      [SERVICE.response]: 'response',
    }),
  );
  const type = walk.u8(
    'message',
    value => `${value} ${value === ACK ? 'acknowledgement' : (TYPES.get(value)?.what ?? 'not named')}`,
  );
  walk.u16('sequence number');
  BODIES[type]?.(walk);
  walk.rest('what it says', asEither);
  return walk.done();
}

type Body = (walk: Walk) => void;
const seconds: Say<number> = value => moment(value * 1000);
const inputs: Say<number> = value => `${value.toString(2).padStart(8, '0')}: ignition ${value & 1 ? 'on' : 'off'}`;

const fixStatus: Say<number> = value =>
  FIX_STATUS.filter((_, bit) => (value >> bit) & 1).join(', ') || 'as it should be';

const place: Body = walk => {
  walk.u32('time of the update', seconds);
  walk.u32('time of the fix', seconds);
  walk.i32('latitude', per(DEGREES, 7), '°');
  walk.i32('longitude', per(DEGREES, 7), '°');
  walk.i32('altitude', per(100), 'm');
  walk.u32('speed', per(100), 'm/s');
  walk.i16('course', undefined, '°');
  walk.u8('satellites');
  walk.u8('fix status', fixStatus);
  walk.u16('carrier');
  walk.i16('signal', undefined, 'dBm');
  walk.u8('state of the connection', hexOf(2));
  walk.u8('HDOP', per(10));
  walk.u8('inputs', inputs);
  walk.u8('unit status', hexOf(2));
};

const accumulators: Body = walk => {
  const format = walk.u8('accumulators', value => value & 0x3f);
  walk.u8('spare');
  if (format & 0x40) walk.u32('thresholds', hexOf(8));
  for (let i = 1; i <= (format & 0x3f) && walk.left >= 4; i++) walk.u32(`accumulator ${i}`);
};

const mini: Body = walk => {
  walk.u32('time', seconds);
  walk.i32('latitude', per(DEGREES, 7), '°');
  walk.i32('longitude', per(DEGREES, 7), '°');
  walk.i16('course', undefined, '°');
  walk.u8('speed', undefined, 'km/h');
  walk.u8('satellites and fix', value => `${value & 15} satellites${value & 0x60 ? ', not valid' : ''}`);
  walk.u8('state of the connection', hexOf(2));
  walk.u8('inputs', inputs);
};

const userData: Body = walk => {
  walk.u8('route');
  walk.u8('number');
  walk.take('data', walk.u16('length', undefined, 'bytes'), asEither);
};

const digits: Say<Uint8Array> = bytes => hex(bytes).replace(/F+$/, '');

const BODIES: Readonly<Record<number, Body>> = {
  1: walk => {
    walk.u8('message that is answered');
    walk.u8('result', value => (value === 0 ? 'done' : `refused (${value})`));
  },
  2: walk => {
    place(walk);
    walk.u8('event index');
    walk.u8('event code');
    accumulators(walk);
  },
  3: walk => {
    walk.u8('script');
    walk.u8('configuration');
    walk.take('firmware', 3, asEither);
    walk.take('class, status, modem, application, query', 9);
    for (const [name, bytes] of [
      ['ESN', 8],
      ['IMEI', 8],
      ['IMSI', 8],
      ['telephone number', 8],
      ['SIM', 10],
    ] as const) {
      walk.take(name, bytes, digits);
    }
  },
  4: walk => {
    place(walk);
    userData(walk);
  },
  5: walk => {
    place(walk);
    walk.u16('type of application message');
    walk.u16('length', undefined, 'bytes');
  },
  8: walk => {
    place(walk);
    accumulators(walk);
  },
  9: walk => {
    place(walk);
    userData(walk);
    accumulators(walk);
  },
  10: walk => {
    mini(walk);
    walk.u8('event code');
    const count = walk.u8('accumulators', value => value & 0x3f) & 0x3f;
    for (let i = 1; i <= count && walk.left >= 4; i++) walk.u32(`accumulator ${i}`);
  },
  11: walk => {
    mini(walk);
    userData(walk);
  },
};

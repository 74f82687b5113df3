import { hex } from '../bytes.ts';
import { type FramePart, hexOf, per, type Say, Walk } from '../explain/walk.ts';
import { FIX, HEADERS, headOf, SATELLITES, SOUTH, WEST } from './older-zip.ts';

/** A whole number, then packed decimals in the last `packed` bytes. */
const decimal =
  (packed: number): Say<Uint8Array> =>
  bytes => {
    const whole = bytes.subarray(0, -packed).reduce((sum, byte) => sum * 256 + byte, 0);
    return Number(`${whole}.${hex(bytes.subarray(-packed))}`);
  };

const numbers: Say<Uint8Array> = bytes => [...bytes].map(byte => String(byte).padStart(2, '0')).join(' ');

/** The zip form of the older protocols, field by field. */
export function explainOlderZip(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u8('start', () => '');
  walk.u16('length', undefined, 'bytes');
  const type = HEADERS[walk.peek()];
  walk.u8('report', value => type ?? hexOf(2)(value));
  const head = headOf(frame);
  walk.take('tracker', head.id);
  if (walk.left > 1) place(walk, head);
  if (walk.left > 1) reason(walk, type);
  if (walk.left > 7) {
    walk.u32('hour meter', undefined, 'min');
    walk.take('battery', 2, decimal(1), 'V');
    walk.u8('sent', value => (value === 0 ? 'from memory' : 'live'));
  }
  if (walk.left > 1) walk.take('more', walk.left - 1);
  walk.u8('end', () => '');
  return walk.done();
}

function place(walk: Walk, { model, firmware }: ReturnType<typeof headOf>): void {
  if (model === 1) walk.u8('model');
  walk.take('firmware', firmware);
  walk.take('date and time', 6, numbers);
  walk.take('cell', 3);
  walk.take('latitude without its sign', 4, decimal(3), '°');
  walk.take('longitude without its sign', 4, decimal(3), '°');
  walk.take('speed', 3, decimal(1), 'km/h');
  walk.take('course', 3, decimal(1), '°');
  walk.u8('fix', bits => {
    const sides = `${bits & SOUTH ? 'south' : 'north'}, ${bits & WEST ? 'west' : 'east'}`;
    return `${bits & FIX ? 'valid' : 'not valid'}, ${sides}, ${bits & SATELLITES} satellites`;
  });
  walk.u32('distance', undefined, 'm');
  walk.take('external power', 2, decimal(1), 'V');
  walk.u8('inputs and outputs', value => `${value.toString(2).padStart(6, '0')}: ignition ${value & 1 ? 'on' : 'off'}`);
}

function reason(walk: Walk, type: string | undefined): void {
  if (type === 'UEX') {
    const length = walk.u16('length of the data', undefined, 'bytes');
    walk.take('from a device on the port', length);
    walk.u8('checksum of the data', hexOf(2));
    return;
  }
  walk.u8(type === 'STT' ? 'mode' : 'reason', per(1));
  if (type === 'STT') walk.u16('number');
}

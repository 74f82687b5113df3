import { ascii, hex, isText, Reader } from '../bytes.ts';
import type { Beside } from './beside.ts';
import { readTower, SERVING } from './radio.ts';

/**
 * Item 0xEB, from recordings: nested items, each with its number and a length that includes the number; or only the
 * tracker's time zone as text.
 */
export function readSubItems(value: Reader, beside: Beside): boolean {
  const zone = ascii(value.bytes);
  if (zone.startsWith('UTC')) {
    beside.attributes.timeZone = zone;
    return true;
  }
  while (value.remaining >= 4) {
    const length = value.u16();
    if (length < 2 || length > value.remaining) return true;
    const id = value.u16();
    subItem(id, value.take8(length - 2), beside);
  }
  return true;
}

const unsigned = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
/** In volts: a tracker's own battery is never this high. */
const VEHICLE_VOLTS = 6;
const MAX_BYTES = 32;
/** Bit of 0x0089, set if all is well. */
const ATTACHED = 1 << 12;
/** Bits of 0x00C5, clear while the vehicle moves. */
const AT_REST = 0b11 << 23;

type Noted = readonly [name: string, value: string | number | boolean];

function subItem(id: number, bytes: Uint8Array, { attributes }: Beside): void {
  const noted = READERS[id] ? READERS[id](bytes) : unknown(id, bytes);
  if (noted) attributes[noted[0]] = noted[1];
}

const READERS: Readonly<Record<number, (bytes: Uint8Array) => Noted | null>> = {
  1: bytes => ['fuelLevel1', unsigned(bytes.subarray(0, 2)) / 10],
  35: bytes => ['fuelLevel2', Number(ascii(bytes)) || 0],
  36: bytes => ['cell', ascii(bytes).replaceAll(/[:;,]/g, '-')],
  45: bytes => {
    const volts = unsigned(bytes) / 1000;
    return [volts >= VEHICLE_VOLTS ? 'externalVoltage' : 'batteryVoltage', volts];
  },
  137: bytes => (bytes.length === 4 && (unsigned(bytes) & ATTACHED) === 0 ? ['removed', true] : null),
  163: bytes => ['firmware', ascii(bytes)],
  168: bytes => (bytes.length === 1 && unsigned(bytes) <= 100 ? ['batteryLevel', unsigned(bytes)] : null),
  178: bytes => ['iccid', hex(bytes).replace(/F+$/, '')],
  197: bytes => (bytes.length === 4 ? ['movement', (unsigned(bytes) & AT_REST) === 0] : null),
  206: bytes => ['externalVoltage', unsigned(bytes) / 100],
  213: bytes => ['terminalId', ascii(bytes)],
  216: bytes => {
    const cell = readTower(new Reader(bytes), SERVING);
    return cell === null ? null : ['cell', cell];
  },
  251: bytes => ['iccid', ascii(bytes)],
};

function unknown(id: number, bytes: Uint8Array): Noted {
  const kept = bytes.subarray(0, MAX_BYTES);
  const name = `itemEB${hex(Uint8Array.of(id >> 8, id & 255))}`;
  return [name, isText(kept) && kept.length > 4 ? ascii(kept) : hex(kept)];
}

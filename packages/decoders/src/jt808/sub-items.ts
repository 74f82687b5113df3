import { ascii, hex, isText, Reader } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import type { Beside } from './beside.ts';
import { readTower, SERVING, SHORT } from './radio.ts';
import { unsigned } from './streams.ts';

/**
 * Item 0xEB ("BSJ-EG01 Protocol and Data Format" V1.0.0, appendix D, others from recordings): nested items, each with a
 * length that includes the number, and its number; or only the tracker's time zone as text.
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

/** In volts: a tracker's own battery is never this high. */
const VEHICLE_VOLTS = 6;
const MAX_BYTES = 32;
/** Bit of 0x0089, set if all is well. */
const ATTACHED = 1 << 12;
/** Bits of 0x00C5, clear while the vehicle moves. */
const AT_REST = 0b11 << 23;

type Noted = readonly [name: string, value: string | number | boolean];

function subItem(id: number, bytes: Uint8Array, beside: Beside): void {
  const { attributes } = beside;
  const event = bytes.length === 4 ? (alarmIn(ALARMS[id] ?? [], bytes) ?? null) : null;
  beside.event ??= event;
  const noted = READERS[id] ? READERS[id](bytes) : unknown(id, bytes);
  if (noted) attributes[noted[0]] = noted[1];
}

/** Bits that are clear while there is an alarm. */
const ALARMS: Readonly<Record<number, readonly (readonly [bit: number, event: TrackerEvent])[]>> = {
  137: [
    [4, 'crash'],
    [12, 'tamper'],
    [31, 'falseBaseStation'],
    [8, 'harshAcceleration'],
    [9, 'harshBraking'],
    [25, 'harshCornering'],
  ],
  197: [
    [14, 'tamper'],
    [6, 'vibration'],
  ],
};
const alarmIn = (bits: readonly (readonly [number, TrackerEvent])[], bytes: Uint8Array): TrackerEvent | undefined =>
  bits.find(([bit]) => ((unsigned(bytes) >>> bit) & 1) === 0)?.[1];

/** A count, then `24:69:68:5d:2c:a5,-30` and more, all as text. */
function wifiIn(bytes: Uint8Array): Noted | null {
  const found = [...ascii(bytes).matchAll(/((?:[0-9A-F]{2}:){5}[0-9A-F]{2}),(-?\d+)/gi)];
  const stations = found.map(([, address = '', signal = '']) => `${address.toUpperCase()}:${signal}`);
  return stations.length > 0 ? ['wifi', stations.join(' ')] : null;
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
  185: wifiIn,
  197: bytes => (bytes.length === 4 ? ['movement', (unsigned(bytes) & AT_REST) === 0] : null),
  206: bytes => ['externalVoltage', unsigned(bytes) / 100],
  213: bytes => ['imei', ascii(bytes)],
  216: bytes => {
    const cell = readTower(new Reader(bytes), bytes.length === 9 ? SHORT : SERVING);
    return cell === null ? null : ['cell', cell];
  },
  251: bytes => ['iccid', ascii(bytes)],
};

function unknown(id: number, bytes: Uint8Array): Noted {
  const kept = bytes.subarray(0, MAX_BYTES);
  const name = `itemEB${hex(Uint8Array.of(id >> 8, id & 255))}`;
  return [name, isText(kept) && kept.length > 4 ? ascii(kept) : hex(kept)];
}

import { ascii, hex, Reader } from '../bytes.ts';

/**
 * Lists of Bluetooth beacons in the variable-length elements of Codec 8 Extended. AVL 385, "Beacon list": one byte
 * "data part", then beacons, each preceded by flags. AVL 548, "Advanced BLE Beacon data": one byte, then beacons, each
 * a length and type-length-value parameters. AVL 10828–10831, tags of EYE beacons and sensors: as 548.
 */
const BEACON_LIST = 385;
const ADVANCED_BEACONS = 548;
const TAGS_FIRST = 10_828;
const TAGS_LAST = 10_831;

/** More beacons than a tracker can receive; limits what one element can become. */
const MAX_BEACONS = 64;

/** Bits of the flags before each beacon of the plain list. */
const HAS_SIGNAL = 0b0000_0001;
const HAS_BATTERY = 0b0000_0010;
const HAS_TEMPERATURE = 0b0000_0100;
const IS_IBEACON = 0b0010_0000;
/** iBeacon: UUID 16, major 2, minor 2. Eddystone: namespace 10, instance 6. */
const IBEACON_ID_BYTES = 20;
const EDDYSTONE_ID_BYTES = 16;

type Into = Record<string, string | number | boolean>;

/**
 * Adds the list's values as `tag1Id`, `tag1Rssi` (dBm), `tag1Battery` (V) …; false if the element is not such a list.
 */
export function beaconAttributes(id: number, bytes: Uint8Array, into: Into): boolean {
  if (id === BEACON_LIST) plainList(bytes, into);
  else if (id === ADVANCED_BEACONS || (id >= TAGS_FIRST && id <= TAGS_LAST)) advancedList(bytes, into);
  else return false;
  return true;
}

/** The number after those of the record's other lists: there is one for each of four EYE sensors. */
function nextIn(into: Into): number {
  let next = 1;
  for (const name in into) {
    const number = Number(/^tag(\d+)[A-Z]/.exec(name)?.[1] ?? 0);
    if (number >= next) next = number + 1;
  }
  return next;
}

function plainList(bytes: Uint8Array, into: Into): void {
  const reader = new Reader(bytes);
  reader.skip(1);
  for (let n = nextIn(into); reader.remaining > 0 && n <= MAX_BEACONS; n++) {
    const flags = reader.u8();
    const id = reader.take8(flags & IS_IBEACON ? IBEACON_ID_BYTES : EDDYSTONE_ID_BYTES);
    if (reader.overrun) return;
    into[`tag${n}Id`] = hex(id);
    if (flags & HAS_SIGNAL) into[`tag${n}Rssi`] = signed(reader.u8());
    if (flags & HAS_BATTERY) into[`tag${n}Battery`] = reader.u16() / 1000;
    if (flags & HAS_TEMPERATURE) into[`tag${n}Temperature`] = reader.i16() / 100;
  }
}

type Form = 'number' | 'signed' | 'flag' | 'hex' | 'text';

/**
 * Parameters of one beacon in the advanced list: name, bytes, form, and how many of it are one unit. 0–2 are of any
 * beacon, 5–16 of EYE sensors ("EYE SENSOR / BTSMP1", table 1). Of another size, one stays hexadecimal.
 */
const PARAMETERS: Readonly<Record<number, readonly [name: string, bytes: number | null, form: Form, per?: number]>> = {
  0: ['Rssi', 1, 'signed'],
  1: ['Id', null, 'hex'],
  2: ['Data', null, 'hex'],
  5: ['Name', null, 'text'],
  6: ['Temperature', 2, 'signed', 100],
  7: ['Humidity', 1, 'number'],
  8: ['Magnet', 1, 'flag'],
  9: ['Movement', 1, 'flag'],
  10: ['MovementCount', 2, 'number'],
  11: ['Pitch', 1, 'signed'],
  12: ['Roll', 2, 'signed'],
  13: ['LowBattery', 1, 'flag'],
  14: ['Battery', 2, 'number', 1000],
  15: ['Mac', 6, 'hex'],
  16: ['MagnetCount', 2, 'number'],
};

function advancedList(bytes: Uint8Array, into: Into): void {
  const reader = new Reader(bytes);
  reader.skip(1);
  for (let n = nextIn(into); reader.remaining > 0 && n <= MAX_BEACONS; n++) {
    const beacon = new Reader(reader.take8(reader.u8()));
    if (reader.overrun) return;
    while (beacon.remaining >= 2) {
      const parameter = beacon.u8();
      const value = beacon.take8(beacon.u8());
      if (beacon.overrun) break;
      setParameter(into, `tag${n}`, parameter, value);
    }
  }
}

function setParameter(into: Into, tag: string, parameter: number, value: Uint8Array): void {
  const [name, bytes, form, per = 1] = PARAMETERS[parameter] ?? [];
  if (name === undefined || (bytes !== null && bytes !== value.length)) {
    into[`${tag}Parameter${parameter}`] = hex(value);
  } else if (form === 'hex') into[`${tag}${name}`] = hex(value);
  else if (form === 'text') into[`${tag}${name}`] = ascii(value);
  else {
    const number = value.reduce((sum, byte) => sum * 256 + byte, 0);
    into[`${tag}${name}`] =
      form === 'flag' ? number !== 0 : (form === 'signed' ? signed(number, value.length) : number) / per;
  }
}

const signed = (value: number, bytes = 1): number => (value >= 2 ** (8 * bytes - 1) ? value - 2 ** (8 * bytes) : value);

import { hex, Reader } from '../bytes.ts';

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

function plainList(bytes: Uint8Array, into: Into): void {
  const reader = new Reader(bytes);
  reader.skip(1);
  for (let n = 1; reader.remaining > 0 && n <= MAX_BEACONS; n++) {
    const flags = reader.u8();
    const id = reader.take8(flags & IS_IBEACON ? IBEACON_ID_BYTES : EDDYSTONE_ID_BYTES);
    if (reader.overrun) return;
    into[`tag${n}Id`] = hex(id);
    if (flags & HAS_SIGNAL) into[`tag${n}Rssi`] = signed(reader.u8());
    if (flags & HAS_BATTERY) into[`tag${n}Battery`] = reader.u16() / 1000;
    if (flags & HAS_TEMPERATURE) into[`tag${n}Temperature`] = reader.i16() / 100;
  }
}

/** Parameters of one beacon in the advanced list. */
const PARAMETER = { rssi: 0x00, id: 0x01, data: 0x02, lowBattery: 0x0d, battery: 0x0e } as const;

function advancedList(bytes: Uint8Array, into: Into): void {
  const reader = new Reader(bytes);
  reader.skip(1);
  for (let n = 1; reader.remaining > 0 && n <= MAX_BEACONS; n++) {
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
  const number = value.length <= 4 ? value.reduce((sum, byte) => sum * 256 + byte, 0) : 0;
  if (parameter === PARAMETER.rssi) into[`${tag}Rssi`] = signed(number);
  else if (parameter === PARAMETER.id) into[`${tag}Id`] = hex(value);
  else if (parameter === PARAMETER.data) into[`${tag}Data`] = hex(value);
  else if (parameter === PARAMETER.lowBattery) into[`${tag}LowBattery`] = number !== 0;
  else if (parameter === PARAMETER.battery) into[`${tag}Battery`] = number / 1000;
  else into[`${tag}Parameter${parameter}`] = hex(value);
}

const signed = (byte: number): number => (byte > 127 ? byte - 256 : byte);

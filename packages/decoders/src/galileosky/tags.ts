import { BYTES, MILLI, numbered, SIGNED, SPECIAL, type TagRow, TEXT } from './tag-row.ts';

/** Tags that a record's columns and its place are read from. */
export const TAG = {
  imei: 0x03,
  device: 0x04,
  record: 0x10,
  time: 0x20,
  milliseconds: 0x21,
  place: 0x30,
  motion: 0x33,
  altitude: 0x34,
  accuracy: 0x35,
  command: 0xe0,
  text: 0xe1,
  array: 0xea,
  extended: 0xfe,
} as const;

/** Galileosky protocol, "Packet protocol tags". A tag that is not here has no known length. */
export const TAGS: readonly TagRow[] = [
  [0x01, 1, 'hardware', ''],
  [0x02, 1, 'firmware', ''],
  [TAG.imei, 15, 'imei', '', TEXT],
  [TAG.device, 2, 'deviceNumber', ''],
  [TAG.record, 2, 'recordNumber', ''],
  [0x11, 4, 'recordNumber', ''],
  [TAG.time, 4, 'time', '', SPECIAL],
  [TAG.milliseconds, 2, 'milliseconds', '', SPECIAL],
  [TAG.place, 9, 'place', '', SPECIAL],
  [TAG.motion, 4, 'motion', '', SPECIAL],
  [TAG.altitude, 2, 'altitude', 'm', SPECIAL],
  [TAG.accuracy, 1, 'accuracy', '', SPECIAL],
  [0x36, 1, 'pdop', '', { scale: 0.1 }],
  [0x40, 2, 'status', ''],
  [0x41, 2, 'externalVoltage', 'V', { scale: MILLI }],
  [0x42, 2, 'batteryVoltage', 'V', { scale: MILLI }],
  [0x43, 1, 'boardTemperature', '°C', SIGNED],
  [0x44, 4, 'acceleration', 'm/s²', SPECIAL],
  [0x45, 2, 'outputs', '', SPECIAL],
  [0x46, 2, 'inputs', '', SPECIAL],
  [0x47, 4, 'driving', 'm/s²', SPECIAL],
  [0x48, 2, 'connection', '', SPECIAL],
  [0x49, 1, 'channel', ''],
  ...numbered(0x50, 0x57, 2, 'inputValue#', 'mV, pulses or Hz'),
  ...numbered(0x58, 0x59, 2, 'rs232Value#', ''),
  [0x5a, 4, 'electricityMeter', ''],
  [0x5c, 68, 'tires', '', SPECIAL],
  [0x5d, 3, 'dosimeter', '', BYTES],
  ...numbered(0x60, 0x62, 2, 'fuelSensor#', ''),
  ...numbered(0x63, 0x6f, 3, 'fuelSensor#', '', { first: 4, form: 'special' }),
  ...numbered(0x70, 0x77, 2, 'temperature#', '°C', SPECIAL),
  ...numbered(0x78, 0x7d, 2, 'inputValue#', 'mV, pulses or Hz', { first: 9 }),
  ...numbered(0x80, 0x87, 3, 'hygrometer#', '°C, %', SPECIAL),
  ...numbered(0x88, 0x89, 1, 'rs232Extra#', '°C or weight', SIGNED),
  ...numbered(0x8a, 0x8c, 1, 'fuelSensor#Temperature', '°C', SIGNED),
  [0x90, 4, 'iButton', '', { form: 'hex' }],
  ...numbered(0xa0, 0xaf, 1, 'can8bit#', '', { first: 15 }),
  ...numbered(0xb0, 0xb9, 2, 'can16bit#', '', { first: 5 }),
  [0xc0, 4, 'fuelUsed', 'l', { scale: 0.5 }],
  [0xc1, 4, 'engine', '', SPECIAL],
  [0xc2, 4, 'canOdometer', 'm', { scale: 5 }],
  [0xc3, 4, 'canB1', ''],
  ...numbered(0xc4, 0xd2, 1, 'can8bit#', '', { first: 0 }),
  [0xd3, 4, 'iButton2', '', { form: 'hex' }],
  [0xd4, 4, 'odometer', 'm'],
  [0xd5, 1, 'iButtons', ''],
  ...numbered(0xd6, 0xda, 2, 'can16bit#', '', { first: 0 }),
  ...numbered(0xdb, 0xdf, 4, 'can32bit#', '', { first: 0 }),
  [TAG.command, 4, 'command', '', SPECIAL],
  ...numbered(0xe2, 0xe9, 4, 'userData#', '', { first: 0 }),
  ...numbered(0xf0, 0xf9, 4, 'can32bit#', '', { first: 5 }),
];

const UNITS = 'GPS GLONASS BeiDou Galileo'.split(' ');

/** Tags whose value depends on the record as a whole: the iButtons, the tower, the reason. */
export const EXTENDED = { area: 0x82, cell: 0x81, country: 0x83, network: 0x84, reason: 0xfc, card: 0xfd } as const;

/** "Extended tags", which stand in the data of 0xFE. */
export const EXTENDED_TAGS: readonly TagRow[] = [
  ...numbered(0x01, 0x20, 4, 'modbus#', '', { first: 0, scale: 0.01, signed: true }),
  ...numbered(0x21, 0x60, 4, 'bluetooth#', '', { first: 0, signed: true }),
  ...numbered(0x61, 0x80, 4, 'modbus#', '', { first: 32, scale: 0.01, signed: true }),
  [EXTENDED.cell, 2, 'cellId', ''],
  [EXTENDED.area, 2, 'areaCode', ''],
  [EXTENDED.country, 2, 'countryCode', ''],
  [EXTENDED.network, 2, 'networkCode', ''],
  [0x85, 1, 'rssi', ''],
  ...numbered(0x86, 0x8d, 4, 'temperature#', '°C', SPECIAL),
  ...UNITS.map((unit, i): TagRow => [0x8e + i, 4, `satellites${unit}`, '', SPECIAL]),
  [0x92, 15, 'imsi', '', TEXT],
  [0x93, 1, 'simSlot', ''],
  [0x94, 20, 'iccid', '', TEXT],
  [0xa4, 1, 'wifiState', ''],
  [0xa5, 1, 'wifiError', ''],
  [0xa6, 1, 'modemState', ''],
  [0xa7, 1, 'networkRegistration', ''],
  [0xa8, 1, 'gprs', '', { form: 'flag' }],
  [0xa9, 4, 'freeMemory', 'bytes'],
  [0xab, 12, 'archive', '', BYTES],
  [0xac, 4, 'lastRecord', ''],
  [0xad, 6, 'wifiAddress', '', BYTES],
  [0xae, 6, 'bluetoothAddress', '', BYTES],
  [0xaf, 14, 'restarts', '', BYTES],
  [0xb0, 1, 'snr', ''],
  [0xb1, 1, 'sdCardState', ''],
  [0xb2, 1, 'sdCardError', ''],
  [0xb3, 12, 'collector', '', BYTES],
  ...numbered(0xb4, 0xb6, 6, 'wifiClient#', '', BYTES),
  ...numbered(0xd9, 0xfa, 3, 'wheel#', '', SPECIAL),
  [EXTENDED.reason, 1, 'recordReason', ''],
  [EXTENDED.card, 8, 'iButton64', '', { form: 'hex' }],
  [0xfe, 8, 'iButton64Second', '', { form: 'hex' }],
];

const BY_TAG = new Map(TAGS.map(row => [row[0], row]));
const BY_EXTENDED_TAG = new Map(EXTENDED_TAGS.map(row => [row[0], row]));
export const tagOf = (tag: number): TagRow | undefined => BY_TAG.get(tag);
export const extendedTagOf = (tag: number): TagRow | undefined => BY_EXTENDED_TAG.get(tag);

/** Bytes of a tag's data at `at`, with its own length if it carries one; null if nobody knows. */
export function sizeOf(tag: number, bytes: Uint8Array, at: number): number | null {
  if (tag === TAG.text || tag === TAG.array) return 1 + (bytes[at] ?? 0);
  if (tag === TAG.extended) return 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  return BY_TAG.get(tag)?.[1] ?? null;
}

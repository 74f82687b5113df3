import { celsius, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import { ByteWriter } from './byte-writer.ts';
import { crc16Ibm, crc16Itu } from './crc16.ts';
import * as gt06 from './gt06/encode.ts';
import type { PositionMessage } from './protocol.ts';
import * as teltonika from './teltonika/encode.ts';

/** Inputs that stress the decoders: valid frames, nonsense with valid checksums, and damaged versions of both. */

/** Numbers from 0 up to 1, always the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const SAMPLE_POSITION: PositionMessage = {
  kind: 'position',
  time: epochMs(Date.UTC(2026, 0, 15, 8, 30, 5)),
  valid: true,
  lat: degrees(41.8781),
  lon: degrees(-87.6298),
  speed: fromKilometresPerHour(54),
  course: degrees(271),
  altitude: metres(181),
  satellites: 11,
  hdop: 0.8,
  ignition: true,
  odometer: metres(123_456_789),
  fuel: percent(64),
  temperature: celsius(-4.5),
  gsm: 25,
  event: 'harshBraking',
  rfid: '01000000A1B2C3D4',
  attributes: { externalVoltage: 13.84, movement: true, cell: '310-4-33278-421275' },
};

const IMEI = '352093081452251';
const STATE: gt06.TerminalState = { ignition: true, charging: true, batteryLevel: 83, gsm: 31 };

export const TELTONIKA_SAMPLES: readonly Uint8Array[] = [
  teltonika.encodeLogin(IMEI),
  Uint8Array.of(0xff),
  teltonika.encodePacket([SAMPLE_POSITION], 'codec8'),
  teltonika.encodePacket([SAMPLE_POSITION, SAMPLE_POSITION], 'codec8Extended'),
  teltonika.encodePacket([SAMPLE_POSITION], 'codec16'),
  teltonika.encodeResponse('DI1:1 DI2:0 AIN1:0'),
];

export const TELTONIKA_DATAGRAM = teltonika.encodeDatagram({ imei: IMEI, packetId: 7, avlPacketId: 3 }, [
  SAMPLE_POSITION,
]);

export const GT06_SAMPLES: readonly Uint8Array[] = [
  gt06.encodeLogin(IMEI),
  gt06.encodeLocation(SAMPLE_POSITION, 2),
  gt06.encodeHeartbeat(STATE, 3),
  gt06.encodeAlarm({ ...SAMPLE_POSITION, event: 'sos' }, STATE, 4),
];

const byte = (random: () => number): number => Math.floor(random() * 256);
export const randomBytes = (random: () => number, longest: number): Uint8Array =>
  Uint8Array.from({ length: Math.floor(random() * longest) }, () => byte(random));

const TELTONIKA_CODECS = [0x07, 0x08, 0x8e, 0x10, 0x0c, 0x0d, 0x0e, 0x0f];

/** Nonsense after a codec id and a count, in a valid envelope. */
export function teltonikaNonsense(random: () => number): Uint8Array {
  const codec = TELTONIKA_CODECS[Math.floor(random() * TELTONIKA_CODECS.length)] ?? 0x08;
  const count = Math.floor(random() * 4);
  const data = new ByteWriter().u8(codec).u8(count).bytes(randomBytes(random, 300)).u8(count).done();
  return new ByteWriter()
    .u32(0)
    .u32(data.length)
    .bytes(data)
    .u32(crc16Ibm(data, 0, data.length))
    .done();
}

/** Nonsense under any protocol number, half of it after a plausible time, in a valid frame. */
export function gt06Nonsense(random: () => number): Uint8Array {
  const time = random() < 0.5 ? gt06.timeOf(SAMPLE_POSITION.time) : new Uint8Array(0);
  const content = new ByteWriter().bytes(time).bytes(randomBytes(random, 200)).done();
  if (random() < 0.7) return gt06.shortPacket(byte(random), content, byte(random));
  const inner = new ByteWriter()
    .u16(0x7979)
    .u16(content.length + 5)
    .u8(byte(random))
    .bytes(content)
    .u16(1)
    .done();
  return new ByteWriter()
    .bytes(inner)
    .u16(crc16Itu(inner, 2, inner.length))
    .u16(0x0d0a)
    .done();
}

/** Flips bits, cuts, repeats and inserts bytes. */
export function damage(random: () => number, bytes: Uint8Array): Uint8Array {
  const kind = Math.floor(random() * 5);
  const at = Math.floor(random() * (bytes.length + 1));
  if (kind === 0) return bytes.slice(0, at);
  if (kind === 1) return Uint8Array.of(...bytes.slice(0, at), ...randomBytes(random, 8), ...bytes.slice(at));
  if (kind === 2) return Uint8Array.of(...bytes, ...bytes.slice(at));
  if (kind === 3) return Uint8Array.of(...randomBytes(random, 16), ...bytes);
  const damaged = bytes.slice();
  for (let flips = 1 + Math.floor(random() * 4); flips > 0; flips--) {
    const where = Math.floor(random() * damaged.length);
    damaged[where] = (damaged[where] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return damaged;
}

const WORDS = [
  'id',
  'deviceid',
  'lat',
  'lon',
  'timestamp',
  'location',
  'cell',
  'wifi',
  'speed',
  '__proto__',
  'event',
  'x',
];
const VALUES = ['', '1', '-1e999', '60.5', '2026-01-15T08:30:05Z', 'NaN', '%00', '1,2,3,4', 'true', '￿', 'constructor'];
const pick = (random: () => number, from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';

export function osmandNonsense(random: () => number): string {
  const pairs = Array.from(
    { length: Math.floor(random() * 12) },
    () => `${pick(random, WORDS)}=${pick(random, VALUES)}`,
  );
  return random() < 0.1 ? String.fromCharCode(...randomBytes(random, 200)) : pairs.join('&');
}

export function osmandDocument(random: () => number, depth = 0): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 7));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return (random() - 0.5) * 10 ** Math.floor(random() * 300);
  if (kind === 3) return pick(random, [...VALUES, ...MEMBERS]);
  if (kind === 4) return Array.from({ length: Math.floor(random() * 4) }, () => osmandDocument(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: Math.floor(random() * 6) }, () => [pick(random, MEMBERS), osmandDocument(random, depth + 1)]),
  );
}

const MEMBERS = [
  'device_id',
  'location',
  'coords',
  'latitude',
  'longitude',
  'timestamp',
  'battery',
  'level',
  'extras',
  'activity',
  'event',
  'is_moving',
];

import { degrees, type EpochMs } from '@milepost/units';
import { ascii, hex, Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { angleOf, DATE_LINE, NORTH_POLE } from './angle.ts';
import { tidy } from './beside.ts';
import { type MessageReader, status } from './reports.ts';
import { entriesOf, unsigned } from './streams.ts';
import { readTime } from './time.ts';

/** Messages of OBD terminals ("4G Wireless Air Protocol" VJT.04.063, §3.22, §3.60, §3.67–3.73). */
function at(
  time: EpochMs | null,
  lat: number,
  lon: number,
  event: string | null,
  attributes: Attributes,
): DecodedMessage {
  if (time === null || (lat === 0 && lon === 0)) return { kind: 'status', time, event, attributes };
  return positionOf({
    time,
    valid: true,
    lat: degrees(angleOf(lat, NORTH_POLE, false)),
    lon: degrees(angleOf(lon, DATE_LINE, false)),
    event,
    attributes,
  });
}

const TRIP: readonly (readonly [id: number, name: string, scale: number])[] = [
  [0x0009, 'tripOdometer', 1],
  [0x000a, 'tripFuelUsed', 1 / 1000],
  [0x000b, 'tripTime', 1],
  [0x000e, 'tripAverageSpeed', 1 / 3.6],
  [0x000f, 'tripMaximumSpeed', 1 / 3.6],
  [0x0010, 'tripIdleTime', 1],
  [0x000d, 'tripOverspeeds', 1],
  [0x0013, 'tripHarshAccelerations', 1],
  [0x0014, 'tripHarshBrakings', 1],
  [0x0015, 'tripHarshTurns', 1],
  [0x000c, 'tripOverspeedTime', 1],
  [0x0012, 'tripBrakings', 1],
  [0x0016, 'tripDistanceTo20', 1],
  [0x0017, 'tripDistanceTo40', 1],
  [0x0018, 'tripDistanceTo60', 1],
  [0x0019, 'tripDistanceTo80', 1],
  [0x001a, 'tripDistanceTo100', 1],
  [0x001b, 'tripDistanceTo120', 1],
  [0x001c, 'tripDistanceAbove120', 1],
  [0x001d, 'tripIdleFuelUsed', 1 / 1000],
];
const BEGIN = { time: 0x0001, lat: 0x0003, lon: 0x0004 } as const;
const END = { time: 0x0002, lat: 0x0005, lon: 0x0006 } as const;

/** 0xF1: a trip that ended, with the place where it did. */
function trip(reader: Reader): DecodedMessage | null {
  const entries = entriesOf(reader.rest());
  if (entries === null) return null;
  const values = new Map(entries.map(({ id, bytes }) => [id, bytes]));
  const end = values.get(END.time);
  if (end?.length !== 6) return null;
  const number = (id: number): number => unsigned(values.get(id) ?? new Uint8Array(0));
  const named = TRIP.filter(([id]) => values.has(id)).map(([id, name, scale]) => [name, number(id) * scale] as const);
  return at(readTime(new Reader(end)), number(END.lat), number(END.lon), 'tripStop', {
    ...Object.fromEntries(named.map(([name, value]) => [name, tidy(value)])),
    ...beginning(values),
  });
}

/** When and where the trip began. */
function beginning(values: ReadonlyMap<number, Uint8Array>): Attributes {
  const clock = values.get(BEGIN.time);
  const time = clock?.length === 6 ? readTime(new Reader(clock)) : null;
  const [lat, lon] = [BEGIN.lat, BEGIN.lon].map(id => unsigned(values.get(id) ?? new Uint8Array(0)));
  return {
    ...(time === null ? {} : { tripStartTime: new Date(time).toISOString().replace('.000Z', 'Z') }),
    ...(lat && lon
      ? { tripStartLat: angleOf(lat, NORTH_POLE, false), tripStartLon: angleOf(lon, DATE_LINE, false) }
      : {}),
  };
}

const CODE_BYTES = 4;

/** 0xF2: trouble codes with time and place. */
function troubles(reader: Reader): DecodedMessage | null {
  const time = readTime(reader);
  const [lat, lon] = [reader.u32(), reader.u32()];
  const count = reader.u8();
  if (reader.overrun || time === null || reader.remaining !== count * CODE_BYTES) return null;
  const codes = Array.from({ length: count }, () => hex(reader.take8(CODE_BYTES)));
  return at(time, lat, lon, null, { troubleCodeCount: count, ...(count > 0 ? { troubleCodes: codes.join(' ') } : {}) });
}

/** 0xF3 and 0xF4: asleep; awake again, and why. */
function sleep(reader: Reader): DecodedMessage | null {
  if (reader.remaining !== 6) return null;
  const time = readTime(reader);
  return time && { kind: 'status', time, event: 'sleep', attributes: {} };
}
function wake(reader: Reader): DecodedMessage | null {
  if (reader.remaining !== 11) return null;
  const time = readTime(reader);
  return time && { kind: 'status', time, event: null, attributes: { wakeReason: reader.u8() } };
}

const UPGRADES = [
  'done',
  'same version',
  'wrong parameters',
  'no sign-in',
  'no download',
  'error in the file',
  'wrong kind of file',
  'no file',
  'failed',
] as const;

/** 0xF6: the result of an upgrade. */
function upgraded(reader: Reader): DecodedMessage | null {
  if (reader.remaining !== 1) return null;
  const result = reader.u8();
  return { kind: 'status', time: null, event: null, attributes: { upgrade: UPGRADES[result] ?? result } };
}

const SAMPLE_BYTES = 7;

/** 0xF7: a collision with time, place and level, then how the vehicle moved before and after. */
function collision(reader: Reader): DecodedMessage | null {
  const time = readTime(reader);
  const [lat, lon] = [reader.u32(), reader.u32()];
  if (time === null || reader.overrun) return null;
  reader.skip(4);
  const collisionLevel = reader.u8();
  if (reader.overrun) return at(time, lat, lon, 'crash', {});
  const accelerationSamples = Math.floor(reader.remaining / SAMPLE_BYTES);
  return at(time, lat, lon, 'crash', { collisionLevel, accelerationSamples });
}

const BY_TYPE: Readonly<Record<number, (reader: Reader) => DecodedMessage | null>> = {
  241: trip,
  242: troubles,
  243: sleep,
  244: wake,
  246: upgraded,
  247: collision,
};

/** Null if the content does not fit the type: another maker's. */
export const terminalData = (type: number, reader: Reader): DecodedMessage | null => BY_TYPE[type]?.(reader) ?? null;

const VERSION_BYTES = 128;

/** 0x0205: firmware, its date, processor, modem, its IMEI, SIM, model, VIN, odometer and fuel used. */
export const version: MessageReader = body => {
  if (body.remaining < VERSION_BYTES) return null;
  const [firmware = '', firmwareDate = ''] = [14, 10].map(bytes => ascii(body.take8(bytes)).trim());
  body.skip(12);
  const [modem = '', imei = '', imsi = '', iccid = ''] = [15, 15, 15, 20].map(bytes => ascii(body.take8(bytes)).trim());
  body.skip(2);
  const texts = { firmware, firmwareDate, modem, imei, imsi, iccid, vin: ascii(body.take8(17)).trim() };
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  return status({ ...Object.fromEntries(filled), odometer: body.u32(), fuelUsed: body.u32() / 1000 });
};

/** 0x0105: the command word and its result. */
export const controlled: MessageReader = body => {
  const reference = body.u16();
  const word = hex(body.take8(1));
  const result = body.u8();
  return body.overrun
    ? null
    : [{ kind: 'reply', text: `${word} ${result === 0 ? 'done' : `result ${result}`}`, reference }];
};

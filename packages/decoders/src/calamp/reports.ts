import { degrees, epochMs, fromKilometresPerHour, metres, metresPerSecond } from '@milepost/units';
import { ascii, hex, type Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';

/** A message's body; null when it is shorter than its kind. */
export type BodyReader = (body: Reader) => DecodedMessage | null;

const COORDINATE_SCALE = 1e7;
const CENTI = 100;
const IGNITION = 1;
/** "Fix Status": what makes a fix none. */
const FIX = { lastKnown: 1 << 2, invalid: 1 << 3 } as const;
/** The same in a mini report, above four bits of satellites. */
const MINI_FIX = { invalid: 1 << 5, lastKnown: 1 << 6 } as const;
const MOST_ACCUMULATORS = 63;

/** dBm on the scale of `+CSQ`, 3GPP TS 27.007. */
const csqOf = (dbm: number): number | null =>
  dbm >= -113 && dbm < 0 ? Math.min(31, Math.round((dbm + 113) / 2)) : null;
export const dbmOf = (csq: number): number => csq * 2 - 113;

/** "Event Report", "Locate Report" and "User Message" begin with the same fields. */
function readPlace(body: Reader) {
  const updated = body.u32();
  const fixed = body.u32();
  const lat = body.i32() / COORDINATE_SCALE;
  const lon = body.i32() / COORDINATE_SCALE;
  const altitude = body.i32() / CENTI;
  const speed = body.u32() / CENTI;
  const course = body.i16();
  const satellites = body.u8();
  const fixStatus = body.u8();
  const carrier = body.u16();
  const gsm = csqOf(body.i16());
  // "Comm State".
  body.skip(1);
  const hdop = body.u8() / 10;
  const inputs = body.u8();
  const unitStatus = body.u8();
  const attributes: Record<string, string | number | boolean> = { inputs };
  if (carrier !== 0) attributes.carrier = carrier;
  if (unitStatus !== 0) attributes.unitStatus = unitStatus;
  // Sent late, from the tracker's memory: the fix is older than the report.
  if (fixed !== updated) attributes.reportTime = new Date(updated * 1000).toISOString();
  const report = {
    time: epochMs(fixed * 1000),
    valid: (fixStatus & (FIX.invalid | FIX.lastKnown)) === 0,
    lat: degrees(lat),
    lon: degrees(lon),
    altitude: metres(altitude),
    speed: metresPerSecond(speed),
    course: degrees(course),
    satellites,
    hdop,
    gsm,
    ignition: (inputs & IGNITION) !== 0,
  };
  return { report, attributes };
}

/** "Accum List": counters whose meaning the tracker's script gives. */
function accumulators(body: Reader, count: number, attributes: Record<string, string | number | boolean>): void {
  for (let i = 1; i <= Math.min(count, MOST_ACCUMULATORS) && body.remaining >= 4; i++) {
    attributes[`accumulator${i}`] = body.u32();
  }
}

const COUNT = 0x3f;
const THRESHOLD_FORMAT = 0x40;

function readAccumulators(body: Reader, attributes: Record<string, string | number | boolean>): void {
  const count = body.u8();
  body.skip(1);
  // With thresholds, a mask of four bytes comes first.
  if (count & THRESHOLD_FORMAT) body.skip(4);
  accumulators(body, count & COUNT, attributes);
}

export const eventReport: BodyReader = body => {
  const { report, attributes } = readPlace(body);
  attributes.eventIndex = body.u8();
  attributes.eventCode = body.u8();
  if (body.overrun) return null;
  readAccumulators(body, attributes);
  return positionOf({ ...report, attributes });
};

export const locateReport: BodyReader = body => {
  const { report, attributes } = readPlace(body);
  if (body.overrun) return null;
  readAccumulators(body, attributes);
  return positionOf({ ...report, attributes });
};

/** "User Message": the same, then route, number, length and what a device on the tracker's port says. */
export const userMessage: BodyReader = body => {
  const { report, attributes } = readPlace(body);
  body.skip(2);
  const text = body.take8(Math.min(body.u16(), Math.max(0, body.remaining)));
  if (body.overrun) return null;
  return positionOf({ ...report, attributes: { ...attributes, userData: ascii(text) } });
};

/** "Mini Event Report": speed in km/h, satellites and fix in one byte. */
export const miniReport: BodyReader = body => {
  const time = epochMs(body.u32() * 1000);
  const lat = body.i32() / COORDINATE_SCALE;
  const lon = body.i32() / COORDINATE_SCALE;
  const course = body.i16();
  const speed = body.u8();
  const fix = body.u8();
  body.skip(1);
  const inputs = body.u8();
  const eventCode = body.u8();
  const count = body.u8();
  if (body.overrun) return null;
  const attributes: Record<string, string | number | boolean> = { inputs, eventCode };
  accumulators(body, count & COUNT, attributes);
  return positionOf({
    time,
    valid: (fix & (MINI_FIX.invalid | MINI_FIX.lastKnown)) === 0,
    lat: degrees(lat),
    lon: degrees(lon),
    course: degrees(course),
    speed: fromKilometresPerHour(speed),
    satellites: fix & 0x0f,
    ignition: (inputs & IGNITION) !== 0,
    attributes,
  });
};

const BEFORE_NUMBERS = 16;

/** "ID Report": versions, then ESN, IMEI, IMSI, telephone number and SIM as packed digits, then text. */
export const idReport: BodyReader = body => {
  body.skip(BEFORE_NUMBERS);
  const [esn, imei, imsi, phone, iccid] = [8, 8, 8, 8, 10].map(bytes => hex(body.take8(bytes)).replace(/F+$/, ''));
  if (body.overrun) return null;
  const extensions = ascii(body.rest().map(byte => (byte === 0 ? 0x20 : byte)));
  const said = { esn, imei, imsi, phone, iccid, extensions };
  const attributes = Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => !!entry[1]));
  return { kind: 'status', time: null, event: null, attributes };
};

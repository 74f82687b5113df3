import { degrees, epochMs, fromKilometresPerHour, metres, metresPerSecond } from '@milepost/units';
import { ascii, hex, letters, type Reader } from '../bytes.ts';
import { positionOf } from '../position.ts';
import { withoutFix } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';

/** Reads a message's body; null if it is too short for its type. `receivedAt` is its time of arrival. */
export type BodyReader = (body: Reader, receivedAt: number) => DecodedMessage | null;

const COORDINATE_SCALE = 1e7;
const CENTI = 100;
const IGNITION = 1;
/**
 * "Fix Status": the place is the last known, or none since the unit was switched on; the unit has kept the message
 * before it sent it; its clock has not been set since it was switched on.
 */
const FIX = { lastKnown: 1 << 2, invalid: 1 << 3, historic: 1 << 5, invalidTime: 1 << 6 } as const;
/** The names of all bits, for explaining them. */
export const FIX_STATUS = [
  'predicted',
  'differentially corrected',
  'last known',
  'not valid',
  'two-dimensional',
  'kept before it was sent',
  'clock not set',
] as const;
/** The same in a mini report, above the four bits for satellites. */
const MINI_FIX = { invalid: 1 << 5, lastKnown: 1 << 6 } as const;
const MOST_ACCUMULATORS = 63;

type Notes = Record<string, string | number | boolean>;

/** dBm on the scale of `+CSQ`, 3GPP TS 27.007. */
const csqOf = (dbm: number): number | null =>
  dbm >= -113 && dbm < 0 ? Math.min(31, Math.round((dbm + 113) / 2)) : null;
export const dbmOf = (csq: number): number => csq * 2 - 113;

interface Place {
  readonly place: Omit<Parameters<typeof positionOf>[0], 'attributes'>;
  /** A tracker that has never had a fix sends zeros, without a time of fix. */
  readonly fixed: boolean;
  readonly attributes: Notes;
}

function reported({ place, fixed, attributes }: Place): DecodedMessage {
  const message = positionOf({ ...place, attributes });
  return fixed ? message : withoutFix(message);
}

/** "Comm State": bit 5. */
const ROAMING = 1 << 5;
const INPUTS = 4;

/** "Inputs": bit 0 is the ignition, those above it are inputs 1 to 7; the first four have names. */
function inputNotes(inputs: number): Notes {
  const notes: Notes = { inputs };
  for (let i = 1; i <= INPUTS; i++) notes[`input${i}`] = (inputs & (1 << i)) !== 0;
  return notes;
}

/** "Event Report", "Locate Report", "User Message" and "Application Message" begin with the same fields. */
function readPlace(body: Reader): Place & { readonly whole: boolean } {
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
  const connection = body.u8();
  const hdop = body.u8() / 10;
  const inputs = body.u8();
  const unitStatus = body.u8();
  const attributes = inputNotes(inputs);
  if (connection & ROAMING) attributes.roaming = true;
  if (carrier !== 0) attributes.carrier = carrier;
  if (unitStatus !== 0) attributes.unitStatus = unitStatus;
  if (fixStatus & FIX.historic) attributes.replayed = true;
  if (fixStatus & FIX.invalidTime) attributes.clockNotSet = true;
  // Sent late, from the tracker's memory: the fix is older than the report.
  if (fixed !== updated && fixed !== 0) attributes.reportTime = new Date(updated * 1000).toISOString();
  const isFix = fixed !== 0 && (lat !== 0 || lon !== 0);
  const place = {
    time: epochMs((fixed === 0 ? updated : fixed) * 1000),
    // Nobody knows when a unit was there whose clock has not been set.
    valid: (fixStatus & (FIX.invalid | FIX.lastKnown | FIX.invalidTime)) === 0,
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
  return { place, fixed: isFix, attributes, whole: !body.overrun };
}

/** "Accum List": counters whose meaning is defined by the tracker's script. */
function accumulators(body: Reader, count: number, attributes: Notes): void {
  for (let i = 1; i <= Math.min(count, MOST_ACCUMULATORS) && body.remaining >= 4; i++) {
    attributes[`accumulator${i}`] = body.u32();
  }
}

const COUNT = 0x3f;
const THRESHOLD_FORMAT = 0x40;

function readAccumulators(body: Reader, attributes: Notes): void {
  if (body.remaining === 0) return;
  const count = body.u8();
  body.skip(1);
  // With thresholds, a four-byte mask comes first.
  if (count & THRESHOLD_FORMAT) body.skip(4);
  accumulators(body, count & COUNT, attributes);
}

export const eventReport: BodyReader = body => {
  const report = readPlace(body);
  if (!report.whole) return null;
  const { attributes } = report;
  if (body.remaining >= 2) {
    attributes.eventIndex = body.u8();
    attributes.eventCode = body.u8();
  }
  readAccumulators(body, attributes);
  return reported(report);
};

export const locateReport: BodyReader = body => {
  const report = readPlace(body);
  if (!report.whole) return null;
  const { attributes } = report;
  readAccumulators(body, attributes);
  return reported(report);
};

/**
 * "User Message": the same, then route, number, length and the message of a device on the tracker's port; type 9 adds
 * accumulators.
 */
export const userMessage: BodyReader = body => {
  const report = readPlace(body);
  if (!report.whole) return null;
  const { attributes } = report;
  body.skip(2);
  attributes.userData = letters(body.take8(Math.min(body.u16(), Math.max(0, body.remaining))));
  readAccumulators(body, attributes);
  return reported(report);
};

const MAX_HEX_BYTES = 256;

/** "Application Message": the same, then its type, its length and its bytes. */
export const applicationMessage: BodyReader = (body, receivedAt) => {
  if (!beginsWithPlace(body, receivedAt)) return keptAs('applicationData')(body, receivedAt);
  const report = readPlace(body);
  const { attributes } = report;
  if (body.remaining >= 2) attributes.applicationType = body.u16();
  body.skip(2);
  attributes.applicationData = hex(body.rest().subarray(0, MAX_HEX_BYTES));
  return reported(report);
};

/** Undecoded bytes, as hexadecimal. */
export const keptAs =
  (name: string): BodyReader =>
  body => ({
    kind: 'status',
    time: null,
    event: null,
    attributes: { [name]: hex(body.rest().subarray(0, MAX_HEX_BYTES)) },
  });

/** An undocumented type; most begin with the same fields as the others, in full or in the mini form. */
export const unnamed: BodyReader = (body, receivedAt) => {
  const whole = beginsWithPlace(body, receivedAt) ? readPlace(body) : null;
  const report = whole ?? (beginsWithMini(body, receivedAt) ? readMini(body) : null);
  if (report === null) return keptAs('data')(body, receivedAt);
  report.attributes.data = hex(body.rest().subarray(0, MAX_HEX_BYTES));
  return reported(report);
};

const PLACE_BYTES = 36;
const TEN_YEARS_S = 10 * 366 * 86_400;
const DAY_S = 86_400;
/** 2001, which as a latitude would be beyond the pole: a mini message has one here. */
const EARLIEST_S = Date.UTC(2001, 0) / 1000;
const FASTEST = 150 * CENTI;
const MOST_SATELLITES = 64;

/** Recent times, a place on Earth, a possible speed and course: other data is unlikely to have all of these. */
function beginsWithPlace(body: Reader, receivedAt: number): boolean {
  if (body.remaining < PLACE_BYTES) return false;
  const start = body.at;
  const [updated, fixed] = [body.u32(), body.u32()];
  const [lat, lon] = [body.i32() / COORDINATE_SCALE, body.i32() / COORDINATE_SCALE];
  body.skip(4);
  const [speed, course, satellites] = [body.u32(), body.i16(), body.u8()];
  body.at = start;
  const now = receivedAt / 1000;
  return (
    updated <= now + DAY_S &&
    updated >= now - TEN_YEARS_S &&
    fixed <= updated + DAY_S &&
    (fixed === 0 || fixed >= EARLIEST_S) &&
    Math.abs(lat) <= 90 &&
    Math.abs(lon) <= 180 &&
    speed <= FASTEST &&
    course >= 0 &&
    course <= 360 &&
    satellites <= MOST_SATELLITES
  );
}

const MINI_BYTES = 18;

/** The same, where the fix is the time of the report. */
function beginsWithMini(body: Reader, receivedAt: number): boolean {
  if (body.remaining < MINI_BYTES) return false;
  const start = body.at;
  const time = body.u32();
  const [lat, lon] = [body.i32() / COORDINATE_SCALE, body.i32() / COORDINATE_SCALE];
  const course = body.i16();
  body.at = start;
  const now = receivedAt / 1000;
  return (
    time <= now + DAY_S &&
    time >= now - TEN_YEARS_S &&
    Math.abs(lat) <= 90 &&
    Math.abs(lon) <= 180 &&
    (lat !== 0 || lon !== 0) &&
    course >= 0 &&
    course <= 360
  );
}

/** The start of the mini messages: speed in km/h, satellites and fix in one byte. Null if cut short. */
function readMini(body: Reader): Place | null {
  const time = epochMs(body.u32() * 1000);
  const lat = body.i32() / COORDINATE_SCALE;
  const lon = body.i32() / COORDINATE_SCALE;
  const course = body.i16();
  const speed = body.u8();
  const fix = body.u8();
  body.skip(1);
  const inputs = body.u8();
  if (body.overrun) return null;
  const place = {
    time,
    valid: (fix & (MINI_FIX.invalid | MINI_FIX.lastKnown)) === 0,
    lat: degrees(lat),
    lon: degrees(lon),
    course: degrees(course),
    speed: fromKilometresPerHour(speed),
    satellites: fix & 0x0f,
    ignition: (inputs & IGNITION) !== 0,
  };
  return { place, fixed: lat !== 0 || lon !== 0, attributes: inputNotes(inputs) };
}

const mini =
  (rest: (body: Reader, attributes: Notes) => void): BodyReader =>
  body => {
    const report = readMini(body);
    if (report === null) return null;
    rest(body, report.attributes);
    return reported(report);
  };

/** "Mini Event Report". */
export const miniReport = mini((body, attributes) => {
  if (body.remaining > 0) attributes.eventCode = body.u8();
  accumulators(body, body.remaining > 0 ? body.u8() & COUNT : 0, attributes);
});

/** "Mini User Message": route, number, length and text. */
export const miniUserMessage = mini((body, attributes) => {
  body.skip(2);
  attributes.userData = letters(body.take8(Math.min(body.u16(), Math.max(0, body.remaining))));
});

const BEFORE_NUMBERS = 9;

/**
 * "ID Report": script 1, configuration 1, firmware 3, class 1, unit status 1, modem 1, application 1, kind of id 1,
 * query 4; then ESN, IMEI, IMSI, phone number and SIM as packed digits, then texts that each end with a zero.
 */
export const idReport: BodyReader = body => {
  body.skip(2);
  const firmware = ascii(body.take8(3));
  body.skip(BEFORE_NUMBERS);
  const [esn, imei, imsi, phone, iccid] = [8, 8, 8, 8, 10].map(bytes => hex(body.take8(bytes)).replace(/F+$/, ''));
  if (body.overrun) return null;
  const extensions = ascii(body.rest().map(byte => (byte === 0 ? 0x20 : byte)));
  const vin = /VIN=([A-HJ-NPR-Z0-9]{17})(?![A-Z0-9])/.exec(extensions)?.[1];
  const values = { firmware, esn, imei, imsi, phone, iccid, vin, extensions };
  const attributes = Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]),
  );
  return { kind: 'status', time: null, event: null, attributes };
};

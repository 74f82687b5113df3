import { type Metres, metres, type Percent, percent } from '@milepost/units';
import { readNumber } from './text-fields.ts';

/**
 * The fields between the position and the send time. Vehicle models: reserved, mileage, hour meter, analog inputs,
 * backup battery in percent, device status, extended data. Handhelds: reserved, mileage, battery in percent. The
 * reserved field can be the position append mask, followed by the fields that it selects. GV200 has inputs and outputs
 * instead of the battery and the device status.
 */
export interface Tail {
  readonly odometer: Metres | null;
  readonly ignition: boolean | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
  /** `+CSQ`, 0–31. */
  readonly gsm: number | null;
  readonly attributes: Record<string, string | number | boolean>;
  /** Index of the extended data of GTERI, after the device status; -1 if absent. */
  readonly extended: number;
}

/** "Device Status": the motion state, then inputs and outputs as bits. */
const STATUS = /^(1[126A]|2[12]|4[12])([0-9A-F]{4,8})?$/i;
const HOUR_METER = /^(\d{4,7}):(\d\d):(\d\d)$/;
/** Only vehicle models have this many fields here; with fewer, a single number is the battery, not the status. */
const LEAST_WITH_STATE = 8;

export function readTail(fields: readonly string[], from: number, to: number): Tail {
  const attributes: Tail['attributes'] = {};
  const statusAt = findStatus(fields, from, to);
  const counted = statusAt < 0 ? to : statusAt;
  const { satellites, hdop, fields: leading } = appended(fields.slice(from, counted));
  const first = from + leading;
  // Handhelds without a mileage have the battery in its place, and then a temperature.
  const soon = readBattery(fields[first]) !== null;
  let odometer: Metres | null = null;
  for (let i = first; i < counted; i++) {
    const text = fields[i] ?? '';
    const hours = HOUR_METER.exec(text);
    if (hours) attributes.engineHours = Number(hours[1]) * 3600 + Number(hours[2]) * 60 + Number(hours[3]);
    else if (odometer === null && !soon && /^\d{1,7}\.\d{1,2}$/.test(text)) odometer = metres(Number(text) * 1000);
  }
  if (statusAt >= 0) {
    analogueInputs(fields, from, statusAt - 1, attributes);
    const level = readBattery(fields[statusAt - 1]);
    if (level !== null) attributes.batteryLevel = level;
    const ignition = readStatus(fields[statusAt] ?? '', attributes);
    return { odometer, satellites, hdop, gsm: null, attributes, ignition, extended: statusAt + 1 };
  }
  if (readLines(fields, first, to, attributes)) {
    const extended = first + BEFORE_EXTENDED;
    return { odometer, satellites, hdop, gsm: null, attributes, ignition: null, extended };
  }
  // Seen in recordings (GL500 and similar models): signal, error rate, temperature, battery, then flags.
  const gsm = /^[1-9]\d?$/.test(fields[from] ?? '') && Number(fields[from]) <= MAX_CSQ ? Number(fields[from]) : null;
  const level = readBattery(fields[to - 1]) ?? null;
  const early = to - from >= 6 ? readBattery(fields[from + 3]) : null;
  if (early !== null) attributes.batteryLevel = early;
  else if (level !== null && to - from <= 8 && to - from >= 2) attributes.batteryLevel = level;
  else if (soon && to - from >= 2) attributes.batteryLevel = readBattery(fields[first]) ?? 0;
  const extended = hasBlankLines(fields, first, to) ? first + BEFORE_EXTENDED : -1;
  return { odometer, satellites, hdop, gsm, attributes, ignition: null, extended };
}

/** Of a GV200, the hour meter, the analog inputs, the lines and a reserved field may all be empty, as in its example of GTERI. */
const hasBlankLines = (fields: readonly string[], first: number, to: number): boolean =>
  first + BEFORE_EXTENDED < to && fields.slice(first + 1, first + BEFORE_EXTENDED).every(text => text === '');

const LINES = /^0[0-9A-F]$/i;
/** Mileage, hour meter, three analog inputs. */
const BEFORE_LINES = 5;
/** These, inputs, outputs, a reserved field. */
const BEFORE_EXTENDED = 8;

/** GV200, which has no device status: after the analog inputs, its four inputs and outputs as bits. */
function readLines(fields: readonly string[], from: number, to: number, attributes: Tail['attributes']): boolean {
  const at = from + BEFORE_LINES;
  const [inputs = '', outputs = ''] = fields.slice(at, Math.min(at + 2, to));
  if (!LINES.test(inputs) || !LINES.test(outputs)) return false;
  for (let i = 1; i <= 3; i++) {
    const text = fields[from + 1 + i] ?? '';
    if (/^\d{1,5}$/.test(text)) attributes[`analogInput${i}`] = Number(text) / 1000;
  }
  for (let i = 0; i < 4; i++) {
    attributes[`input${i + 1}`] = (Number.parseInt(inputs, 16) & (1 << i)) !== 0;
    attributes[`output${i + 1}`] = (Number.parseInt(outputs, 16) & (1 << i)) !== 0;
  }
  return true;
}

const MAX_CSQ = 31;
/** "Position Append Mask" in the reserved field. */
const SATELLITES = 0b0_0001;
/** What caused the fix. */
const TRIGGER = 0b0_0010;
/** HDOP, VDOP, PDOP. */
const DILUTION = 0b0_1000;
const JAMMING = 0b1_0000;
const APPENDED = /^(?:00)?[01][1-389AB]$/i;
const DECIMAL = /^\d{1,2}\.\d{1,2}$/;

interface Appended {
  readonly satellites: number | null;
  readonly hdop: number | null;
  readonly fields: number;
}

/** A mask with a bit that has no name here selects nothing. */
function appended([mask = '', ...values]: readonly string[]): Appended {
  const bits = APPENDED.test(mask) ? Number.parseInt(mask, 16) : 0;
  const [first = ''] = values;
  const satellites = bits & SATELLITES && /^\d{1,2}$/.test(first) ? Number(first) : null;
  const before = (bits & SATELLITES ? 1 : 0) + (bits & TRIGGER ? 1 : 0);
  const diluted = bits & DILUTION && DECIMAL.test(values[before] ?? '');
  const hdop = diluted ? Number(values[before]) : null;
  return { satellites, hdop, fields: 1 + before + (diluted ? 3 : 0) + (bits & JAMMING ? 1 : 0) };
}

function findStatus(fields: readonly string[], from: number, to: number): number {
  const within = (i: number): boolean => i > from && i < to;
  const whole = fields.findIndex((text, i) => within(i) && text.length > 2 && STATUS.test(text));
  if (whole >= 0 || to - from < LEAST_WITH_STATE) return whole;
  return fields.findIndex((text, i) => within(i) && STATUS.test(text) && readBattery(fields[i - 1]) !== null);
}

function readBattery(text: string | undefined): Percent | null {
  const value = /^\d{1,3}$/.test(text ?? '') ? readNumber(text) : null;
  return value !== null && value <= 100 ? percent(value) : null;
}

function analogueInputs(
  fields: readonly string[],
  from: number,
  to: number,
  attributes: Record<string, string | number | boolean>,
): void {
  const hours = fields.findIndex((text, i) => i >= from && HOUR_METER.test(text));
  if (hours < 0) return;
  for (let i = hours + 1, input = 1; i < to; i++, input++) {
    const millivolts = /^\d{1,5}$/.test(fields[i] ?? '') ? Number(fields[i]) : null;
    if (millivolts !== null) attributes[`analogInput${input}`] = millivolts / 1000;
  }
}

/** Status: first digit 1 ignition off, 2 on, 4 unknown; second digit 1 at rest, 2 moving, 6 and A towed. */
function readStatus(status: string, attributes: Record<string, string | number | boolean>): boolean | null {
  const [source, motion] = [status[0], status[1]?.toUpperCase()];
  attributes.movement = motion === '2' || motion === '6';
  if (motion === '6') attributes.towing = true;
  if (status.length >= 6) {
    const inputs = Number.parseInt(status.slice(2, 4), 16);
    const outputs = Number.parseInt(status.slice(4, 6), 16);
    // Bit 0 of the inputs is the ignition.
    for (let i = 1; i <= 3; i++) attributes[`input${i}`] = (inputs & (1 << i)) !== 0;
    for (let i = 0; i < 3; i++) attributes[`output${i + 1}`] = (outputs & (1 << i)) !== 0;
  }
  return source === '1' ? false : source === '2' ? true : null;
}

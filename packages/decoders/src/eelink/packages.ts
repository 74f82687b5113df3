import { celsius, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { hex, letters, type Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { type Beside, nothingBeside } from './beside.ts';
import { readObd } from './obd.ts';
import { messageOf, readPosition } from './position.ts';
import { addStatus } from './status.ts';
import { ACCELERATION, POWER, SENSORS, SPEED, WARNINGS } from './warnings.ts';

/** The packages of the current protocol. Null if the content does not fit. */
export type PackageReader = (content: Reader) => DecodedMessage | null;

/** §5.3: the status. */
export const heartbeat: PackageReader = content => {
  const beside = nothingBeside();
  if (content.remaining >= 2) addStatus(content.u16(), beside);
  const { ignition, attributes } = beside;
  return { kind: 'heartbeat', attributes: typeof ignition === 'boolean' ? { ...attributes, ignition } : attributes };
};

/**
 * §5.4: position, hardware, sensors, beacons; older firmware ends earlier. "If a datum is invalid, its value will be
 * zero."
 */
export const location: PackageReader = content => {
  const beside = nothingBeside();
  const position = readPosition(content, beside);
  if (position === null) return null;
  const fixed = readHardware(content, beside);
  readSensors(content, beside);
  readBeacons(content, beside);
  return messageOf(position, fixed, beside);
};

/** The next number of one of the optional fields; 0 if it is cut off or not there. */
const wordIn = (content: Reader): number => (content.remaining >= 2 ? content.u16() : nothingIn(content));
const signedIn = (content: Reader): number => (content.remaining >= 2 ? content.i16() : nothingIn(content));
const longIn = (content: Reader): number => (content.remaining >= 4 ? content.u32() : nothingIn(content));

function nothingIn(content: Reader): 0 {
  content.skip(content.remaining);
  return 0;
}

function put(beside: Beside, name: string, value: number): void {
  if (value !== 0) beside.attributes[name] = value;
}

const MILLI = 1000;

/** Whether the status says that there is a fix; without a status nothing says otherwise. */
const readStatus = (content: Reader, beside: Beside): boolean =>
  content.remaining < 2 || addStatus(content.u16(), beside);

/** "Hardware": status, battery, analog inputs, mileage, minutes since the last GSM and GPS command, steps. */
function readHardware(content: Reader, beside: Beside): boolean {
  const fixed = readStatus(content, beside);
  put(beside, 'batteryVoltage', wordIn(content) / MILLI);
  put(beside, 'analogInput1', wordIn(content) / MILLI);
  put(beside, 'analogInput2', wordIn(content) / MILLI);
  const mileage = longIn(content);
  if (mileage !== 0) beside.odometer = metres(mileage);
  content.skip(Math.min(4, content.remaining));
  put(beside, 'steps', wordIn(content));
  put(beside, 'walkingTime', wordIn(content));
  return fixed;
}

/** "Sensors": the probe is the temperature of the cargo, else the device's own. */
function readSensors(content: Reader, beside: Beside): void {
  const own = signedIn(content) / 256;
  put(beside, 'humidity', wordIn(content) / 10);
  put(beside, 'illuminance', longIn(content) / 256);
  put(beside, 'co2', longIn(content));
  const probe = signedIn(content) / 16;
  put(beside, 'deviceTemperature', own);
  if (probe !== 0 || own !== 0) beside.temperature = celsius(probe === 0 ? own : probe);
}

const BEACON_BYTES = 16;
const WITH_BEACONS = 0x02;
const MOST_BEACONS = 64;

/** §3.7 "Beacon": the address comes in reverse order. */
function readBeacons(content: Reader, beside: Beside): void {
  if (content.remaining < 2) return;
  const count = content.u8();
  if (content.u8() !== WITH_BEACONS) return;
  for (let n = 1; n <= Math.min(count, MOST_BEACONS) && content.remaining >= BEACON_BYTES; n++) {
    const address = hex(content.take8(6).toReversed());
    const signal = (content.u8() << 24) >> 24;
    content.skip(1);
    const model = content.u8();
    content.skip(1);
    const battery = content.u16() / MILLI;
    const temperature = content.i16() / 256;
    content.skip(2);
    Object.assign(beside.attributes, { [`tag${n}Id`]: address, [`tag${n}Rssi`]: signal, [`tag${n}Model`]: model });
    put(beside, `tag${n}Battery`, battery);
    put(beside, `tag${n}Temperature`, temperature);
  }
}

/** §5.5: position, warning, status, data of the warning. */
export const warning: PackageReader = content => {
  const beside = nothingBeside();
  const position = readPosition(content, beside);
  if (position === null) return null;
  const type = content.remaining > 0 ? content.u8() : 0;
  addWarning(type, beside);
  const fixed = readStatus(content, beside);
  readWarningData(type, content, beside);
  return messageOf(position, fixed, beside);
};

export function addWarning(type: number, beside: Beside): void {
  const event = WARNINGS.get(type);
  beside.event = event ?? 'alarm';
  if (event === undefined) beside.attributes.alarmCode = type;
}

const STANDARD_GRAVITY = 9.80665;
const isOneOf = (type: number, types: readonly number[]): boolean => types.includes(type);

function readWarningData(type: number, content: Reader, beside: Beside): void {
  const { attributes } = beside;
  const sensor = SENSORS[type];
  if (isOneOf(type, POWER) && content.remaining >= 4) {
    attributes.externalVoltage = content.u16() / MILLI;
    attributes.batteryVoltage = content.u16() / MILLI;
  } else if (isOneOf(type, ACCELERATION) && content.remaining >= 6) {
    for (const axis of ['X', 'Y', 'Z']) attributes[`acceleration${axis}`] = (content.i16() / 256) * STANDARD_GRAVITY;
  } else if (type === SPEED && content.remaining >= 6) {
    const [speed = 0, low = 0, high = 0] = [content.u16(), content.u16(), content.u16()];
    Object.assign(attributes, { speedLow: fromKilometresPerHour(low), speedLimit: fromKilometresPerHour(high) });
    // "Under/over speed warning": only the latter has a word of its own.
    if (speed < low) {
      beside.event = 'alarm';
      attributes.alarmCode = type;
    }
  } else if (sensor && content.remaining >= 12) {
    const [name, steps] = sensor;
    const value = content.i32() / steps;
    attributes[`${name}Low`] = content.i32() / steps;
    attributes[`${name}High`] = content.i32() / steps;
    if (name === 'temperature') beside.temperature = celsius(value);
    else attributes[name] = value;
  }
}

const CALORIE = 4.184;
const MILLIMETRES = 1000;

/** §5.11: the day, then steps, seconds, millimeters and calories of all days and of that day. */
export const pedometer: PackageReader = content => {
  const time = epochMs(content.u32() * 1000);
  const [steps = 0, walked = 0, distance = 0, energy = 0, daySteps = 0, dayWalked = 0, dayDistance = 0, dayEnergy = 0] =
    Array.from({ length: 8 }, () => content.u32());
  if (content.overrun) return null;
  return {
    kind: 'status',
    time,
    event: null,
    attributes: {
      steps,
      walkingTime: walked,
      walkingDistance: distance / MILLIMETRES,
      walkingEnergy: energy * CALORIE,
      daySteps,
      dayWalkingTime: dayWalked,
      dayWalkingDistance: dayDistance / MILLIMETRES,
      dayWalkingEnergy: dayEnergy * CALORIE,
    },
  };
};

const SATELLITES_AT_MOST = 64;
const EARLIEST = Date.UTC(2010, 0);
const LATEST = Date.UTC(2070, 0);

/**
 * §5.6 "Report package" and §5.7 "Message package", of which only the names are at hand: a position in the form of the
 * other packages, if one stands in front and can be one; the rest as sent.
 */
const behindPosition =
  (kept: string): PackageReader =>
  content => {
    const beside = nothingBeside();
    const position = readPosition(content, beside);
    const fix = position?.fix;
    const isSound =
      position &&
      fix &&
      position.time >= EARLIEST &&
      position.time < LATEST &&
      (fix.satellites ?? 0) < SATELLITES_AT_MOST;
    if (!isSound || Math.abs(fix.lat) > 90 || Math.abs(fix.lon) > 180 || fix.course > 360) return null;
    const rest = content.rest();
    const text = letters(rest);
    if (rest.length > 0) beside.attributes[kept] = kept === 'data' ? hex(rest.subarray(0, 256)) : text;
    return messageOf(position, true, beside);
  };

export const report = behindPosition('data');
export const message = behindPosition('message');

export const obd: PackageReader = readObd;

import { degrees, epochMs, fromKilometresPerHour } from '@milepost/units';
import { hex, type Reader } from '../bytes.ts';
import { type Beside, nothingBeside } from './beside.ts';
import { addWarning, type PackageReader } from './packages.ts';
import { COORDINATE_SCALE, messageOf, type Position } from './position.ts';
import { addStatus } from './status.ts';

/**
 * The packages of the protocol before version 2 (V1.8), whose document names them but is not at hand in full. Their
 * layout is known from recordings: time, place at the resolution of version 2, speed, course, cell, and whether the
 * place is valid; then what differs between them.
 */
export const OLDER_BYTES = 25;
const VALID = 0b1;

interface Older {
  readonly position: Position;
  readonly valid: boolean;
}

function readOlder(content: Reader, beside: Beside): Older | null {
  const time = epochMs(content.u32() * 1000);
  const lat = degrees(content.i32() / COORDINATE_SCALE);
  const lon = degrees(content.i32() / COORDINATE_SCALE);
  const speed = fromKilometresPerHour(content.u8());
  const course = degrees(content.u16());
  const [mcc, mnc, area, cell] = [content.u16(), content.u16(), content.u16(), content.u24()];
  const valid = (content.u8() & VALID) !== 0;
  if (content.overrun) return null;
  if (mcc !== 0 && (area !== 0 || cell !== 0)) beside.attributes.cell = `${mcc}-${mnc}-${area}-${cell}`;
  return { position: { time, fix: { lat, lon, speed, course, altitude: null, satellites: null } }, valid };
}

const MILLI = 1000;

/** 0x02: status, battery, and values without a document. */
export const olderGps: PackageReader = content => {
  const beside = nothingBeside();
  const read = readOlder(content, beside);
  if (read === null) return null;
  if (content.remaining >= 2) addStatus(content.u16(), beside);
  if (content.remaining >= 2) beside.attributes.batteryVoltage = content.u16() / MILLI;
  keepRest(content, beside);
  return messageOf(read.position, read.valid, beside);
};

/** 0x04: the alarm, with the numbers of version 2. */
export const olderAlarm: PackageReader = content => {
  const beside = nothingBeside();
  const read = readOlder(content, beside);
  if (read === null) return null;
  if (content.remaining > 0) addWarning(content.u8(), beside);
  keepRest(content, beside);
  return messageOf(read.position, read.valid, beside);
};

const IGNITION_ON = 1;
const IGNITION_OFF = 2;

/** 0x05: what changed, the tracker's clock, and the status, which says the same of the ignition. */
export const olderState: PackageReader = content => {
  const beside = nothingBeside();
  const read = readOlder(content, beside);
  if (read === null) return null;
  if (content.remaining > 0) {
    const type = content.u8();
    if (type === IGNITION_ON || type === IGNITION_OFF) {
      beside.event = type === IGNITION_ON ? 'ignitionOn' : 'ignitionOff';
      beside.ignition = type === IGNITION_ON;
    } else beside.attributes.stateType = type;
  }
  content.skip(Math.min(4, content.remaining));
  if (content.remaining >= 2) addStatus(content.u16(), beside);
  keepRest(content, beside);
  return messageOf(read.position, read.valid, beside);
};

function keepRest(content: Reader, { attributes }: Beside): void {
  const rest = content.rest().subarray(0, 64);
  if (rest.length > 0) attributes.data = hex(rest);
}

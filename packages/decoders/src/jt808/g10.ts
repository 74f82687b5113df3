import { ascii, isText } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import type { Extension } from './beside.ts';

/** Items of the "JT/T808 Protocol for G10LS", Table 20. */
const ROTATIONS = [null, 'forward', 'reverse', 'stopped'] as const;

/** 0x52: the drum of a concrete mixer. */
export const rotation: Extension = (value, { attributes }) => {
  if (value.remaining !== 1) return false;
  const word = ROTATIONS[value.u8()];
  if (word) attributes.rotation = word;
  return true;
};

const TENTHS = 10;

/** 0x56: the battery in tenths, and of some devices in percent. */
export const battery: Extension = (value, { attributes }) => {
  if (value.remaining !== 2) return false;
  const tenths = value.u8();
  const percent = value.u8();
  if (tenths > TENTHS) return false;
  attributes.batteryLevel = percent >= 1 && percent <= 100 ? percent : tenths * TENTHS;
  return true;
};

/** 0xF1 of twenty bytes: the SIM. */
export const iccid: Extension = (value, { attributes }) => {
  const bytes = value.rest();
  if (bytes.length < 19 || bytes.length > 20 || !isText(bytes)) return false;
  attributes.iccid = ascii(bytes);
  return true;
};

/** 0xF3 of one byte. */
export const armed: Extension = (value, { attributes }) => {
  if (value.remaining !== 1) return false;
  attributes.armed = value.u8() === 1;
  return true;
};

const BITS: readonly (TrackerEvent | null)[] = [
  'harshAcceleration',
  'harshBraking',
  'harshBraking',
  'harshCornering',
  'crash',
  'rollover',
];

/** 0xF4: alarms, the most serious last, and two inputs. */
export const extendedAlarms: Extension = (value, beside) => {
  if (value.remaining !== 2) return false;
  const bits = value.u16();
  const set = BITS.filter((_, bit) => (bits >> bit) & 1);
  beside.event ??= set.at(-1) ?? null;
  if (set.length > 1) beside.attributes.alarms = [...new Set(set)].join(' ');
  beside.attributes.input1 = ((bits >> 6) & 1) === 1;
  beside.attributes.input2 = ((bits >> 7) & 1) === 1;
  return true;
};

/** 0xF5: acceleration in three directions, without a unit. */
export const acceleration: Extension = (value, { attributes }) => {
  if (value.remaining !== 6) return false;
  for (const axis of ['X', 'Y', 'Z']) attributes[`acceleration${axis}`] = value.i16();
  return true;
};

/** 0xF6: how the tracker works, how it positions itself, recording, charger. */
export const workingMode: Extension = (value, { attributes }) => {
  if (value.remaining !== 4) return false;
  attributes.workMode = value.u8();
  value.skip(2);
  const status = value.u8();
  attributes.externalPower = (status & 1) === 1;
  attributes.charging = (status & 3) === 1;
  return true;
};

import type { Beside } from './beside.ts';

/** §3.5 "Status": some bits say what the device has, others how that is. */
const FIXED = 1 << 0;
const FOR_CAR = 1 << 1;
const ENGINE_FIRED = 1 << 2;
const HAS_ACCELEROMETER = 1 << 3;
const MOTION_WARNING = 1 << 4;
const HAS_RELAY = 1 << 5;
const RELAY_TRIGGERED = 1 << 6;
const CAN_CHARGE = 1 << 7;
const CHARGING = 1 << 8;
const ACTIVE = 1 << 9;
const FIRST_INPUT = 12;
const INPUTS = 4;

/** A value counts only where the device has what it is about. Returns whether there is a fix: else a place is the last known. */
export function addStatus(word: number, beside: Beside): boolean {
  const { attributes } = beside;
  if (word & FOR_CAR) beside.ignition = (word & ENGINE_FIRED) !== 0;
  if (word & HAS_ACCELEROMETER) {
    attributes.armed = (word & MOTION_WARNING) !== 0;
    attributes.movement = (word & ACTIVE) !== 0;
  }
  if (word & HAS_RELAY) attributes.output1 = (word & RELAY_TRIGGERED) !== 0;
  if (word & CAN_CHARGE) attributes.charging = (word & CHARGING) !== 0;
  for (let i = 0; i < INPUTS; i++) attributes[`input${i + 1}`] = ((word >> (FIRST_INPUT + i)) & 1) === 1;
  return (word & FIXED) !== 0;
}

/** The inverse, for the states that our reports have. */
export function statusWord(fixed: boolean, ignition: boolean | null, attributes: Beside['attributes']): number {
  const { movement, charging } = attributes;
  return (
    (fixed ? FIXED : 0) |
    (ignition === null ? 0 : FOR_CAR | (ignition ? ENGINE_FIRED : 0)) |
    (typeof movement === 'boolean' ? HAS_ACCELEROMETER | (movement ? ACTIVE : 0) : 0) |
    (typeof charging === 'boolean' ? CAN_CHARGE | (charging ? CHARGING : 0) : 0)
  );
}

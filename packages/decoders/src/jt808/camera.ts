import type { TrackerEvent } from '../events.ts';
import type { Beside, Extension } from './beside.ts';

/**
 * The alarms of cameras and other helpers of the driver: items 0x64–0x67 of T/JSATL 12-2017 (§4.4, tables of the four
 * alarms), and 0x18 of JT/T 1078-2016. Codes that T/JSATL leaves to makers, and item 0x70, from the "MettaX DashCam
 * Protocol" 1.9.0.1 (39, 42, 52).
 */
type Word = readonly [code: number, event: TrackerEvent, word: string];

const AHEAD: readonly Word[] = [
  [1, 'alarm', 'forwardCollision'],
  [2, 'laneChange', 'laneDeparture'],
  [3, 'alarm', 'tooClose'],
  [4, 'alarm', 'pedestrian'],
  [5, 'laneChange', 'frequentLaneChange'],
  [6, 'overspeed', 'roadSign'],
  [7, 'alarm', 'obstacle'],
];
const DRIVER: readonly Word[] = [
  [1, 'alarm', 'fatigue'],
  [2, 'alarm', 'phone'],
  [3, 'alarm', 'smoking'],
  [4, 'alarm', 'distraction'],
  [5, 'alarm', 'abnormal'],
  [6, 'alarm', 'handsOff'],
  [7, 'alarm', 'infraredBlocked'],
  [8, 'alarm', 'seatBelt'],
  [10, 'tamper', 'cameraCovered'],
  [13, 'alarm', 'phoneGame'],
];
const BLIND_SPOT: readonly Word[] = [
  [1, 'alarm', 'behind'],
  [2, 'alarm', 'leftBehind'],
  [3, 'alarm', 'rightBehind'],
  [0xe0, 'alarm', 'ahead'],
];
const DRIVING: readonly Word[] = [
  [1, 'harshAcceleration', 'harshAcceleration'],
  [2, 'harshBraking', 'harshBraking'],
  [3, 'harshCornering', 'harshCornering'],
  [4, 'idling', 'idling'],
  [5, 'alarm', 'engineStop'],
  [6, 'alarm', 'coasting'],
  [7, 'alarm', 'engineOverspeed'],
];
/** A picture by schedule, a road sign that was recognized, another driver: no alarms. */
const FIRST_EVENT = 0x10;
const DRIVER_CHANGED = 0x11;

/** Whether it lasts: 0 unknown, 1 begins, 2 is over. */
const OVER = 2;
const ENDS: { readonly [E in TrackerEvent]?: TrackerEvent } = { idling: 'idlingEnd', overspeed: 'overspeedEnd' };

/** Bytes of the alarm: number, whether it begins or is over, type, …, speed, height, place, time, alarm number. */
const alarm =
  (name: string, bytes: number, words: readonly Word[]): Extension =>
  (value, beside) => {
    if (value.remaining !== bytes) return false;
    value.skip(4);
    const isOver = value.u8() === OVER;
    const code = value.u8();
    const known = words.find(([number]) => number === code);
    const [, event = 'alarm', word = String(code)] = known ?? [];
    beside.attributes[isOver ? `${name}Over` : name] = word;
    if (isOver) beside.event ??= ENDS[event] ?? null;
    else if (known || code < FIRST_EVENT) beside.event ??= event;
    return true;
  };

const driverAlarm = alarm('driverAlarm', 47, DRIVER);
const driver: Extension = (value, beside) => {
  const { bytes, at } = value;
  if (bytes[at + 5] !== DRIVER_CHANGED) return driverAlarm(value, beside);
  beside.attributes.driverChanged = true;
  return value.remaining === 47;
};

const TIRES_BEGIN = 40;
const TIRE_BYTES = 9;
const UNKNOWN = 0xffff;

/** 0x66: the same with a list of tires: position, alarm, kilopascals, temperature, battery. */
const tires: Extension = (value, beside) => {
  if (value.remaining < TIRES_BEGIN + 1 || (value.remaining - TIRES_BEGIN - 1) % TIRE_BYTES !== 0) return false;
  value.skip(4);
  const isOver = value.u8() === OVER;
  value.skip(TIRES_BEGIN - 4);
  while (value.remaining > 0) {
    const tire = `tire${value.u8()}`;
    const type = value.u16();
    const values = { Pressure: value.u16(), Temperature: value.i16(), Battery: value.u16() };
    if (type !== 0) beside.attributes[`${tire}Alarm`] = type;
    for (const [name, number] of Object.entries(values)) {
      if ((number & UNKNOWN) !== UNKNOWN) beside.attributes[`${tire}${name}`] = number;
    }
  }
  if (!isOver) beside.event ??= 'alarm';
  return true;
};

/** 0x05 (JT/T 808-2019 Table 27): a byte for each tire from the front left; 0xFF for none. */
const tirePressures: Extension = (value, { attributes }) => {
  if (value.remaining !== 30) return false;
  for (let tire = 1; value.remaining > 0; tire++) {
    const pressure = value.u8();
    if (pressure !== 0xff) attributes[`tire${tire}Pressure`] = pressure;
  }
  return true;
};

const BEHAVIOR = ['fatigue', 'phone', 'smoking'];

/** 0x18 (JT/T 1078-2016 Table 13): the driver's behavior in bits, and how tired the driver is. */
const behavior: Extension = (value, beside: Beside) => {
  const bytes = value.remaining;
  if (bytes !== 2 && bytes !== 3) return false;
  const bits = value.u16();
  const words = BEHAVIOR.filter((_, bit) => (bits >> bit) & 1);
  if (words.length > 0) beside.attributes.driverAlarm = words.join(' ');
  if (bits !== 0) beside.event ??= 'alarm';
  if (bytes === 3) beside.attributes.fatigue = value.u8();
  return true;
};

export const CAMERA_ITEMS: Readonly<Record<number, Extension>> = {
  5: tirePressures,
  24: behavior,
  100: alarm('aheadAlarm', 47, AHEAD),
  101: driver,
  102: tires,
  103: alarm('blindSpotAlarm', 41, BLIND_SPOT),
  112: alarm('drivingAlarm', 47, DRIVING),
};

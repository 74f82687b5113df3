import { celsius, metres } from '@milepost/units';
import { Reader } from '../bytes.ts';
import { addTemperature, type Beside, type Extension, text, tidy } from './beside.ts';

/**
 * Values of the data streams that are more than a number ("4G Wireless Air Protocol" VJT.04.063, §3.36–3.59), or that
 * have a column. Each is false if its length does not fit.
 */
const STANDARD_GRAVITY = 9.80665;
const KPA_PER_DECIBAR = 10;
const NO_TIRE = 0xff;

/** "Type, then the total": meters, or milliliters. */
const typed =
  (take: (value: number, beside: Beside) => void): Extension =>
  (value, beside) => {
    if (value.remaining !== 5) return false;
    value.skip(1);
    take(value.u32(), beside);
    return true;
  };

const whole =
  (bytes: 1 | 2 | 4, take: (value: number, beside: Beside) => void): Extension =>
  (value, beside) => {
    if (value.remaining !== bytes) return false;
    take(bytes === 1 ? value.u8() : bytes === 2 ? value.u16() : value.u32(), beside);
    return true;
  };

/** The highest bit says which of two units it is in; tenths. */
const HIGHEST = 0x8000;
const eitherUnit = (plain: string, marked: string): Extension =>
  whole(2, (value, { attributes }) => {
    attributes[value & HIGHEST ? marked : plain] = (value & ~HIGHEST) / 10;
  });

/** The highest bit for the negative direction; tenths of a degree per second. */
const rate = (name: string): Extension =>
  whole(2, (value, { attributes }) => {
    attributes[name] = ((value & HIGHEST ? -1 : 1) * (value & ~HIGHEST)) / 10;
  });

/** Number of samples, milliseconds between them, their means, and the highest; thousandths of g. */
const accelerations: Extension = (value, { attributes }) => {
  const samples = value.u16();
  value.skip(2);
  if (value.overrun || value.remaining !== samples * 2 + 2) return false;
  value.skip(samples * 2);
  attributes.accelerationSamples = samples;
  attributes.accelerationMax = tidy((value.u16() / 1000) * STANDARD_GRAVITY);
  return true;
};

const WHEELS = ['FrontLeft', 'FrontRight', 'RearLeft', 'RearRight'] as const;
const STATES: readonly (readonly (string | null)[])[] = [
  [null, 'armed', 'brake', 'accelerator', 'parkingBrake', 'seatBelt', 'passengerSeatBelt', 'engineOn'],
  [...WHEELS.map(wheel => `door${wheel}`), 'trunk', 'hood'],
  WHEELS.map(wheel => `locked${wheel}`),
  [...WHEELS.map(wheel => `window${wheel}`), 'sunroof', 'leftTurn', 'rightTurn', 'readingLight'],
  ['lowBeam', 'highBeam', 'frontFogLight', 'rearFogLight', 'hazardLight', 'backupLight', 'autoLight', 'widthLight'],
  ['oilAlarm', 'lowFuel', 'wiper', 'horn', 'airConditioner', 'mirrors'],
];
const GEARS = ['P', 'R', 'N', 'D', '1', '2', '3', '4', '5', '6', 'M', 'S', 'B'] as const;
const GEAR_AT = 6;
const STATE_BYTES = 10;

/** Ten bytes that say which states the vehicle has, then the states; the gear is the upper half of the seventh. */
const vehicleStatus: Extension = (value, { attributes }) => {
  if (value.remaining !== 2 * STATE_BYTES) return false;
  const mask = value.take8(STATE_BYTES);
  const states = value.take8(STATE_BYTES);
  for (const [at, names] of STATES.entries()) {
    for (const [bit, name] of names.entries()) {
      if (name !== null && ((mask[at] ?? 0) >> bit) & 1) attributes[name] = (((states[at] ?? 0) >> bit) & 1) === 1;
    }
  }
  const gear = GEARS[(states[GEAR_AT] ?? 0) >> 4];
  if ((mask[GEAR_AT] ?? 0) >> 4 && gear !== undefined) attributes.gear = gear;
  return true;
};

const ROTATIONS = ['stopped', 'forward', 'reverse'] as const;
const rotation = whole(1, (value, { attributes }) => {
  const word = ROTATIONS[value];
  if (word !== undefined) attributes.rotation = word;
});

/** Leaks, heat, high and low pressure; a sensor with little power is none. */
const TIRE_ALARMS = 0b1101_1100;

/** A bit for each tire from the highest, then kilopascals, temperature from -40 and alarms of each. */
const tires: Extension = (value, beside) => {
  const mask = value.u32();
  const numbers = Array.from({ length: 32 }, (_, i) => i + 1).filter(number => (mask >>> (32 - number)) & 1);
  if (value.overrun || value.remaining !== numbers.length * 4) return false;
  for (const number of numbers) {
    beside.attributes[`tire${number}Pressure`] = value.u16();
    beside.attributes[`tire${number}Temperature`] = value.u8() - 40;
    const alarms = value.u8();
    if (alarms !== 0) beside.attributes[`tire${number}Alarm`] = alarms;
    if (alarms & TIRE_ALARMS) beside.event ??= 'alarm';
  }
  return true;
};

/** A byte for each wheel, tenths of a bar. */
const wheelPressures: Extension = (value, { attributes }) => {
  if (value.remaining !== WHEELS.length) return false;
  for (let tire = 1; value.remaining > 0; tire++) {
    const pressure = value.u8();
    if (pressure !== NO_TIRE) attributes[`tire${tire}Pressure`] = pressure * KPA_PER_DECIBAR;
  }
  return true;
};

const VIDEO_BYTES = 25;
/** Channels, live pictures, pictures lost and covered: a byte each among 25. */
const video: Extension = (value, { attributes }) => {
  if (value.remaining !== VIDEO_BYTES) return false;
  const bytes = value.rest();
  const at = { videoChannels: 0, videoLive: 2, videoSignalLost: 11, videoSignalCovered: 12 };
  for (const [name, index] of Object.entries(at)) attributes[name] = bytes[index] ?? 0;
  return true;
};

const SIGNALS = ['brake', 'lowBeam', 'highBeam', 'leftTurn', 'rightTurn', 'input1', 'input2', null, 'door'] as const;
const LAST_SIGNALS = ['input3', 'input4'] as const;
const ROBBERY = 7;

/** A byte for each signal of a camera system. */
const signals: Extension = (value, beside) => {
  const names = [...SIGNALS, ...LAST_SIGNALS];
  if (value.remaining !== names.length) return false;
  const bytes = value.rest();
  for (const [i, name] of names.entries()) if (name !== null) beside.attributes[name] = bytes[i] === 1;
  if (bytes[ROBBERY] === 1) beside.event ??= 'sos';
  return true;
};

const TONS = 1;
/** Tons or kilograms, the rated load, the load; then the sensor's own bytes. */
const load: Extension = (value, { attributes }) => {
  const kilograms = value.u8() === TONS ? 1000 : 1;
  const [rated, weight] = [value.u16(), value.u16()];
  if (value.overrun) return false;
  if (rated !== 0) attributes.ratedLoad = rated * kilograms;
  attributes.loadWeight = weight * kilograms;
  return true;
};

/** By the unit's number: tenths of a millimeter, of a percent, of a milliliter. */
const FUEL_UNITS: Readonly<Record<number, readonly [name: string, scale: number]>> = {
  1: ['fuelHeight', 0.1],
  2: ['fuelLevel', 0.1],
  3: ['fuelVolume', 1 / 10_000],
};

/** Whether it is valid, the kind of sensor, a bit for each of eight, then unit and value of each. */
const fuelSensors: Extension = (value, { attributes }) => {
  const isValid = value.u8() === 1;
  value.skip(1);
  const mask = value.u8();
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8].filter(number => (mask >> (8 - number)) & 1);
  if (value.overrun || value.remaining !== numbers.length * 5) return false;
  for (const number of numbers) {
    const [name, scale] = FUEL_UNITS[value.u8()] ?? ['fuelSensor', 1];
    const reading = value.u32();
    if (isValid) attributes[`${name}${number}`] = tidy(reading * scale);
  }
  return true;
};

const tanks: Extension = (value, { attributes }) => {
  if (value.remaining !== 12) return false;
  attributes.waterTank = value.u16() / 100;
  attributes.foamTank = value.u16() / 100;
  return true;
};

/** A wireless thermometer: temperature and humidity in tenths, hundredths of a volt, whether it was taken off, dBm. */
const thermometer: Extension = (value, beside) => {
  if (value.remaining !== 8) return false;
  const temperature = value.i16() / 10;
  const tag = { Temperature: temperature, Humidity: value.u16() / 10, Voltage: value.u16() / 100 };
  for (const [name, number] of Object.entries(tag)) beside.attributes[`tag1${name}`] = number;
  beside.attributes.tag1Removed = value.u8() === 0;
  const signal = value.u8();
  beside.attributes.tag1Rssi = signal > 127 ? signal - 256 : signal;
  beside.temperature ??= celsius(temperature);
  return true;
};

const CHARGING = [2, 3, 5, 6];
const NOT_CHARGING = [1, 4];

const probe = (number: number): Extension =>
  whole(2, (value, beside) => addTemperature(beside, number, tidy(value / 10 - 40)));

const STREAM_VALUES: ReadonlyMap<number, Extension> = new Map<number, Extension>([
  [
    0x0003,
    typed((value, beside) => {
      beside.odometer ??= metres(value);
    }),
  ],
  [
    0x0004,
    typed((value, { attributes }) => {
      attributes.fuelUsed = value / 1000;
    }),
  ],
  [0x0010, accelerations],
  [0x0011, vehicleStatus],
  [
    0x0014,
    whole(1, (value, beside) => {
      beside.gsm = value <= 31 ? value : null;
    }),
  ],
  [
    0x0018,
    whole(1, (value, beside) => {
      beside.satellites = value;
    }),
  ],
  [
    0x001e,
    whole(4, (value, beside) => {
      beside.odometer = metres(value);
    }),
  ],
  [0x0022, rate('rollRate')],
  [0x0023, rate('pitchRate')],
  [0x0024, rate('yawRate')],
  [
    0x0025,
    typed((value, beside) => {
      beside.odometer ??= metres(value);
    }),
  ],
  [0x3001, rotation],
  [0x3002, probe(1)],
  [0x3003, probe(2)],
  [0x3004, probe(3)],
  [0x3005, probe(4)],
  [0x3006, tires],
  [0x3008, video],
  [0x3009, signals],
  [0x300a, load],
  [0x300b, fuelSensors],
  [0x300c, tanks],
  [0x300d, thermometer],
  [0x5115, text('vin')],
  [0x5116, text('calibrationId')],
  [0x5117, text('calibrationCheck')],
  [0x62f0, eitherUnit('fuelLevel1', 'fuelVolume')],
  [
    0x6340,
    (value, { attributes }) => {
      if (value.remaining !== 4) return false;
      attributes.lambda = tidy((value.u16() * 2) / 65_535);
      attributes.oxygenSensorCurrent = tidy((value.u16() * 8) / 65_535);
      return true;
    },
  ],
  [0x6904, eitherUnit('oilLevel', 'oilHeight')],
  [0x6905, wheelPressures],
  [
    0x6907,
    whole(4, (value, beside) => {
      beside.odometer ??= metres(value * 100);
    }),
  ],
  [
    0x7001,
    whole(4, (value, beside) => {
      beside.odometer ??= metres(value * 100);
    }),
  ],
  [
    0x7004,
    whole(1, (value, { attributes }) => {
      attributes.chargingState = value;
      if (CHARGING.includes(value)) attributes.charging = true;
      if (NOT_CHARGING.includes(value)) attributes.charging = false;
    }),
  ],
]);

export const streamValue = (id: number, bytes: Uint8Array, beside: Beside): boolean =>
  STREAM_VALUES.get(id)?.(new Reader(bytes), beside) ?? false;

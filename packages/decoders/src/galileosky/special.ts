import { signed, unsigned } from './little.ts';
import { NO_PROBE } from './tag-row.ts';

/** Readings of tags that say several things, by attribute. */
type Values = Readonly<Record<string, number | boolean>>;

/** m/s² in a g, and in a step of EcoDrive: "100 = 1g = 9,8 m/s2". */
const G = 9.80665;
const ECO_STEP = 0.098;
/** "0g = 512 … Scale 1g = 186". */
const NO_ACCELERATION = 512;
const STEPS_OF_G = 186;
/** Pascals in a pound per square inch. */
const PSI = 6894.757;
/** J1939: above these a value is an error or not available. */
const HIGHEST_BYTE = 250;
const HIGHEST_WORD = 64_255;

const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** "Tag 0x44": ten bits each for X, Y and Z. All zeros: there is no sensor. */
function acceleration(data: Uint8Array): Values {
  const bits = unsigned(data);
  if (bits === 0) return {};
  const axis = (shift: number): number => rounded((((bits >>> shift) & 0x3ff) - NO_ACCELERATION) * (G / STEPS_OF_G));
  return { accelerationX: axis(0), accelerationY: axis(10), accelerationZ: axis(20) };
}

function driving(data: Uint8Array): Values {
  const [acceleration = 0, braking = 0, cornering = 0, bump = 0] = [...data].map(step => rounded(step * ECO_STEP));
  return { accelerationMax: acceleration, brakingMax: braking, corneringMax: cornering, bumpMax: bump };
}

const CONNECTION = ['connected', 'gprs', 'jamming', 'connected2', 'gnssJamming', 'usb', 'sdCard'];
const connection = (data: Uint8Array): Values =>
  Object.fromEntries(CONNECTION.map((name, bit) => [name, ((data[0] ?? 0) & (1 << bit)) !== 0]));

/** Most models have up to four of each; the number has all sixteen. */
const SHOWN = [1, 2, 3, 4];
const switches =
  (name: string) =>
  (data: Uint8Array): Values => ({
    [`${name}s`]: unsigned(data),
    ...Object.fromEntries(SHOWN.map(i => [`${name}${i}`, ((data[0] ?? 0) & (1 << (i - 1))) !== 0])),
  });

/** "CAN_A1": fuel level, coolant temperature, engine speed. All zeros: the bus is silent. */
function engine(data: Uint8Array): Values {
  const [fuel = 0, coolant = 0] = data;
  const rpm = unsigned(data.subarray(2));
  if (fuel === 0 && coolant === 0 && rpm === 0) return {};
  return {
    ...(fuel <= HIGHEST_BYTE ? { canFuelLevel: rounded(fuel * 0.4) } : {}),
    ...(coolant <= HIGHEST_BYTE ? { coolantTemperature: coolant - 40 } : {}),
    ...(rpm <= HIGHEST_WORD ? { rpm: rpm * 0.125 } : {}),
  };
}

/** An identifier, then the temperature in whole degrees. */
function thermometer(data: Uint8Array, name: string): Values {
  const degrees = signed(data.subarray(1, 2));
  return data[0] === NO_PROBE && degrees === -128 ? {} : { [name]: degrees };
}

/** "Temperature sensor extended value": identifier and temperature in 256ths of a degree. */
function exactThermometer(data: Uint8Array, name: string): Values {
  const degrees = signed(data.subarray(2)) / 256;
  return unsigned(data.subarray(0, 2)) === NO_PROBE && degrees === -128 ? {} : { [name]: degrees };
}

function hygrometer(data: Uint8Array, name: string): Values {
  const humidity = rounded(((data[2] ?? 0) * 100) / 255, 1);
  const [temperature] = Object.values(thermometer(data, name));
  if (temperature === undefined) return {};
  return { [`${name}Temperature`]: temperature, [name.replace('hygrometer', 'humidity')]: humidity };
}

const fuelSensor = (data: Uint8Array, name: string): Values => ({
  [name]: unsigned(data.subarray(0, 2)),
  [`${name}Temperature`]: signed(data.subarray(2)),
});

const TIRES = 34;
const NO_CONNECTION = 0b0000_1000;
/** "PressurePro": pressure in psi, then flags with the temperature in steps of 20 °C from -40 °C. */
function tires(data: Uint8Array): Values {
  const values: Record<string, number> = {};
  for (let i = 0; i < TIRES; i++) {
    const [pressure = 0, flags = 0] = data.subarray(2 * i, 2 * i + 2);
    if ((pressure === 0 && flags === 0) || (flags & NO_CONNECTION) !== 0) continue;
    values[`tire${i + 1}Pressure`] = Math.round(pressure * PSI);
    values[`tire${i + 1}Temperature`] = (flags & 7) * 20 - 40;
  }
  return values;
}

/** "TPMS wheel": pressure in psi, temperature, flags. */
function wheel(data: Uint8Array, name: string): Values {
  const [pressure = 0, , flags = 0] = data;
  const tire = name.replace('wheel', 'tire');
  if ((flags & 1) !== 0 || data.every(byte => byte === 0)) return {};
  return { [`${tire}Pressure`]: Math.round(pressure * PSI), [`${tire}Temperature`]: signed(data.subarray(1, 2)) };
}

/** Visible, used, signal-to-noise ratio on average and at most. */
function satellites(data: Uint8Array, name: string): Values {
  const [visible = 0, used = 0, average = 0, most = 0] = data;
  return { [`${name}Visible`]: visible, [`${name}Used`]: used, [`${name}Snr`]: average, [`${name}SnrMax`]: most };
}

const READINGS: Readonly<Record<number, (data: Uint8Array, name: string) => Values>> = {
  68: acceleration,
  69: switches('output'),
  70: switches('input'),
  71: driving,
  72: connection,
  92: tires,
  193: engine,
};

export function readSpecial(tag: number, name: string, data: Uint8Array): Values {
  const reading = READINGS[tag];
  if (reading) return reading(data, name);
  if (name.startsWith('fuelSensor')) return fuelSensor(data, name);
  if (name.startsWith('hygrometer')) return hygrometer(data, name);
  return name.startsWith('temperature') ? thermometer(data, name) : {};
}

export function readExtendedSpecial(name: string, data: Uint8Array): Values {
  if (name.startsWith('temperature')) return exactThermometer(data, name);
  return name.startsWith('wheel') ? wheel(data, name) : satellites(data, name);
}

import { ascii, hex, isText } from '../bytes.ts';
import { addTemperature, type Extension, text, tidy } from './beside.ts';
import { CAMERA_ITEMS } from './camera.ts';
import { acceleration, armed, battery, extendedAlarms, iccid, rotation, workingMode } from './g10.ts';
import { SERVING, stations, tower, towers } from './radio.ts';
import { CAR, either, STREAM_ITEMS, TRUCK, unsigned } from './streams.ts';
import { readSubItems } from './sub-items.ts';

const number =
  (name: string, bytes: 1 | 2 | 4, scale = 1): Extension =>
  (value, { attributes }) => {
    if (value.remaining !== bytes) return false;
    attributes[name] = tidy((bytes === 1 ? value.u8() : bytes === 2 ? value.u16() : value.u32()) * scale);
    return true;
  };

const NO_PROBE = 0xffff;

/** 0x51: probes in order, tenths of a degree; the highest bit means below zero. */
const probes: Extension = (value, beside) => {
  if (value.remaining % 2 !== 0) return false;
  for (let probe = 1; value.remaining > 0; probe++) {
    const word = value.u16();
    if (word !== NO_PROBE) addTemperature(beside, probe, ((word & 0x8000 ? -1 : 1) * (word & 0x7fff)) / 10);
  }
  return true;
};

/**
 * 0xD5 (Huabao, "JT808 common message parsing of GPS electronic lock"): the number of locks, master and slaves, and of
 * each its number, the card in it, battery in percent, and its state in two bytes.
 */
const locks: Extension = (value, { attributes }) => {
  const count = value.u8();
  if (count === 0 || value.remaining !== count * E_LOCK_BYTES) return false;
  for (let lock = 1; value.remaining > 0; lock++) {
    attributes[`lock${lock}Id`] = hex(value.take8(5));
    attributes[`lock${lock}Card`] = hex(value.take8(5));
    attributes[`lock${lock}BatteryLevel`] = value.u8();
    attributes[`lock${lock}State`] = value.u16();
  }
  return true;
};
const E_LOCK_BYTES = 13;

const LOCK_BYTES = 11;

/** 0x63: wireless seals: address, millivolts, three more bytes. */
const seals: Extension = (value, { attributes }) => {
  if (value.remaining === 0 || value.remaining % LOCK_BYTES !== 0) return false;
  for (let lock = 1; value.remaining > 0; lock++) {
    attributes[`lock${lock}Id`] = hex(value.take8(6));
    attributes[`lock${lock}Battery`] = value.u16() / 1000;
    value.skip(3);
  }
  return true;
};

/** 0xE6: wireless thermometers: number, address, whole degrees and 255ths, humidity, one more byte. */
const radioThermometers: Extension = (value, beside) => {
  if (value.remaining === 0 || value.remaining % 11 !== 0) return false;
  while (value.remaining > 0) {
    const sensor = value.u8();
    value.skip(6);
    const whole = value.u8();
    const fraction = value.u8() / 255;
    addTemperature(beside, sensor, whole >= 0x80 ? whole - 256 - fraction : whole + fraction);
    value.skip(2);
  }
  return true;
};

/** 0xF3 longer than a byte: vehicle bus values, each with its number and length. */
const busValues: Extension = (value, { attributes }) => {
  if (value.remaining < 4) return false;
  while (value.remaining >= 3) {
    const id = value.u16();
    const bytes = value.take8(Math.min(value.u8(), value.remaining));
    if (id === VIN) attributes.vin = ascii(bytes);
    else if (bytes.length <= 4) attributes[`obd${hex(Uint8Array.of(id >> 8, id & 255))}`] = unsigned(bytes);
  }
  return true;
};
const VIN = 0x0050;

/**
 * 0x06: since 2019 the temperature of the cargo box in two bytes, the highest bit for below zero; in recordings, the
 * battery in one byte.
 */
const batteryOrBox: Extension = (value, beside) => {
  if (value.remaining === 1) beside.attributes.batteryLevel = value.u8();
  else if (value.remaining === 2) {
    const word = value.u16();
    addTemperature(beside, 1, (word & 0x8000 ? -1 : 1) * (word & 0x7fff));
  } else return false;
  return true;
};

/**
 * Items that the standard leaves to makers (0xE1–0xFF, and others that makers use): those of three makers' documents, see
 * `g10.ts`, `streams.ts` and `sub-items.ts`, and others as seen in recordings.
 */
export const EXTENSIONS: Readonly<Record<number, Extension>> = {
  ...CAMERA_ITEMS,
  ...STREAM_ITEMS,
  6: batteryOrBox,
  81: probes,
  82: rotation,
  83: towers({ mnc: 1, area: 2, cell: 2, signal: 1 }),
  84: stations(true),
  86: battery,
  93: towers({ mnc: 1, area: 2, cell: 4, signal: 1 }),
  96: (value, beside) => {
    if (value.remaining < 3) return false;
    beside.attributes.eventCode = value.u16();
    value.skip(1);
    const card = value.rest();
    if (isText(card)) beside.rfid = ascii(card);
    return true;
  },
  97: number('externalVoltage', 2, 1 / 100),
  99: seals,
  105: number('batteryVoltage', 2, 1 / 100),
  106: (value, beside) => {
    beside.gsm = value.u8();
    return !value.overrun;
  },
  107: (value, beside) => {
    beside.satellites = value.u8();
    return !value.overrun;
  },
  108: text('imsi'),
  113: text('iccid'),
  130: number('externalVoltage', 2, 1 / 10),
  139: text('vin'),
  204: text('iccid'),
  211: number('batteryVoltage', 2, 1 / 10),
  212: number('batteryLevel', 1),
  213: locks,
  214: text('iccid'),
  225: either(tower(SERVING), number('rpm', 2)),
  228: (value, { attributes }) => {
    if (value.remaining !== 2) return false;
    attributes.batteryState = value.u8();
    attributes.batteryLevel = value.u8();
    return true;
  },
  229: (value, { attributes }) => {
    if (value.remaining !== 1) return false;
    attributes.movement = value.u8() === 1;
    return true;
  },
  230: radioThermometers,
  232: (value, { attributes }) => {
    if (value.remaining !== 10 || value.u8() !== 0x20) return false;
    value.skip(4);
    attributes.batteryVoltage = value.u16() / 100;
    return true;
  },
  235: either(CAR, readSubItems),
  236: either(stations(false), TRUCK),
  241: either(number('externalVoltage', 4, 1 / 1000), iccid),
  242: text('firmware'),
  243: either(armed, busValues),
  244: extendedAlarms,
  245: acceleration,
  246: workingMode,
  247: (value, { attributes }) => {
    if (value.remaining !== 6) return false;
    attributes.batteryVoltage = value.u32() / 1000;
    attributes.batteryState = value.u8();
    const level = value.u8();
    if (level <= 100) attributes.batteryLevel = level;
    return true;
  },
  255: tower({ mnc: 2, area: 4, cell: 4, signal: 0 }),
};

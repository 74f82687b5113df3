import type { Attributes } from '../protocol.ts';
import { readCell, readNumber, readTime, readVolts } from './text-fields.ts';

/**
 * Reports about the device, without a position. Their fields from the device name on, without the send time and the
 * count number.
 */

/**
 * "+RESP:GTINF": state, ICCID, signal, error rate, external power, its voltage (vehicle models) or the mileage
 * (handhelds), reserved, battery voltage, charging, LED … last fix, and after it the battery in percent (handhelds) or
 * the inputs.
 */
export function readInformation(fields: readonly string[]): Attributes {
  const [state, iccid, signal, , power, supply, , battery, charging] = fields;
  const fixAt = fields.findIndex((text, i) => i >= 8 && readTime(text) !== null);
  const handheld = fixAt === 13;
  const notes: Record<string, string | number | boolean> = {};
  if (state) notes.state = state;
  if (iccid) notes.iccid = iccid;
  const bars = readNumber(signal);
  if (bars !== null && bars <= 31) notes.gsm = bars;
  if (power) notes.externalPower = power !== '0';
  const volts = handheld ? null : readVolts(supply);
  if (volts !== null) notes.externalVoltage = volts;
  const cell = readNumber(battery);
  if (cell !== null) notes.batteryVoltage = cell;
  if (charging === '0' || charging === '1' || charging === '2') notes.charging = charging === '1';
  if (handheld) Object.assign(notes, handheldState(fields.slice(fixAt + 1)));
  else Object.assign(notes, inputs(fields.slice((fixAt < 0 ? VEHICLE_FIX_AT : fixAt) + 1)));
  return notes;
}

/** The time of the last fix, which is empty if there was none. */
const VEHICLE_FIX_AT = 12;

/** Battery in percent, type of flash memory, temperature of the device. */
function handheldState([battery, flash, temperature]: readonly string[]): Attributes {
  const value = /^[01]$/.test(flash ?? '') ? readNumber(temperature) : null;
  return { ...level(battery), ...(value === null ? {} : { boardTemperature: value }) };
}

/** The first models: ICCID, signal, error rate, battery in percent. */
export function readFirstInformation([iccid = '', signal, , battery]: readonly string[]): Attributes {
  const bars = readNumber(signal);
  return { iccid, ...(bars !== null && bars <= 31 ? { gsm: bars } : {}), ...level(battery) };
}

/** "+RESP:GTCID" and "+RESP:GTCSQ": the SIM; the signal, 99 if unknown, and the error rate. */
const readSim = ([iccid = '']: readonly string[]): Attributes => (iccid === '' ? {} : { iccid });
function readSignal([signal]: readonly string[]): Attributes {
  const bars = readNumber(signal);
  return bars !== null && bars >= 0 && bars <= 31 ? { gsm: bars } : {};
}

/**
 * "+RESP:GTBAT": external power, its voltage (GV300), percent of the battery (GL300; of others reserved or 0 and 1),
 * voltage of the battery, charging, LED.
 */
function readBattery([power, supply, percent, battery, charging]: readonly string[]): Attributes {
  const [volts, cell, filled] = [readVolts(supply), readNumber(battery), readNumber(percent) ?? 0];
  return {
    ...(power === '0' || power === '1' ? { externalPower: power === '1' } : {}),
    ...(volts === null ? {} : { externalVoltage: volts }),
    ...(cell === null ? {} : { batteryVoltage: cell }),
    ...(filled > 1 && filled <= 100 ? { batteryLevel: filled } : {}),
    ...(charging === '0' || charging === '1' ? { charging: charging === '1' } : {}),
  };
}

function level(text: string | undefined): Attributes {
  const value = readNumber(text);
  return value === null || value > 100 ? {} : { batteryLevel: value };
}

/**
 * Mode of pin 15, analog inputs in millivolts, "Digital Input" and "Digital Output" in hexadecimal, time zone, daylight
 * saving time. The lowest bit of the inputs is the ignition.
 */
function inputs(rest: readonly string[]): Attributes {
  const notes: Record<string, number | boolean> = {};
  const zone = rest.findLastIndex(text => /^[+-]\d{4}$/.test(text));
  for (let i = 1; i < zone - 2; i++) {
    const millivolts = readNumber(rest[i]);
    if (millivolts !== null) notes[`analogInput${i}`] = millivolts / 1000;
  }
  const [digital, switched] = rest.slice(Math.max(zone - 2, 0), Math.max(zone, 0)).map(bitsOf);
  if (digital !== undefined && digital !== null) {
    notes.ignition = (digital & 1) !== 0;
    for (let i = 1; i <= LINES; i++) notes[`input${i}`] = (digital & (1 << i)) !== 0;
  }
  if (switched !== undefined && switched !== null) {
    for (let i = 0; i < LINES; i++) notes[`output${i + 1}`] = (switched & (1 << i)) !== 0;
  }
  return notes;
}

const LINES = 3;
const bitsOf = (text: string): number | null => (/^[0-9A-F]{2}$/i.test(text) ? Number.parseInt(text, 16) : null);

/** "+RESP:GTGSM": type of fix, then seven times MCC, MNC, LAC, cell, signal, reserved; the serving tower is last. */
const readTowers = (fields: readonly string[]): Attributes => towers(fields, 6);

const COUNTRY = /^0?\d{3}$/;

/** "+RESP:GTLBS" has the signal and then two reserved fields, from the first country code on. */
function towers(fields: readonly string[], step: number): Attributes {
  const cells: string[] = [];
  const first = fields.findIndex((text, i) => /^0[2-9]\d\d$/.test(text) && /^0\d{3}$/.test(fields[i + 1] ?? ''));
  for (let at = first; at >= 0 && at + 3 < fields.length; at += step) {
    if (!COUNTRY.test(fields[at] ?? '')) continue;
    const cell = readCell(fields, at);
    const signal = readNumber(fields[at + 4]);
    if (cell !== null) cells.push(signal === null ? cell : `${cell}:${signal}`);
  }
  return cells.length > 0 ? { cells: cells.join(' ') } : {};
}

/** "+RESP:GTWIF": number of stations, then MAC, signal and three reserved fields for each; after them, the battery. */
function readStations(fields: readonly string[]): Attributes {
  const stations: string[] = [];
  for (const [i, text] of fields.entries()) {
    if (!/^[0-9a-f]{12}$/i.test(text)) continue;
    const mac = text.toUpperCase().match(/../g)?.join(':') ?? text;
    const signal = readNumber(fields[i + 1]);
    stations.push(signal === null ? mac : `${mac}:${signal}`);
  }
  const last = readNumber(fields.at(-1));
  return {
    ...(stations.length > 0 ? { wifi: stations.join(' ') } : {}),
    ...(last !== null && last >= 0 && last <= 100 ? { batteryLevel: last } : {}),
  };
}

/** Reports of one subject, by name. */
export const INFORMATION: Readonly<Record<string, (content: readonly string[]) => Attributes>> = {
  GTGSM: readTowers,
  GTLBS: readTowers,
  GTCID: readSim,
  GTCSQ: readSignal,
  GTWIF: readStations,
  GTBAT: readBattery,
  /** Of the first models: the battery in percent. */
  GTCBC: ([battery]) => level(battery),
};

/** "+RESP:GTVER": type, firmware, hardware. */
export const readVersion = ([deviceType = '', firmware = '', hardware = '']: readonly string[]): Attributes => ({
  deviceType,
  firmware,
  hardware,
});

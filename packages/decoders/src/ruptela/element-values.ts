import { hex, type Reader } from '../bytes.ts';
import type { ElementRow } from './element-row.ts';
import { elementOf, readValue } from './elements.ts';

/** A record's elements: values with a column here, everything else as attributes. */
export interface Elements {
  ignition: boolean | null;
  odometer: number | null;
  fuel: number | null;
  temperature: number | null;
  gsm: number | null;
  rfid: string | null;
  readonly attributes: Record<string, string | number | boolean>;
  /** Raw values by id, to determine the event; of eight bytes whether they say something. */
  readonly values: Map<number, number>;
}

export const noElements = (): Elements => ({
  ignition: null,
  odometer: null,
  fuel: null,
  temperature: null,
  gsm: null,
  rfid: null,
  attributes: {},
  values: new Map(),
});

/** Where the ignition is if the tracker does not send its own (409): fourth input, voltage, the vehicle's bus. */
const IGNITIONS = [5, 251, 522] as const;
const CARDS = new Set(['iButton', 'iButtonInternal', 'rfid1', 'rfid2', 'wirelessDriver', 'magneticCard']);
const FUELS = new Set(['canFuelLevel', 'obdFuelLevel', 'vehicleFuelLevel']);
const ODOMETERS = ['canOdometer', 'vehicleOdometer', 'obdOdometer', 'tachoOdometer'] as const;
const PROBES = [
  ...[1, 2, 3, 4].map(probe => `temperature${probe}`),
  ...[1, 2, 3, 4, 5].map(tag => `tag${tag}Temperature`),
] as const;
const MAX_CSQ = 31;

export function readElements(reader: Reader, id: () => number): Elements {
  const elements = noElements();
  for (const bytes of [1, 2, 4, 8] as const) {
    const count = reader.u8();
    for (let i = 0; i < count && !reader.overrun; i++) readElement(reader, id(), bytes, elements);
  }
  complete(elements);
  return elements;
}

function complete(elements: Elements): void {
  const { values, attributes } = elements;
  for (const id of IGNITIONS) {
    const input = values.get(id);
    if (input !== undefined && input <= 1) elements.ignition ??= input === 1;
  }
  const probe = PROBES.find(name => attributes[name] !== undefined);
  if (probe !== undefined) elements.temperature = Number(attributes[probe]);
  if (elements.odometer !== null) return;
  // The tracker keeps no odometer of its own: the vehicle's.
  const name = ODOMETERS.find(odometer => attributes[odometer] !== undefined);
  if (name === undefined) return;
  elements.odometer = Number(attributes[name]);
  delete attributes[name];
}

function readElement(reader: Reader, id: number, bytes: 1 | 2 | 4 | 8, elements: Elements): void {
  const row = elementOf(id, bytes);
  if (bytes === 8) {
    text(id, row, hex(reader.take8(8)), elements);
    return;
  }
  const raw = bytes === 1 ? reader.u8() : bytes === 2 ? reader.u16() : reader.u32();
  elements.values.set(id, raw);
  if (row === undefined) elements.attributes[`io${id}`] = raw;
  else named(row, raw, elements);
}

/** Zero means that there is no card in the reader, all bits set that there is no reader. */
function text(id: number, row: ElementRow | undefined, digits: string, elements: Elements): void {
  const empty = /^(0+|F+)$/i.test(digits);
  elements.values.set(id, Number(!empty));
  if (row === undefined) elements.attributes[`io${id}`] = digits;
  else if (empty) return;
  else if (elements.rfid === null && CARDS.has(row[2])) elements.rfid = digits;
  else elements.attributes[row[2]] = digits;
}

function named(row: ElementRow, raw: number, elements: Elements): void {
  const name = row[2];
  const reading = row[4];
  const { attributes } = elements;
  if (reading?.form === 'drivers') {
    for (const [driver, part] of [raw >>> 16, raw & 0xffff].entries()) {
      const value = readValue(row, part);
      if (value !== null) attributes[`driver${driver + 1}${name}`] = value;
    }
    return;
  }
  const value = readValue(row, raw);
  if (value === null) return;
  if (reading?.bits)
    for (const [bit, what] of reading.bits.entries()) {
      if (what !== null) attributes[what] = ((raw >>> bit) & 1) === 1;
    }
  else if (typeof value === 'boolean') {
    if (name === 'ignition') elements.ignition = value;
    else attributes[name] = value;
  } else if (name === 'odometer') elements.odometer = value;
  else if (name === 'gsm') elements.gsm = value <= MAX_CSQ ? value : null;
  else if (FUELS.has(name) && elements.fuel === null && value <= 100) elements.fuel = Number(value.toFixed(1));
  // Two elements may say the same, the first of them in finer steps.
  else attributes[name] ??= value;
}

import type { Reader } from '../bytes.ts';

export type Value = string | number;
type Width = 1 | 2 | 4 | 8 | 'text' | 'axes' | 'ten axes';

/** A field of the list in the text of a report: its width in binary, its attribute, and what one unit is. */
export interface Custom {
  readonly width: Width;
  readonly attribute: string;
  readonly per?: number;
  readonly what: string;
}

const row = (width: Width, attribute: string, what: string, per?: number): Custom => ({
  width,
  attribute,
  what,
  ...(per ? { per } : {}),
});

/** Widths by recordings in which every field is followed by known ones; names and units by public lists of parameters. */
export const CUSTOM: ReadonlyMap<string, Custom> = new Map<string, Custom>([
  ['CE', row(4, 'cellId', 'cell')],
  ['CN', row(4, 'mccMnc', 'country and network')],
  ['GQ', row(1, 'signal', 'signal')],
  ['GS', row(1, 'gsmStatus', 'state of the network')],
  ['FL', row(1, 'fuelLevel', 'fuel level, %')],
  ['ML', row(1, 'mil', 'malfunction lamp')],
  ['VN', row('text', 'vin', 'VIN')],
  ['PD', row(1, 'PD', 'not named')],
  ['FC', row(4, 'fuelUsed', 'fuel used, 0.1 l', 10)],
  ['EL', row(1, 'engineLoad', 'engine load, %')],
  ['ET', row(2, 'coolantTemperature', 'coolant, °C')],
  ['CD', row('text', 'iccid', 'SIM card')],
  ['AT', row(4, 'AT', 'not named')],
  ['MF', row(2, 'massAirFlow', 'mass air flow, 0.01 g/s', 100)],
  ['MV', row(2, 'externalVoltage', 'main voltage, 0.1 V', 10)],
  ['BV', row(2, 'batteryVoltage', 'battery, 0.1 V', 10)],
  ['CM', row(8, 'imsi', 'IMSI')],
  ['DT', row(1, 'DT', '0 for a live report')],
  ['GL', row('text', 'link', 'link to a map')],
  ['GN', row('ten axes', 'axesBefore', 'ten times three axes')],
  ['GV', row('axes', 'axes', 'three axes')],
  ['LC', row(2, 'lac', 'area')],
  ['ME', row(8, 'imei', 'IMEI')],
  ['RL', row(1, 'RL', 'not named')],
  ['RP', row(2, 'rpm', 'engine, rpm')],
  ['SA', row(1, 'satellites', 'satellites')],
  ['SM', row(2, 'maxSpeed', 'highest speed since the last report, km/h')],
  ['TR', row(1, 'throttle', 'throttle, %')],
  ['IA', row(1, 'IA', 'not named')],
  ['MP', row(1, 'MP', 'not named')],
]);

const LIST = /^%CI(?:%[A-Z0-9]{2})*$/;

/** The names in `%CI%CE%CN`; null if the text is no list. */
export const listIn = (text: string): readonly string[] | null =>
  LIST.test(text) ? text.slice(3).split('%').filter(Boolean) : null;

const latin1 = new TextDecoder('latin1');

/** Bytes up to a zero; null if there is none. */
export function zeroEnded(reader: Reader): string | null {
  const end = reader.bytes.subarray(0, reader.end).indexOf(0, reader.at);
  if (end < 0) return null;
  const text = latin1.decode(reader.take8(end - reader.at));
  reader.skip(1);
  return text;
}

const axes = (reader: Reader, count: number): string =>
  Array.from({ length: count }, () => [reader.i16(), reader.i16(), reader.i16()].join(' ')).join(' ');

function readValue(reader: Reader, width: Width): Value | null {
  if (width === 'text') return zeroEnded(reader);
  if (width === 'axes') return axes(reader, 1);
  if (width === 'ten axes') return axes(reader, 10);
  if (width === 8) return String(reader.u64());
  return width === 1 ? reader.u8() : width === 2 ? reader.u16() : reader.u32();
}

/** Reads listed values in binary; false at a field without a known width, or past the end. */
export function readCustom(reader: Reader, list: readonly string[], into: Map<string, Value>): boolean {
  for (const name of list) {
    const custom = CUSTOM.get(name);
    const value = custom ? readValue(reader, custom.width) : null;
    if (value === null || reader.overrun) return false;
    into.set(name, value);
  }
  return true;
}

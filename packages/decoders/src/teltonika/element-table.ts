import type { ElementRow } from './element-row.ts';
import { FMB_ELEMENTS } from './elements.ts';
import { TRUCK_ELEMENTS } from './truck-elements.ts';

/** The column for a value that has one; other values become attributes under the element's name. */
type Column = 'ignition' | 'odometer' | 'canOdometer' | 'fuel' | 'gsm' | 'hdop' | 'rfid' | 'temperature';

const COLUMNS: Readonly<Record<string, Column>> = {
  ignition: 'ignition',
  odometer: 'odometer',
  canOdometer: 'canOdometer',
  canFuelLevel: 'fuel',
  obdFuelLevel: 'fuel',
  fmsFuelLevel: 'fuel',
  gsm: 'gsm',
  hdop: 'hdop',
  iButton: 'rfid',
  rfid: 'rfid',
  temperature1: 'temperature',
  bleTemperature1: 'temperature',
  eyeTemperature1: 'temperature',
};

export interface Element {
  readonly name: string;
  readonly form: 'number' | 'flag' | 'hex' | 'text' | 'digits';
  readonly signed: boolean;
  readonly times: number;
  readonly per: number;
  readonly column: Column | null;
  /** Raw values above this are error codes of the sensor. */
  readonly highest: number;
}

/** 1-Wire: 850 sensor not ready … 5000 id failed; Bluetooth: 32765…32767 not found, not read, not normal. */
function highestOf(name: string): number {
  if (/^temperature\d$/.test(name)) return 849;
  return /^(ble|eye)Temperature\d$/.test(name) ? 32_764 : Number.POSITIVE_INFINITY;
}

function elementOf([, name, , unit, scale = 1, signed]: ElementRow): Element {
  const form = unit === 'flag' || unit === 'hex' || unit === 'text' || unit === 'digits' ? unit : 'number';
  // Dividing by 1000 gives 12.6; multiplying by 0.001 would give 12.600000000000001.
  const inverse = Math.round(10 / scale) / 10;
  const divides = scale < 1 && Math.abs(inverse * scale - 1) < 1e-9;
  return {
    name,
    form,
    signed: signed !== undefined,
    times: divides ? 1 : scale,
    per: divides ? inverse : 1,
    column: COLUMNS[name] ?? null,
    highest: highestOf(name),
  };
}

/** Elements of one size by id; ids above 1023 are rare. */
class SizeTable {
  private readonly low: (Element | undefined)[] = new Array(1024).fill(undefined);
  private readonly high = new Map<number, Element>();

  add(id: number, element: Element): void {
    if (id < 1024) this.low[id] ??= element;
    else if (!this.high.has(id)) this.high.set(id, element);
  }

  get(id: number): Element | undefined {
    return id < 1024 ? this.low[id] : this.high.get(id);
  }
}

export interface ElementTable {
  readonly 1: SizeTable;
  readonly 2: SizeTable;
  readonly 4: SizeTable;
  readonly 8: SizeTable;
  readonly x: SizeTable;
}

/** The first row for an id and size is used. */
function tableOf(...rows: readonly (readonly ElementRow[])[]): ElementTable {
  const table = { 1: new SizeTable(), 2: new SizeTable(), 4: new SizeTable(), 8: new SizeTable(), x: new SizeTable() };
  for (const row of rows.flat()) table[row[2]].add(row[0], elementOf(row));
  return table;
}

/** FMB's own tables use these ids of the trucks' zones in the same size for other elements. */
const isAmbiguous = ([id, , bytes]: ElementRow): boolean => id >= 327 && bytes === 1;

export const FMB_TABLE = tableOf(
  FMB_ELEMENTS,
  TRUCK_ELEMENTS.filter(row => !isAmbiguous(row)),
);
export const TRUCK_TABLE = tableOf(TRUCK_ELEMENTS);

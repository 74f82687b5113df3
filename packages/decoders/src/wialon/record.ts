import {
  celsius,
  type Degrees,
  degrees,
  type EpochMs,
  epochMs,
  fromKilometresPerHour,
  metres,
  percent,
} from '@milepost/units';
import { momentOf } from '../calendar.ts';
import { cellOf } from '../cell-fields.ts';
import { TRACKER_EVENTS } from '../events.ts';
import { positionOf } from '../position.ts';
import { reasonOf } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';

/**
 * A record of SD, D and B: "Short data packet", "Data packet", "Black box packet". `NA` and empty fields have no value.
 */
export const SHORT_FIELDS = 10;
export const FULL_FIELDS = 16;
const PARAMETERS_AT = 15;
/** Up to the longitude's hemisphere; some trackers leave out values that they do not have. */
export const LEAST_FIELDS = 6;

const given = (written: string | undefined): string | null => {
  const text = written?.trim() ?? '';
  return text === '' || /^NA$/i.test(text) ? null : text;
};
const number = (text: string | undefined): number | null => {
  const value = given(text);
  return value !== null && /^[+-]?\d+([.,]\d+)?$/.test(value) ? Number(value.replace(',', '.')) : null;
};

/** Why a record can't be read. */
interface Wrong {
  readonly wrong: 'structure' | 'time' | 'place';
}

export function readRecord(fields: readonly string[], receivedAt: EpochMs): DecodedMessage | Wrong {
  if (fields.length < LEAST_FIELDS) return { wrong: 'structure' };
  const [date, clock, lat1, lat2, lon1, lon2, speed, course, height, sats] = fields;
  const [, , , , , , , , , , hdop, inputs, outputs, adc, card] = fields;
  // A text among them may contain the separator.
  const parameters = fields.slice(PARAMETERS_AT).join(';');
  const time = readTime(date, clock, receivedAt);
  if (time === null) return { wrong: 'time' };
  const attributes: Record<string, string | number | boolean> = {};
  bits('input', number(inputs), attributes);
  bits('output', number(outputs), attributes);
  for (const [i, volts] of (given(adc) ?? '').split(',').entries()) {
    const value = number(volts);
    if (value !== null) attributes[`analogInput${i + 1}`] = value;
  }
  const columns = readParameters(given(parameters) ?? '', attributes);
  const place = readPlace(lat1, lat2, lon1, lon2);
  if (place === 'wrong') return { wrong: 'place' };
  const rfid = given(card);
  const satellites = number(sats);
  if (place === null) {
    const values = { ...columns, event: null, satellites, rfid };
    const kept = Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string] => entry[1] != null),
    );
    const time6 = given(date) === null ? null : time;
    return {
      kind: 'status',
      time: time6,
      event: columns.event,
      attributes: { ...reasonOf(place), ...kept, ...attributes },
    };
  }
  const [kmh, heading, altitude] = [number(speed), number(course), number(height)];
  return positionOf({
    ...columns,
    time,
    valid: satellites !== 0,
    ...place,
    speed: kmh === null ? null : fromKilometresPerHour(kmh),
    course: heading === null ? null : degrees(heading),
    altitude: altitude === null ? null : metres(altitude),
    satellites,
    hdop: number(hdop),
    rfid,
    attributes,
  });
}

/**
 * `DDMMYY` (some trackers write the full year), `HHMMSS` with a fraction since 2.0, both also without a leading zero;
 * `NA` means the time of arrival.
 */
function readTime(date: string | undefined, clock: string | undefined, receivedAt: EpochMs): EpochMs | null {
  const [day6, clock6] = [given(date), given(clock)];
  if (day6 === null || clock6 === null) return receivedAt;
  const [, day, month, year] = /^(\d?\d)(\d\d)(?:20(?=\d\d$))?(\d\d)$/.exec(day6) ?? [];
  const [, hour, minute, second, fraction] = /^(\d?\d)(\d\d)(\d\d)(\.\d{1,9})?$/.exec(clock6) ?? [];
  if (year === undefined || second === undefined) return null;
  const [d, m, y, h, min, s] = [day, month, year, hour, minute, second].map(Number);
  const whole = momentOf(2000 + (y ?? 0), m ?? 0, d ?? 0, h ?? 0, min ?? 0, s ?? 0);
  return whole === null ? null : epochMs(whole + Math.trunc(Number(fraction ?? 0) * 1000));
}

function readPlace(
  lat1: string | undefined,
  lat2: string | undefined,
  lon1: string | undefined,
  lon2: string | undefined,
): { lat: Degrees; lon: Degrees } | 'wrong' | null {
  if (given(lat1) === null || given(lon1) === null) return null;
  // A tracker that writes signs may do so only where they are negative.
  const isSigned = /^[+-]/.test(given(lat1) ?? '') || /^[+-]/.test(given(lon1) ?? '');
  const [north, east] = isSigned && given(lat2) === null && given(lon2) === null ? ['+', '+'] : [lat2, lon2];
  for (const notation of [DECIMAL, MINUTES]) {
    const [lat, lon] = [angle(lat1, north, 'N', 'S', notation), angle(lon1, east, 'E', 'W', notation)];
    if (lat !== null && lon !== null) return { lat, lon };
  }
  return 'wrong';
}

/** Sign, degrees, minutes, hemisphere. Whole degrees as in other protocols, see `nmea.ts`. */
const DECIMAL = /^([+-]?)(\d{1,3}\.\d{3,15})() ?([NSEW]?)$/;
const MINUTES = /^([+-]?)(\d{1,3})(\d\d(?:\.\d*)?) ?([NSEW]?)$/;

/**
 * Degrees and minutes in one number, `5544.6025`, and the hemisphere; an extra minus sign means the same. Some trackers
 * write the hemisphere in the same field, and some only the sign; some write degrees without minutes.
 */
function angle(text = '', side = '', positive: string, negative: string, notation: RegExp): Degrees | null {
  const written = text.trim().replace(',', '.').toUpperCase();
  const [, sign, whole, minutes, attached = ''] = notation.exec(written) ?? [];
  if (minutes === undefined) return null;
  const hemisphere = side === '+' ? null : given(side);
  const letter =
    (hemisphere?.toUpperCase() ?? attached) || (sign === '-' ? negative : sign === '+' || side === '+' ? positive : '');
  if (letter !== positive && letter !== negative) return null;
  const value = Number(whole) + Number(minutes) / 60;
  if (notation === DECIMAL && value > (positive === 'N' ? 90 : 180)) return null;
  return degrees(letter === negative && value !== 0 ? -value : value);
}

function bits(name: string, value: number | null, attributes: Record<string, string | number | boolean>): void {
  if (value === null || !Number.isInteger(value) || value < 0) return;
  for (let i = 0; i < 32 && 2 ** i <= value; i++) attributes[`${name}${i + 1}`] = Math.floor(value / 2 ** i) % 2 === 1;
}

type Columns = Pick<
  Extract<DecodedMessage, { kind: 'position' }>,
  'ignition' | 'odometer' | 'fuel' | 'temperature' | 'gsm' | 'event'
>;

/** Parameters with a column or our own name; others keep the tracker's name. */
const NAMES: Readonly<Record<string, string>> = {
  bat: 'batteryLevel',
  battery: 'batteryLevel',
  motion: 'movement',
  pwr_ext: 'externalVoltage',
  pwr_int: 'batteryVoltage',
};
const MOST_PARAMETERS = 200;

/** `NAME:TYPE:VALUE`, separated by commas; 1 whole number, 2 decimal number, 3 text. Some leave out the type. */
function readParameters(text: string, attributes: Record<string, string | number | boolean>): Columns {
  const columns: { -readonly [K in keyof Columns]: Columns[K] } = {
    ignition: null,
    odometer: null,
    fuel: null,
    temperature: null,
    gsm: null,
    event: null,
  };
  for (const { name, type, value } of parametersIn(text)) {
    const read = readValue(value);
    if (column(columns, name.toLowerCase(), read)) continue;
    const own = NAMES[name.toLowerCase()];
    // What is no percentage is no level.
    const isOther = own === 'batteryLevel' && !isLevel(read);
    attributes[isOther ? name : (own ?? name)] = type === TEXT && CODE.test(value) ? value : read;
  }
  joinCells(attributes);
  return columns;
}

/** Gurtam's names for a cell tower (*WiaTag*, "Sent parameters"); a number behind them tells several apart. */
const TOWER = ['mcc', 'mnc', 'lac', 'cell_id'];

/** A tower of which something is missing stays as it was sent. */
function joinCells(attributes: Record<string, string | number | boolean>): void {
  const cells: string[] = [];
  for (const name of Object.keys(attributes)) {
    const [, which] = /^mcc(\d{0,2})$/.exec(name) ?? [];
    const names = which === undefined ? [] : TOWER.map(part => `${part}${which}`);
    const cell = cellOf(names.map(part => attributes[part]?.toString()));
    if (cell === null) continue;
    cells.push(cell);
    for (const part of names) Reflect.deleteProperty(attributes, part);
  }
  const [cell] = cells;
  if (cell !== undefined) attributes.cell = cell;
  if (cells.length > 1) attributes.cells = cells.join(' ');
}

const FULL = 100;
const isLevel = (value: string | number | boolean): boolean => typeof value === 'number' && value >= 0 && value <= FULL;

const TEXT = '3';
/** A number of this form is a name, such as that of a card, and would lose digits. */
const CODE = /^(0\d+|\d{16,})$/;

interface Parameter {
  readonly name: string;
  readonly type: string | undefined;
  readonly value: string;
}

/** A text may contain commas: what is no parameter of its own continues it. */
function parametersIn(text: string): Parameter[] {
  const found: Parameter[] = [];
  for (const piece of text === '' ? [] : text.split(',', MOST_PARAMETERS)) {
    const [, name, type, value] = /^\s*([^:]{0,63}[^:\s])\s*:(?:\s*(\d)\s*:)?(.*)$/s.exec(piece) ?? [];
    const last = found.at(-1);
    if (name !== undefined && value !== undefined) found.push({ name, type, value });
    else if (last?.type === TEXT && !piece.includes(':')) {
      found[found.length - 1] = { ...last, value: `${last.value},${piece}` };
    }
  }
  return found;
}

const TRUTH = /^\s*(true|false)\s*$/i;

const readValue = (text: string): string | number | boolean => {
  const word = TRUTH.exec(text)?.[1]?.toLowerCase();
  return word === undefined ? (number(text) ?? text) : word === 'true';
};

function column(
  columns: { -readonly [K in keyof Columns]: Columns[K] },
  name: string,
  value: string | number | boolean,
): boolean {
  if (name === 'ignition' && (value === 0 || value === 1)) columns.ignition = value === 1;
  else if (name === 'sos' && (value === 0 || value === 1)) columns.event = value === 1 ? 'sos' : columns.event;
  else if (name === 'event' && TRACKER_EVENTS.some(word => word === value)) columns.event = String(value);
  else if (typeof value !== 'number') return false;
  else if (name === 'odometer') columns.odometer = metres(value);
  else if (name === 'fuel' && isLevel(value)) columns.fuel = percent(value);
  else if (name === 'temp' || name === 'temperature') columns.temperature = celsius(value);
  else if (name === 'gsm' && value >= 0 && value <= 31) columns.gsm = value;
  else return false;
  return true;
}

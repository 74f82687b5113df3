import { type EpochMs, epochMs, percent } from '@milepost/units';
import { momentOf, twoDigits } from '../calendar.ts';
import { withoutFix } from '../possible.ts';
import type { DecodedMessage, PositionMessage } from '../protocol.ts';
import { EMPTY, HIGHEST_BATTERY, positionFrom, voltages } from './report.ts';

/** AAA and AFF, "Tracker Command Format": fields after the command's name. */

const number = (text: string | undefined): number | null =>
  text !== undefined && /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : null;
const hexNumber = (text: string | undefined): number | null =>
  text !== undefined && /^[0-9A-F]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : null;

/** Event, position, time. Models omit fields from the end. */
const LEAST_FIELDS = 4;
const DRIVER = 37;
/** "Assisted event info", T366: what it is for these events. */
const ASSISTS: ReadonlyMap<number, string> = new Map([
  [20, 'fence'],
  [21, 'fence'],
  [35, 'systemFlags'],
  [50, 'temperatureSensor'],
  [51, 'temperatureSensor'],
  [58, 'theftSource'],
]);
const STANDARD_GRAVITY = 9.80665;
const PICTURE = 39;

/** The document has A and V; any other is no valid fix. */
const VALID = /^[A1]$/i;
const VALIDITY = /^[AV01]?$/i;
const CODE = /^\d*$/;

/** Whether it is a report that a command without a description has. */
const isReport = ([code = '-', , , clock = '', status = '-']: readonly string[]): boolean =>
  CODE.test(code) && VALIDITY.test(status) && readTime(clock) !== null;

/**
 * A report; without coordinates, a status with the other values. Numbers may be padded with spaces, as in the example
 * of the MVT protocol. A report under an undocumented command must have the form of one in all fields; of others, any
 * code, validity and time are taken, and what they can't mean costs nothing else.
 */
export function readText(padded: readonly string[], documented: boolean): DecodedMessage | null {
  const fields = padded.some(field => field.includes(' ')) ? padded.map(field => field.trim()) : padded;
  if (!documented && (fields.length < LEAST_FIELDS || !isReport(fields))) return null;
  const [code, lat, lon, ...rest] = fields;
  if (lat !== '' || lon !== '') return positionIn(fields);
  const position = positionIn([code ?? '', '0', '0', ...rest]);
  return position && withoutFix(position);
}

function positionIn(fields: readonly string[]): PositionMessage | null {
  if (fields.length < LEAST_FIELDS) return null;
  const [code = '', lat, lon, clock, status] = fields;
  const place = { code: number(code) ?? 0, lat: number(lat), lon: number(lon) };
  if (place.lat === null || place.lon === null) return null;
  const [satellites, gsm, kmh, course, hdop, altitude, mileage, runTime] = fields.slice(5, 13).map(number);
  const attributes: Record<string, string | number | boolean> =
    number(code) === null && code !== '' ? { eventCode: code } : {};
  const io = hexNumber(fields[14]);
  analogue(fields[15] ?? '', attributes);
  const assist = fields[16] ?? '';
  const rfid = place.code === DRIVER && assist !== '' ? assist : null;
  if (place.code === PICTURE && assist !== '') attributes.picture = assist;
  assisted(place.code, assist, attributes);
  const fuel = hexPercent(fields[19]);
  const temperature = temperatures(fields[20] ?? '', attributes);
  for (const [name, milligravity] of [
    ['accelerationMax', number(fields[21])],
    ['decelerationMax', number(fields[22])],
  ] as const) {
    if (milligravity !== null) attributes[name] = Math.round(milligravity * STANDARD_GRAVITY) / 1000;
  }
  return positionFrom({
    ...EMPTY,
    code: place.code,
    lat: place.lat,
    lon: place.lon,
    time: readTime(clock ?? '') ?? epochMs(Number.NaN),
    valid: VALID.test(status ?? ''),
    satellites: satellites ?? null,
    gsm: gsm ?? null,
    kmh: kmh ?? null,
    course: course ?? null,
    hdop: hdop ?? null,
    altitude: altitude ?? null,
    mileage: mileage ?? null,
    runTime: runTime ?? null,
    cell: readCell(fields[13] ?? ''),
    inputs: io === null ? null : io >> 8,
    outputs: io === null ? null : io & 0xff,
    fuel,
    temperature,
    rfid,
    attributes,
  });
}

/** In hexadecimal; of eight digits the lowest byte may come first, as in the document's `02000000` for fence 2. */
function assisted(code: number, text: string, attributes: Record<string, string | number | boolean>): void {
  const name = ASSISTS.get(code);
  const value = hexNumber(text);
  if (name === undefined || value === null) return;
  const reversed = text.length === 8 ? hexNumber(text.replace(/(..)(..)(..)(..)/, '$4$3$2$1')) : null;
  attributes[name] = Math.min(value, reversed ?? value);
}

const CLOCK = /^(?:20(?=\d{12}$))?\d{12}$/;

/** `yymmddHHMMSS`, UTC; the year may have four digits. */
export function readTime(text: string): EpochMs | null {
  if (!CLOCK.test(text)) return null;
  const from = text.length - 12;
  const [year, month, day, hour, minute, second] = [0, 2, 4, 6, 8, 10].map(at => twoDigits(text, from + at));
  return momentOf(2000 + (year ?? 0), month ?? 0, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0);
}

/** `MCC|MNC|LAC|CI`, the last two in hexadecimal; all zeros mean no tower. */
function readCell(text: string): string | null {
  const [mcc, mnc, lac, cell] = text.split('|');
  const [area, id] = [hexNumber(lac), hexNumber(cell)];
  const country = number(mcc);
  return country === null || country === 0 || area === null || id === null
    ? null
    : `${country}-${Number(mnc)}-${area}-${id}`;
}

/** `AD1|AD2|AD3|battery|external` in hexadecimal; newer firmware writes volts, battery and external first. */
function analogue(text: string, attributes: Record<string, string | number | boolean>): void {
  const parts = text.split('|');
  if (text.includes('.')) {
    const [battery, external, ...inputs] = parts.map(number);
    if (battery != null) attributes.batteryVoltage = battery;
    if (external != null) attributes.externalVoltage = external;
    for (const [i, volts] of inputs.entries()) if (volts !== null) attributes[`analogInput${i + 1}`] = volts;
    return;
  }
  const values = readings(parts);
  for (const [i, value] of values.slice(0, 3).entries()) if (value !== null) attributes[`adc${i + 1}`] = value;
  for (const [i, value] of values.slice(5, 8).entries()) if (value !== null) attributes[`adc${i + 6}`] = value;
  const [, , , battery, external] = values;
  if (battery != null) voltages(battery, external ?? 0, attributes);
}

const BATTERY = 3;

/** The examples of T622 and of the MVT models are in decimals: as hexadecimal, no battery would have their voltage. */
function readings(parts: readonly string[]): readonly (number | null)[] {
  const values = parts.map(hexNumber);
  const decimals = parts.map(number);
  const [sixteen, ten] = [values[BATTERY] ?? 0, decimals[BATTERY] ?? HIGHEST_BATTERY + 1];
  return sixteen > HIGHEST_BATTERY && ten <= HIGHEST_BATTERY ? decimals : values;
}

/** Whole and hundredths of a percent in two bytes: `1E28` is 30.40 %. */
function hexPercent(text: string | undefined) {
  const value = /^[0-9A-F]{4}$/i.test(text ?? '') ? hexNumber(text) : null;
  return value === null ? null : percent((value >> 8) + (value & 0xff) / 100);
}

/** `NNTTTT|…`: number of the probe, signed hundredths of a degree, in hexadecimal. */
function temperatures(text: string, attributes: Record<string, string | number | boolean>): number | null {
  let first: number | null = null;
  for (const part of text.split('|')) {
    const [, sensor, digits] = /^([0-9A-F]{2})([0-9A-F]{4})$/i.exec(part) ?? [];
    const raw = hexNumber(digits);
    if (raw === null) continue;
    const value = (raw > 0x7fff ? raw - 0x1_0000 : raw) / 100;
    attributes[`temperature${Number.parseInt(sensor ?? '', 16)}`] = value;
    first ??= value;
  }
  return first;
}

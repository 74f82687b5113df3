import { type EpochMs, epochMs, percent } from '@milepost/units';
import { ascii, hex, viewOf } from '../bytes.ts';
import { possible, withoutFix } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { nameOfUnknown, PARAMETER_BY_ID } from './parameters.ts';
import { EMPTY, positionFrom, type RawReport } from './report.ts';

/**
 * CCE: packets left in memory (4), number of packets (2), then for each its length (2), number of parameters (2) and
 * the parameters in four groups, of one, two, four and variable bytes. Little endian. An id of FE is followed by a
 * second byte.
 */
const MILLENNIUM_MS = Date.UTC(2000, 0, 1);
export const timeOf = (seconds: number): EpochMs => epochMs(MILLENNIUM_MS + seconds * 1000);
const EXTENDED = 0xfe;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Mutable<Omit<RawReport, 'time' | 'lat' | 'lon'>> & {
  time: EpochMs | null;
  lat: number | null;
  lon: number | null;
};

/**
 * Null if no packet is valid. Packets before damage are kept, because the tracker would send the same again; so are
 * positions beyond their stated number.
 */
export function decodeCce(content: Uint8Array): DecodedMessage[] | null {
  if (content.length < 6) return null;
  const view = viewOf(content);
  const packets = view.getUint16(4, true);
  const messages: DecodedMessage[] = [];
  let at = 6;
  for (let i = 0; at + 4 <= content.length; i++) {
    const end = at + 2 + view.getUint16(at, true);
    if (end > content.length || end < at + 4) break;
    const message = packet(view, at + 4, end);
    if (i >= packets && message.kind !== 'position') break;
    messages.push(message);
    at = end;
  }
  return messages.length > 0 || packets === 0 ? messages : null;
}

function packet(view: DataView, from: number, end: number): DecodedMessage {
  const draft: Draft = { ...EMPTY, lat: null, lon: null, time: null, valid: false, attributes: {} };
  readParameters(draft, view, from, end);
  const { lat, lon, time, ...raw } = draft;
  if (lat !== null && lon !== null && time !== null) return positionFrom({ ...raw, lat, lon, time });
  // What is missing costs the place, and nothing else.
  const position = positionFrom({ ...raw, lat: lat ?? 0, lon: lon ?? 0, time: time ?? epochMs(Number.NaN) });
  return lat === null || lon === null ? withoutFix(position) : possible(position);
}

/** Reads up to the first parameter that does not fit. */
function readParameters(draft: Draft, view: DataView, from: number, end: number): void {
  let at = from;
  for (const size of [1, 2, 4, 0] as const) {
    if (at >= end) break;
    const count = view.getUint8(at++);
    for (let i = 0; i < count; i++) {
      const wide = at < end && view.getUint8(at) === EXTENDED;
      const head = wide ? 2 : 1;
      if (at + head + (size || 1) > end) return;
      const id = wide ? view.getUint16(at) : view.getUint8(at);
      at += head;
      const length = size || view.getUint8(at++);
      if (at + length > end) return;
      if (size === 0) bytesParameter(draft, id, new Uint8Array(view.buffer, view.byteOffset + at, length));
      else numberParameter(draft, id, view, at, size);
      at += length;
    }
  }
}

function numberParameter(draft: Draft, id: number, view: DataView, at: number, size: 1 | 2 | 4): void {
  const value = size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
  switch (id) {
    case 0x01:
    case 0x40:
      draft.code = value;
      break;
    case 0x02:
      draft.lat = view.getInt32(at, true) / 1e6;
      break;
    case 0x03:
      draft.lon = view.getInt32(at, true) / 1e6;
      break;
    case 0x04:
      draft.time = timeOf(value);
      break;
    case 0x05:
      draft.valid = value === 1;
      break;
    case 0x06:
      draft.satellites = value;
      break;
    case 0x07:
      draft.gsm = value;
      break;
    case 0x08:
      draft.kmh = value;
      break;
    case 0x09:
      draft.course = value;
      break;
    case 0x0a:
      draft.hdop = value / 10;
      break;
    case 0x0b:
      draft.altitude = view.getInt16(at, true);
      break;
    case 0x0c:
      draft.mileage = value;
      break;
    case 0x0d:
      draft.runTime = value;
      break;
    case 0x14:
      draft.outputs = value;
      break;
    case 0x15:
      draft.inputs = value;
      break;
    case 0x25:
      draft.rfid = value === 0 ? null : value.toString(16).toUpperCase().padStart(8, '0');
      break;
    case 0x29:
      draft.fuel = percent(value / 100);
      break;
    default:
      named(draft, id, value);
  }
}

const LOCKED = 0x02;

function named({ attributes }: Draft, id: number, value: number): void {
  const row = PARAMETER_BY_ID.get(id);
  // Dividing by 100 gives 4.02; multiplying by 0.01 would give 4.0200000000000005.
  const scaled = row ? (row.scale === 1 / 100 ? value / 100 : value * row.scale) : value;
  attributes[row?.name ?? nameOfUnknown(id)] = scaled;
  if (row?.name === 'lockState') attributes.locked = value === LOCKED;
}

const FIRST_PROBE = 0x2a;
const LAST_PROBE = 0x31;
const FIRST_STATION = 0x1d;
const LAST_STATION = 0x24;
/** The value a probe sends before its first measurement. */
const NOT_MEASURED = 85;

function bytesParameter(draft: Draft, id: number, bytes: Uint8Array): void {
  const { attributes } = draft;
  const view = viewOf(bytes);
  if (id === 0x0e && bytes.length >= 10) draft.cell = readTower(view);
  else if (id >= FIRST_PROBE && id <= LAST_PROBE && bytes.length === 3) probe(draft, id - FIRST_PROBE + 1, view);
  else if (id >= FIRST_STATION && id <= LAST_STATION && bytes.length === 8) {
    const mac = [...bytes.subarray(0, 6)].map(byte => hex(Uint8Array.of(byte))).join(':');
    attributes.wifi = `${attributes.wifi === undefined ? '' : `${attributes.wifi} `}${mac}:${view.getInt16(6, true)}`;
  } else if (id === 0xfe31 && bytes.length > 1) attributes.picture = ascii(bytes.subarray(1));
  else if (id === 0xfe73) tag(draft, bytes);
  else if (id === 0x4b && bytes.length > 3) attributes.network = ascii(bytes.subarray(3));
  else attributes[nameOfUnknown(id)] = hex(bytes);
}

/** MCC, MNC, LAC (2 each), CI (4), signal (2). */
function readTower(view: DataView): string | null {
  const [mcc, mnc, lac] = [0, 2, 4].map(at => view.getUint16(at, true));
  return mcc === 0 ? null : `${mcc}-${mnc}-${lac}-${view.getUint32(6, true)}`;
}

/** Number of the probe, hundredths of a degree. */
function probe(draft: Draft, number: number, view: DataView): void {
  const value = view.getInt16(1, true) / 100;
  if (value === NOT_MEASURED) return;
  draft.attributes[`temperature${number}`] = value;
  draft.temperature ??= value;
}

/** A Bluetooth tag: version, length and name, MAC 6, battery 1, temperature and humidity in 1/256. */
function tag(draft: Draft, bytes: Uint8Array): void {
  const length = bytes[1] ?? 0;
  const at = 2 + length;
  if (bytes.length < at + 11) return;
  const view = viewOf(bytes);
  const temperature = view.getInt16(at + 7, true) / 256;
  Object.assign(draft.attributes, {
    tag1Name: ascii(bytes.subarray(2, at)),
    tag1Mac: hex(bytes.subarray(at, at + 6)),
    tag1Battery: view.getUint8(at + 6),
    tag1Temperature: temperature,
    tag1Humidity: view.getUint16(at + 9, true) / 256,
  });
  draft.temperature ??= temperature;
}

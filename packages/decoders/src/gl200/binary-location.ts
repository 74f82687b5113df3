import { degrees, type EpochMs, epochMs, fromKilometresPerHour, type Metres, metres } from '@milepost/units';
import { viewOf } from '../bytes.ts';
import { momentOf } from '../calendar.ts';
import { positionOf } from '../position.ts';
import type { PositionMessage } from '../protocol.ts';

/**
 * "Location Report +RSP" and +EVT: type 1, mask 4, length 2, device type 1, protocol 2, firmware 2, id 8; then the
 * fields that the mask selects, report id and type (+RSP), number of positions; each position; mileages and hour
 * meters. Models without external power put the battery level first, under a bit that other models reserve; whether it
 * is there shows in where the position is. A position that is not where the mask puts it is found by its form:
 * longitude, latitude and a valid time.
 */
const ID_BYTES = 8;
const MASK_AT = 5;

export const MASK = {
  speed: 1 << 0,
  azimuth: 1 << 1,
  altitude: 1 << 2,
  cell: 1 << 3,
  /** Replaces the IMEI. */
  deviceName: 1 << 6,
  deviceType: 1 << 8,
  protocol: 1 << 9,
  firmware: 1 << 10,
  battery: 1 << 11,
  externalPower: 1 << 12,
  analog1: 1 << 13,
  analog2: 1 << 14,
  analog3: 1 << 15,
  inputs: 1 << 16,
  outputs: 1 << 17,
  motion: 1 << 18,
  satellites: 1 << 19,
  currentMileage: 1 << 20,
  totalMileage: 1 << 21,
  currentHours: 1 << 22,
  totalHours: 1 << 23,
} as const;
export type Field = keyof typeof MASK;

/** Their lengths in bytes, in order. */
export const BEFORE_ID: readonly (readonly [Field, number])[] = [
  ['deviceType', 1],
  ['protocol', 2],
  ['firmware', 2],
];
export const BEHIND_ID: readonly (readonly [Field, number])[] = [
  ['battery', 1],
  ['externalPower', 2],
  ['analog1', 2],
  ['analog2', 2],
  ['analog3', 2],
  ['inputs', 1],
  ['outputs', 1],
  ['motion', 1],
  ['satellites', 1],
];
export const BEFORE_PLACE: readonly (readonly [Field, number])[] = [
  ['speed', 3],
  ['azimuth', 2],
  ['altitude', 2],
];
/**
 * Behind the last position, as recorded frames show them; later bits add fields of unknown length. A mileage has whole
 * kilometers and, in its last byte, tenths.
 */
const BEHIND_PLACE: readonly (readonly [Field, number])[] = [
  ['currentMileage', 3],
  ['totalMileage', 5],
  ['currentHours', 3],
  ['totalHours', 6],
];
const LATER_BITS = 0xff00_0000;

const PREFIX_BYTES = 11;
const ACCURACY_BYTES = 1;
/** Longitude, latitude, time. */
const PLACE_BYTES = 4 + 4 + 7;
const SENT_BYTES = 7;
/** Country, network, area, cell (2 each) and a reserved byte. */
const CELL_BYTES = 9;

const bytesIn = (fields: readonly (readonly [Field, number])[], mask: number): number =>
  fields.reduce((sum, [field, bytes]) => sum + (mask & MASK[field] ? bytes : 0), 0);

const ALL = 0xffff_ffff;

export interface LocationForm {
  readonly event: boolean;
  readonly replayed: boolean;
}

export interface Layout {
  readonly mask: number;
  /** Offset of the fields after the id, and of the first longitude. */
  readonly from: number;
  readonly at: number;
}

/** Offset of the id; null if a name replaces it or the frame is too short. */
export function locationIdAt(frame: Uint8Array): number | null {
  if (frame.length < PREFIX_BYTES) return null;
  const mask = viewOf(frame).getUint32(MASK_AT);
  return mask & MASK.deviceName ? null : PREFIX_BYTES + bytesIn(BEFORE_ID, mask);
}

/** `end` is the offset of the send time. */
export function readLocations(frame: Uint8Array, end: number, form: LocationForm): PositionMessage[] {
  if (frame.length < PREFIX_BYTES + ID_BYTES) return [];
  const view = viewOf(frame);
  const mask = view.getUint32(MASK_AT);
  const layout = layoutOf(view, end, form);
  const lead = bytesIn(BEFORE_PLACE, mask);
  const stride = ACCURACY_BYTES + lead + PLACE_BYTES + (mask & MASK.cell ? CELL_BYTES : 0);
  let at = layout?.at ?? byForm(view, end);
  const found: PositionMessage[] = [];
  for (; at + PLACE_BYTES <= end && isPlace(view, at); at += stride) found.push(position(view, at, end, mask, form));
  const last = found.pop();
  if (last === undefined) return [];
  const behind = at - ACCURACY_BYTES - lead;
  const notes = layout === null ? {} : notesBefore(view, layout);
  const { ignition = null, satellites = null, ...attributes } = notes;
  const code = { [form.event ? 'eventCode' : 'reportCode']: view.getUint8(4) };
  return [
    ...found,
    {
      ...last,
      ignition: typeof ignition === 'boolean' ? ignition : null,
      odometer: odometerAt(view, behind, end, mask),
      satellites: typeof satellites === 'number' ? satellites : null,
      attributes: { ...last.attributes, ...code, ...attributes },
    },
  ];
}

/** With the battery level if its bit is set and the position is then valid, otherwise without. */
export function layoutOf(view: DataView, end: number, { event }: Pick<LocationForm, 'event'>): Layout | null {
  const mask = view.getUint32(MASK_AT);
  const from = PREFIX_BYTES + bytesIn(BEFORE_ID, mask) + ID_BYTES;
  for (const each of [mask, mask & ~MASK.battery]) {
    const number = from + bytesIn(BEHIND_ID, each) + (event ? 0 : 1);
    const at = number + 1 + ACCURACY_BYTES + bytesIn(BEFORE_PLACE, each);
    if (at + PLACE_BYTES <= end && isPlace(view, at)) return { mask: each, from, at };
  }
  return null;
}

/** Null unless the fields that the mask selects fill the frame up to the send time. */
function odometerAt(view: DataView, from: number, end: number, mask: number): Metres | null {
  const isWhole = (mask & LATER_BITS) === 0 && from + bytesIn(BEHIND_PLACE, mask) === end;
  if (!isWhole || (mask & MASK.totalMileage) === 0) return null;
  const at = from + (mask & MASK.currentMileage ? 3 : 0);
  const length = view.getUint32(at) * 1000 + view.getUint8(at + 4) * 100;
  // A tracker that does not count the distance sends 0.
  return length === 0 ? null : metres(length);
}

const DAY_MS = 86_400_000;

/** The first that is not later than the send time; if there is none, the first. */
function byForm(view: DataView, end: number): number {
  const sent = end + SENT_BYTES <= view.byteLength ? timeAt(view, end) : null;
  let first = end;
  // From the layout with nothing after the id up to the one with every field before the position.
  let at = PREFIX_BYTES + ID_BYTES + ACCURACY_BYTES + bytesIn(BEFORE_PLACE, ALL);
  for (; at + PLACE_BYTES <= end; at++) {
    if (!isPlace(view, at)) continue;
    if (sent === null || (timeAt(view, at + 8) ?? sent) <= sent + DAY_MS) return at;
    first = Math.min(first, at);
  }
  return first;
}

function isPlace(view: DataView, at: number): boolean {
  const [lon, lat] = [view.getInt32(at), view.getInt32(at + 4)];
  return Math.abs(lon) <= 180e6 && Math.abs(lat) <= 90e6 && timeAt(view, at + 8) !== null;
}

/** Year in two bytes, month, day, hour, minute, second. */
function timeAt(view: DataView, at: number): EpochMs | null {
  const year = view.getUint16(at);
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = [2, 3, 4, 5, 6].map(i => view.getUint8(at + i));
  return year < 2000 || year > 2099 ? null : momentOf(year, month, day, hour, minute, second);
}

function position(view: DataView, at: number, end: number, mask: number, { replayed }: LocationForm): PositionMessage {
  const first = at - bytesIn(BEFORE_PLACE, mask);
  const accuracy = view.getUint8(first - ACCURACY_BYTES);
  const speedAt = mask & MASK.speed ? first : null;
  const azimuthAt = mask & MASK.azimuth ? first + (speedAt === null ? 0 : 3) : null;
  const altitudeAt = mask & MASK.altitude ? at - 2 : null;
  const cell = mask & MASK.cell ? cellAt(view, at + PLACE_BYTES, end) : null;
  return positionOf({
    time: timeAt(view, at + 8) ?? epochMs(0),
    valid: accuracy !== 0,
    hdop: accuracy === 0 ? null : accuracy,
    lon: degrees(view.getInt32(at) / 1e6),
    lat: degrees(view.getInt32(at + 4) / 1e6),
    speed: speedAt === null ? null : fromKilometresPerHour(view.getUint16(speedAt) + view.getUint8(speedAt + 2) / 10),
    course: azimuthAt === null ? null : degrees(view.getUint16(azimuthAt)),
    altitude: altitudeAt === null ? null : metres(view.getInt16(altitudeAt)),
    attributes: { ...(cell === null ? {} : { cell }), ...(replayed ? { replayed } : {}) },
  });
}

/** Country and network are written as digits of a hexadecimal number: 0x0310 is 310. */
function cellAt(view: DataView, at: number, end: number): string | null {
  if (at + 8 > end) return null;
  const [mcc = 0, mnc = 0, lac, cell] = [0, 2, 4, 6].map(i => view.getUint16(at + i));
  const [country, network] = [mcc.toString(16), mnc.toString(16)];
  return mcc !== 0 && /^\d+$/.test(country) && /^\d+$/.test(network)
    ? `${Number(country)}-${Number(network)}-${lac}-${cell}`
    : null;
}

type Notes = Record<string, string | number | boolean>;

/** Voltages, inputs and outputs, motion and satellites, between the id and the first position. */
function notesBefore(view: DataView, { mask, from }: Layout): Notes {
  const notes: Notes = {};
  let at = from;
  for (const [field, bytes] of BEHIND_ID) {
    if ((mask & MASK[field]) === 0) continue;
    READERS[field]?.(notes, bytes === 1 ? view.getUint8(at) : view.getUint16(at));
    at += bytes;
  }
  return notes;
}

/** FFFF means no value. */
const volts =
  (name: string) =>
  (notes: Notes, value: number): void => {
    if (value !== 0xffff) notes[name] = value / 1000;
  };
const lines =
  (name: string, first: number) =>
  (notes: Notes, bits: number): void => {
    for (let i = 0; i < 3; i++) notes[`${name}${i + 1}`] = (bits & (1 << (i + first))) !== 0;
  };

const READERS: Readonly<Partial<Record<Field, (notes: Notes, value: number) => void>>> = {
  battery: (notes, value) => {
    if (value <= 100) notes.batteryLevel = value;
  },
  externalPower: volts('externalVoltage'),
  analog1: volts('analogInput1'),
  analog2: volts('analogInput2'),
  analog3: volts('analogInput3'),
  // Bit 0 of the inputs is the ignition line.
  inputs: lines('input', 1),
  outputs: lines('output', 0),
  motion: (notes, value) => {
    const [source, state] = value.toString(16);
    if (!/^[124]$/.test(source ?? '') || state === undefined) return;
    notes.movement = state === '2' || state === '6';
    if (state === '6') notes.towing = true;
    if (source !== '4') notes.ignition = source === '2';
  },
  // The high four bits are the antenna's state.
  satellites: (notes, value) => {
    notes.satellites = value & 0x0f;
  },
};

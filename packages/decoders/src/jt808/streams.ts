import { hex, Reader } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { type Beside, type Extension, tidy } from './beside.ts';
import { textStations, textTowers } from './radio.ts';
import { STREAM_NUMBERS } from './stream-numbers.ts';
import { streamValue } from './stream-values.ts';

/**
 * The data streams of OBD terminals ("4G Wireless Air Protocol" VJT.04.063, §3.35–3.41): items 0xEA (basic), 0xEB (car),
 * 0xEC (truck), 0xED (electric vehicle), 0xEE (devices), 0xFA (alarms), 0xFB (towers), 0xFC (stations), each a list of
 * id 2, length 1, value.
 */
export interface Entry {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Null if the lengths do not add up: another maker's item. */
export function entriesOf(bytes: Uint8Array): readonly Entry[] | null {
  const reader = new Reader(bytes);
  const entries: Entry[] = [];
  while (reader.remaining >= 3) {
    const id = reader.u16();
    const length = reader.u8();
    if (length > reader.remaining) return null;
    entries.push({ id, bytes: reader.take8(length) });
  }
  return reader.remaining === 0 && entries.length > 0 ? entries : null;
}

export const unsigned = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

const NUMBER_BY_ID = new Map(STREAM_NUMBERS.map(row => [row[0], row]));
/** Mileage and fuel of trucks, which the document only mentions. */
const ALSO = [0xfff1, 0xfff2];

/** The first and the last id of each item's range. */
const stream =
  (first: number, last: number): Extension =>
  (value, beside) => {
    const entries = entriesOf(value.rest());
    if (!entries?.every(({ id }) => (id >= first && id <= last) || ALSO.includes(id))) return false;
    for (const { id, bytes } of entries) {
      const row = NUMBER_BY_ID.get(id);
      if (row?.[1] === bytes.length) {
        const [, , name, , scale = 1, offset = 0] = row;
        beside.attributes[name] = tidy(unsigned(bytes) * scale + offset);
      } else if (!streamValue(id, bytes, beside)) {
        beside.attributes[`obd${hex(Uint8Array.of(id >> 8, id & 255))}`] =
          bytes.length <= 4 ? unsigned(bytes) : hex(bytes);
      }
    }
    return true;
  };

const ALARMS: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [0x0001, 'ignitionOn'],
  [0x0002, 'ignitionOff'],
  [0x0005, 'doorOpen'],
  [0x0101, 'towing'],
  [0x0103, 'powerCut'],
  [0x0104, 'powerRestored'],
  [0x0105, 'powerLow'],
  [0x0106, 'idling'],
  [0x0107, 'overspeed'],
  [0x010f, 'doorOpen'],
  [0x0110, 'theft'],
  [0x0111, 'harshAcceleration'],
  [0x0112, 'harshBraking'],
  [0x0113, 'harshCornering'],
  [0x0114, 'crash'],
  [0x0115, 'vibration'],
  [0x0401, 'harshBraking'],
  [0x0402, 'harshBraking'],
  [0x0405, 'tamper'],
  [0x0407, 'tamper'],
  [0x0408, 'tamper'],
  [0x040a, 'batteryLow'],
  [0x040b, 'tamper'],
  [0x040c, 'tamper'],
  [0x040d, 'tamper'],
  [0x040e, 'tamper'],
]);
/** Plugged in again; the state of charging changed. */
const NO_ALARM: readonly number[] = [0x0406, 0x0409];
const FIRST_ALARM = 0x0101;

/** Events of alarms whose first byte says that they are over. */
const ENDS: ReadonlyMap<number, TrackerEvent | null> = new Map<number, TrackerEvent | null>([
  [0x0106, 'idlingEnd'],
  [0x0107, 'overspeedEnd'],
  [0x0108, null],
  [0x0109, null],
]);
const OVER = 0;
const ARMED = 0x0003;
const DISARMED = 0x0004;
const DOOR_CLOSED = 0x0006;

/** What an alarm says once it is over: seconds, then values of its own. */
function ended(id: number, value: Reader, { attributes }: Beside): void {
  value.skip(1);
  const values: Record<string, number> = { alarmDuration: id === 0x0109 ? value.u32() : value.u16() };
  if (id === 0x0106) values.idleFuelUsed = value.u16() / 1000;
  if (id === 0x0107) {
    values.overspeedMaximum = tidy(value.u16() / 36);
    value.skip(2);
    values.overspeedDistance = value.u16();
  }
  if (id === 0x0109) values.coolantTemperatureMax = value.u16() / 10;
  if (!value.overrun) Object.assign(attributes, values);
}

function alarm({ id, bytes }: Entry, beside: Beside): void {
  const { attributes } = beside;
  const isOver = ENDS.has(id) && bytes[0] === OVER;
  if (isOver) ended(id, new Reader(bytes), beside);
  const event = isOver ? ENDS.get(id) : ALARMS.get(id);
  if (id === ARMED || id === DISARMED) attributes.armed = id === ARMED;
  else if (id === DOOR_CLOSED) attributes.door = false;
  else if (!event) attributes.alarmCode = id;
  const isAlarm = id >= FIRST_ALARM && !isOver && !NO_ALARM.includes(id);
  beside.event ??= event ?? (isAlarm ? 'alarm' : null);
}

const alarms: Extension = (value, beside) => {
  const entries = entriesOf(value.rest());
  for (const entry of entries ?? []) alarm(entry, beside);
  return entries !== null;
};

/** The same list, of one maker's form each; or that form itself. */
const nested =
  (read: (bytes: Uint8Array, beside: Beside) => boolean): Extension =>
  (value, beside) => {
    const bytes = value.rest();
    return [...(entriesOf(bytes) ?? []).map(entry => entry.bytes), bytes].some(each => read(each, beside));
  };

export const CAR = stream(0x6001, 0x6fff);
export const TRUCK = stream(0x5001, 0x6fff);
export const STREAM_ITEMS: Readonly<Record<number, Extension>> = {
  234: stream(0x0001, 0x0fff),
  237: stream(0x7001, 0x7fff),
  238: stream(0x3001, 0x4fff),
  250: alarms,
  251: nested(textTowers),
  252: nested(textStations),
};

/** The first that takes the item; each gets it from its start. */
export const either =
  (...extensions: readonly Extension[]): Extension =>
  ({ bytes, at, end }, beside) =>
    extensions.some(extension => extension(new Reader(bytes, at, end), beside));

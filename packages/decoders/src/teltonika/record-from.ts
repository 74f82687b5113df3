import { metresPerSecond, toKilometresPerHour } from '@milepost/units';
import type { PositionMessage } from '../protocol.ts';
import type { ElementRow } from './element-row.ts';
import { FMB_ELEMENTS } from './elements.ts';
import { TRUCK_ELEMENTS } from './truck-elements.ts';

/** An element as sent; eight bytes are given as 16 hex digits, because a number cannot hold them all. */
export type AvlElement =
  | { readonly id: number; readonly size: 1 | 2 | 4; readonly value: number }
  | { readonly id: number; readonly size: 8; readonly value: string };

/** One record as sent. */
export interface AvlRecord {
  readonly time: number;
  readonly priority: number;
  readonly lat: number;
  readonly lon: number;
  readonly altitude: number;
  readonly angle: number;
  readonly satellites: number;
  readonly speedKmh: number;
  readonly eventId: number;
  readonly elements: readonly AvlElement[];
}

const byName = (rows: readonly ElementRow[]): ReadonlyMap<string, ElementRow> =>
  new Map(rows.toReversed().map(row => [row[1], row]));
const FMB_BY_NAME = byName(FMB_ELEMENTS);
const TRUCK_BY_NAME = byName(TRUCK_ELEMENTS);

/** The element and value that report an event. */
const EVENT_ELEMENTS: Readonly<Record<string, readonly [name: string, value: number]>> = {
  ignitionOff: ['ignition', 0],
  ignitionOn: ['ignition', 1],
  movementStop: ['movement', 0],
  movementStart: ['movement', 1],
  tripStop: ['trip', 0],
  tripStart: ['trip', 1],
  idlingEnd: ['idling', 0],
  idling: ['idling', 1],
  powerRestored: ['unplugged', 0],
  powerCut: ['unplugged', 1],
  towing: ['towing', 1],
  crash: ['crash', 1],
  jammingEnd: ['jamming', 0],
  jamming: ['jamming', 1],
  harshAcceleration: ['greenDrivingType', 1],
  harshBraking: ['greenDrivingType', 2],
  harshCornering: ['greenDrivingType', 3],
  overspeed: ['overspeeding', 0],
  sos: ['alarm', 1],
  geofenceExit: ['autoGeofence', 0],
  geofenceEnter: ['autoGeofence', 1],
};

const CSQ_PER_BAR = 31 / 5;
const CARD_DIGITS = 16;
const HIGH = 1;

/**
 * A report as a record. Columns and named attributes become elements; those without an element in the table are left
 * out. An invalid fix has satellites 0, angle 0 and speed 0.
 */
export function recordFrom(position: PositionMessage, truck: boolean): AvlRecord {
  const names = truck ? TRUCK_BY_NAME : FMB_BY_NAME;
  const elements = new Map<string, AvlElement>();
  const put = (name: string, value: number | boolean | string | null): void => {
    const element = elementOf(names.get(name), value);
    if (element) elements.set(`${element.id}`, element);
  };
  put('ignition', position.ignition);
  put('odometer', position.odometer);
  put(truck ? 'fmsFuelLevel' : 'canFuelLevel', position.fuel);
  put('temperature1', position.temperature);
  put('gsm', position.gsm === null ? null : Math.round(position.gsm / CSQ_PER_BAR));
  put('hdop', position.hdop);
  if (position.rfid?.length === CARD_DIGITS) put('iButton', position.rfid);
  for (const [name, value] of Object.entries(position.attributes)) put(name, value);
  const [eventName = '', eventValue = 0] = EVENT_ELEMENTS[position.event ?? ''] ?? [];
  const eventElement = elementOf(names.get(eventName), eventValue);
  if (eventElement) elements.set(`${eventElement.id}`, eventElement);
  return {
    time: position.time,
    priority: eventElement ? HIGH : Number(position.attributes.priority ?? 0),
    lat: position.lat,
    lon: position.lon,
    altitude: Math.round(position.altitude ?? 0),
    angle: position.valid ? Math.round(position.course ?? 0) : 0,
    satellites: position.valid ? Math.max(1, position.satellites ?? 1) : 0,
    speedKmh: position.valid ? Math.round(toKilometresPerHour(position.speed ?? metresPerSecond(0))) : 0,
    eventId: eventElement?.id ?? 0,
    elements: [...elements.values()],
  };
}

function elementOf(row: ElementRow | undefined, value: number | boolean | string | null): AvlElement | null {
  if (row === undefined || value === null) return null;
  const [id, , size, , scale = 1] = row;
  if (size === 'x') return null;
  if (size === 8) {
    return typeof value === 'string' && /^[0-9A-F]{16}$/.test(value) ? { id, size, value } : null;
  }
  return typeof value === 'string' ? null : { id, size, value: Math.round(Number(value) / scale) };
}

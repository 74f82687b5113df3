import { type Celsius, celsius, type Metres, metres, type Percent, percent } from '@milepost/units';
import { ascii, hex } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { beaconAttributes } from './beacons.ts';
import { eventOf } from './element-events.ts';
import type { Element, ElementTable } from './element-table.ts';

/** AVL 21 is 0–5 bars; our scale is that of `+CSQ`, 0–31. */
const CSQ_OF_BARS = [0, 6, 12, 19, 25, 31] as const;

const unknownNames: string[] = [];
/** Unknown elements are named by their id. Cached, because building the name costs more than everything else. */
function nameOfUnknown(id: number): string {
  unknownNames[id] ??= `io${id}`;
  return unknownNames[id];
}

/** An ICCID ends with a check digit (ISO/IEC 7812-1). */
function isCheckedNumber(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10 === 0;
}

const LATTER_DIGITS = 9;
const TAG_TEMPERATURE = /^tag\d+Temperature$/;

/** The SIM's ICCID comes as two numbers, the second without its leading zeros, or as three pieces of text. */
function joinIccid(attributes: Record<string, string | number | boolean>): void {
  const { iccid1, iccid2, iccid3 } = attributes;
  if (typeof iccid1 !== 'string' || typeof iccid2 !== 'string') return;
  const latter = iccid2.padStart(LATTER_DIGITS, '0');
  const joined =
    typeof iccid3 === 'string'
      ? iccid1 + iccid2 + iccid3
      : isCheckedNumber(iccid1 + latter)
        ? iccid1 + latter
        : iccid1 + iccid2.padStart(LATTER_DIGITS + 1, '0');
  for (const name of ['iccid1', 'iccid2', 'iccid3']) delete attributes[name];
  attributes.iccid = joined;
}

function firstTemperature(attributes: Readonly<Record<string, string | number | boolean>>): Celsius | null {
  for (const name in attributes) {
    const value = attributes[name];
    if (TAG_TEMPERATURE.test(name) && typeof value === 'number') return celsius(value);
  }
  return null;
}

/**
 * Collects a record's elements: values with a column here, everything else as attributes. Reused for each record of a
 * frame.
 */
export class ElementSink {
  ignition: boolean | null = null;
  odometer: Metres | null = null;
  fuel: Percent | null = null;
  temperature: Celsius | null = null;
  gsm: number | null = null;
  hdop: number | null = null;
  rfid: string | null = null;
  private canOdometer: number | null = null;
  private eventId = 0;
  private eventValue = 0;
  private attributes: Record<string, string | number | boolean> = {};
  private readonly view: DataView;
  private readonly table: ElementTable;

  constructor(view: DataView, table: ElementTable) {
    this.view = view;
    this.table = table;
  }

  begin(eventId: number): void {
    this.ignition = null;
    this.odometer = null;
    this.fuel = null;
    this.temperature = null;
    this.gsm = null;
    this.hdop = null;
    this.rfid = null;
    this.canOdometer = null;
    this.eventId = eventId;
    this.eventValue = 0;
    this.attributes = {};
  }

  fixed(id: number, size: 1 | 2 | 4 | 8, at: number): void {
    const element = this.table[size].get(id);
    if (size === 8) {
      this.long(id, element, at);
      return;
    }
    const value = this.integer(size, at, element?.signed ?? false);
    if (id === this.eventId) this.eventValue = value;
    if (element === undefined) this.attributes[nameOfUnknown(id)] = value;
    else if (element.column !== null) this.column(element, value);
    else if (element.form === 'flag') this.attributes[element.name] = value !== 0;
    else if (value <= element.highest) this.attributes[element.name] = (value * element.times) / element.per;
  }

  variable(id: number, at: number, length: number): void {
    const bytes = this.bytes(at, length);
    if (id === this.eventId) this.eventValue = length > 0 ? this.view.getUint8(at) : 0;
    if (beaconAttributes(id, bytes, this.attributes)) {
      this.temperature ??= firstTemperature(this.attributes);
      return;
    }
    const element = this.table.x.get(id);
    if (element === undefined) this.attributes[nameOfUnknown(id)] = hex(bytes);
    else this.attributes[element.name] = element.form === 'text' ? ascii(bytes) : hex(bytes);
  }

  finish(
    truck: boolean,
    priority: number,
  ): { event: TrackerEvent | null; attributes: Record<string, string | number | boolean> } {
    const { attributes, eventId, canOdometer } = this;
    if (canOdometer !== null) {
      // The column has the tracker's own odometer; the vehicle's is used if the tracker has none.
      if (this.odometer === null) this.odometer = metres(canOdometer);
      else attributes.canOdometer = canOdometer;
    }
    joinIccid(attributes);
    const event = eventId === 0 ? null : eventOf(truck, eventId, this.eventValue, priority);
    if (eventId !== 0 && event === null) attributes.eventId = eventId;
    if (priority !== 0) attributes.priority = priority;
    return { event, attributes };
  }

  private integer(size: 1 | 2 | 4, at: number, signed: boolean): number {
    const { view } = this;
    if (size === 1) return signed ? view.getInt8(at) : view.getUint8(at);
    if (size === 2) return signed ? view.getInt16(at) : view.getUint16(at);
    return signed ? view.getInt32(at) : view.getUint32(at);
  }

  private bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.view.buffer, this.view.byteOffset + at, length);
  }

  private long(id: number, element: Element | undefined, at: number): void {
    const zero = this.view.getUint32(at) === 0 && this.view.getUint32(at + 4) === 0;
    if (id === this.eventId) this.eventValue = zero ? 0 : 1;
    if (element?.form === 'digits') this.attributes[element.name] = String(this.view.getBigUint64(at));
    else if (element?.form === 'text') this.attributes[element.name] = ascii(this.bytes(at, 8));
    // Zero means that there is no card in the reader.
    else if (element?.column === 'rfid') this.rfid ??= zero ? null : hex(this.bytes(at, 8));
    else this.attributes[element?.name ?? nameOfUnknown(id)] = hex(this.bytes(at, 8));
  }

  private column(element: Element, value: number): void {
    switch (element.column) {
      case 'ignition':
        this.ignition = value !== 0;
        break;
      case 'odometer':
        this.odometer = metres(value);
        break;
      case 'canOdometer':
        this.canOdometer = value;
        break;
      case 'fuel':
        if (this.fuel === null) this.fuel = percent(value);
        else this.attributes[element.name] = value;
        break;
      case 'gsm':
        this.gsm = CSQ_OF_BARS[value] ?? null;
        break;
      case 'hdop':
        this.hdop = (value * element.times) / element.per;
        break;
      case 'temperature': {
        if (value > element.highest) break;
        const degreesCelsius = (value * element.times) / element.per;
        this.temperature ??= celsius(degreesCelsius);
        this.attributes[element.name] = degreesCelsius;
        break;
      }
      default:
        break;
    }
  }
}

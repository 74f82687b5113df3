import { celsius, degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { hex, letters, Reader } from '../bytes.ts';
import { momentOf } from '../calendar.ts';
import { positionOf } from '../position.ts';
import { withoutFix } from '../possible.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { CUSTOM, listIn, readCustom, type Value, zeroEnded } from './fields.ts';

/** What both forms of a record have, in the units of the binary one. */
interface Values {
  readonly fixed: number;
  readonly sent: number;
  readonly lon: number;
  readonly lat: number;
  readonly heading: number;
  readonly report: number;
  readonly odometer: number;
  readonly hdop: number;
  readonly inputs: number;
  readonly speed: number;
  readonly outputs: number;
  readonly analog: number;
  readonly driver: string;
  readonly temperatures: readonly [number, number];
  readonly text: string;
  readonly custom: ReadonlyMap<string, Value>;
  readonly beside: Attributes;
}

/** Bytes from the first time to the analog input. */
const FIXED_BYTES = 35;
const SENT_AT = 8;
const PLACE_AT = 12;
const MOST_TEXT = 512;
/** A sensor that isn't there. */
const NO_SENSOR = 2000;
/** As in 3GPP TS 27.007, 8.5: 99 is unknown. */
const MOST_SIGNAL = 31;
export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));
const shown = (text: string): string => letters(asciiBytes(text)).slice(0, MOST_TEXT);

function messageOf(values: Values): DecodedMessage {
  const attributes: Record<string, string | number | boolean> = {
    reportId: values.report,
    inputs: values.inputs,
    outputs: values.outputs,
    analog1: values.analog / 1000,
  };
  const [first, second] = values.temperatures;
  if (second !== NO_SENSOR) attributes.temperature2 = second / 10;
  if (values.sent !== values.fixed) attributes.sentAt = new Date(values.sent).toISOString();
  const text = listIn(values.text) ? '' : shown(values.text);
  if (text !== '') attributes.text = text;
  for (const [name, value] of values.custom) {
    const { attribute = name, per = 1 } = CUSTOM.get(name) ?? {};
    if (attribute === 'satellites' || attribute === 'signal' || attribute === 'imei' || value === '') continue;
    attributes[attribute] = typeof value === 'number' ? value / per : shown(value);
  }
  const satellites = values.custom.get('SA');
  const signal = values.custom.get('GQ');
  const driver = shown(values.driver);
  const position = positionOf({
    time: epochMs(values.fixed),
    valid: true,
    lat: degrees(values.lat),
    lon: degrees(values.lon),
    speed: fromKilometresPerHour(values.speed),
    course: degrees(values.heading),
    hdop: values.hdop / 10,
    satellites: typeof satellites === 'number' ? satellites : null,
    gsm: typeof signal === 'number' && signal <= MOST_SIGNAL ? signal : null,
    odometer: metres(Math.round(values.odometer * 100)),
    temperature: first === NO_SENSOR ? null : celsius(first / 10),
    rfid: driver === '' || /^0+$/.test(driver) ? null : driver,
    attributes: { ...attributes, ...values.beside },
  });
  return values.lat === 0 && values.lon === 0 ? withoutFix(position) : position;
}

/** Records of a binary frame; null if there is none. */
export function binaryRecords(content: Uint8Array): DecodedMessage[] | null {
  const messages: DecodedMessage[] = [];
  let at = 0;
  while (at < content.length) {
    const reader = new Reader(content, at);
    const values = binaryRecord(reader);
    if (values === null) break;
    const next = nextRecord(content, values, reader.at);
    const rest = content.subarray(reader.at, next);
    const unread: Attributes =
      rest.length > 0 ? { unread: 'unknown-type', data: hex(rest.subarray(0, MOST_TEXT)) } : {};
    messages.push(messageOf({ ...values, beside: unread }));
    at = next;
  }
  return messages.length === 0 ? null : messages;
}

function binaryRecord(reader: Reader): (Values & { whole: boolean }) | null {
  if (reader.remaining < FIXED_BYTES) return null;
  const fixed = reader.u32() * 1000;
  reader.skip(4);
  const sent = reader.u32() * 1000;
  const lon = reader.i32() / 1e6;
  const lat = reader.i32() / 1e6;
  const heading = reader.u16();
  const report = reader.u8();
  const odometer = reader.u32();
  const hdop = reader.u16();
  const inputs = reader.u8();
  const speed = reader.u16();
  const outputs = reader.u8();
  const analog = reader.u16();
  // Behind the fix, a frame may end anywhere.
  const driver = zeroEnded(reader);
  const isLonger = driver !== null && reader.remaining >= 4;
  const temperatures = isLonger ? ([reader.i16(), reader.i16()] as const) : ([NO_SENSOR, NO_SENSOR] as const);
  const text = isLonger ? zeroEnded(reader) : null;
  const custom = new Map<string, Value>();
  const whole = text !== null && readCustom(reader, listIn(text) ?? [], custom);
  return {
    ...{ fixed, sent, lon, lat, heading, report, odometer, hdop, inputs, speed, outputs, analog },
    ...{ driver: driver ?? '', temperatures, text: text ?? '', custom, beside: {}, whole },
  };
}

/** Times of one frame are not further apart. */
const APART = 31 * 86_400_000;

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= APART;

/**
 * Where the next record is. Behind values that no list names, or whose width isn't known, it is found by its three times
 * near this one's and a possible place; without one, the rest belongs to this record.
 */
function nextRecord(content: Uint8Array, { sent, whole }: { sent: number; whole: boolean }, behind: number): number {
  if (whole && isNear(momentAt(content, behind + SENT_AT), sent)) return behind;
  for (let at = behind; at + FIXED_BYTES <= content.length; at++) {
    const times = [0, 4, SENT_AT].map(offset => momentAt(content, at + offset));
    const place = new Reader(content, at + PLACE_AT);
    const [lon, lat] = [place.i32() / 1e6, place.i32() / 1e6];
    if (times.every(time => isNear(time, sent)) && Math.abs(lon) <= 180 && Math.abs(lat) <= 90) return at;
  }
  return content.length;
}

const momentAt = (content: Uint8Array, at: number): number => new Reader(content, at).u32() * 1000;

const CLOCK = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
const isNumber = (text: string): boolean => /^-?\d{1,10}(?:\.\d+)?$/.test(text);

/** Seconds since 1970, or date and time in digits. */
function moment(text: string): number | null {
  const [, year, month, day, hour, minute, second] = CLOCK.exec(text) ?? [];
  if (year === undefined) return /^\d{1,10}$/.test(text) ? Number(text) * 1000 : null;
  return momentOf(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
}

/** Degrees with decimals, or millionths. */
const angle = (text: string): number => (text.includes('.') ? Number(text) : Number(text) / 1e6);
/** With decimals it is ten times the unit: kilometers, or the HDOP itself. */
const tenths = (text: string): number => (text.includes('.') ? Number(text) * 10 : Number(text));

const LEAST_FIELDS = 13;
/** Beacons: an address and four more, of which recordings show that the first after `40FE` is 0.01 °C. */
const BEACON = /^[0-9A-F]{16}([0-9A-F]{4})[0-9A-F]{8}$/;

/** A record in text; null if it isn't one. */
export function textRecord(line: string): DecodedMessage | null {
  const fields = line.split(',');
  const [fixed = '', clock = '', sent = '', lon = '', lat = '', ...rest] = fields;
  const [heading = '', report = '', odometer = '', hdop = '', inputs = '', speed = '', outputs = '', analog = ''] =
    rest;
  const [from, now] = [moment(fixed), moment(sent)];
  const numbers = [lon, lat, heading, report, odometer, hdop, inputs, speed, outputs];
  if (fields.length < LEAST_FIELDS || from === null || now === null || moment(clock) === null) return null;
  if (!numbers.every(isNumber)) return null;
  const [driver = '', first = '', second = '', text = '', ...behind] = fields.slice(LEAST_FIELDS);
  const temperature = (value: string): number => (isNumber(value) ? Number(value) : NO_SENSOR);
  const names = listIn(behind[0] ?? '');
  const custom = new Map<string, Value>();
  names?.forEach((name, i) => {
    const value = behind[i + 1] ?? '';
    custom.set(name, CUSTOM.has(name) && isNumber(value) && value.length < 15 ? Number(value) : value);
  });
  const others = names ? behind.slice(names.length + 1) : behind;
  const [, warmth] = BEACON.exec(others[0] ?? '') ?? [];
  const kept = shown(others.join(','));
  return messageOf({
    ...{ fixed: from, sent: now, lon: angle(lon), lat: angle(lat), heading: Number(heading), report: Number(report) },
    ...{ odometer: tenths(odometer), hdop: tenths(hdop), inputs: Number(inputs), speed: Number(speed) },
    ...{ outputs: Number(outputs), analog: isNumber(analog) ? Number(analog) : 0, driver, text, custom },
    temperatures: [temperature(first), temperature(second)],
    beside: {
      ...(kept.replaceAll(',', '') === '' ? {} : { custom: kept }),
      ...(warmth === undefined ? {} : { tag1Temp: ((Number.parseInt(warmth, 16) << 16) >> 16) / 100 }),
    },
  });
}

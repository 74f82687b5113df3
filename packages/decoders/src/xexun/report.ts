import { degrees, epochMs, fromKnots, metres } from '@milepost/units';
import { crc16Xmodem } from '../crc16.ts';
import { dayFirst, numberOf, timeOf, withZeros } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import { possible, withoutFix } from '../possible.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { IMEI, textOf } from './frame.ts';
import { eventOf } from './words.ts';

/** The fields of a report, split where the manual does. */
export interface Report {
  readonly imei: string;
  /** From `GPRMC` on; empty without a sentence. */
  readonly sentence: readonly string[];
  /** `F`: full GPS signal, `L`: none. */
  readonly signal: string;
  readonly word: string;
  /** Behind the IMEI. */
  readonly tail: readonly string[];
  /** Where these begin in the frame. */
  readonly tailAt: number;
}

const SENTENCE = /^G[A-Z]RMC$/i;

/** Null without an IMEI. */
export function readReport(frame: Uint8Array): Report | null {
  const text = textOf(frame).replace(/[\r\n\0]+$/, '');
  const match = IMEI.exec(text);
  if (match === null) return null;
  const before = text.slice(0, match.index).split(',');
  const from = before.findIndex(field => SENTENCE.test(field.trim()));
  const star = before.findIndex((field, i) => i > from && field.includes('*'));
  const signalAt = star < 0 ? before.findLastIndex(field => /^ ?[FL]$/i.test(field)) : star + 1;
  const tailAt = match.index + match[0].length + 1;
  return {
    imei: match[1] ?? '',
    sentence: from < 0 ? [] : before.slice(from, star < 0 ? undefined : star + 1).map(field => field.trim()),
    signal: (before[signalAt] ?? '').trim().toUpperCase(),
    word: signalAt < 0 ? '' : (before[signalAt + 1] ?? '').trim(),
    tail: text.slice(tailAt).split(','),
    tailAt,
  };
}

/** Behind the IMEI: satellites, altitude, battery, charger, length, checksum; country, network, area and cell. */
export const TAIL = {
  satellites: 0,
  altitude: 1,
  battery: 2,
  charging: 3,
  length: 4,
  checksum: 5,
  country: 6,
  network: 7,
  area: 8,
  cell: 9,
} as const;
/** Older trackers have a length and a byte, which are no satellites. */
const SHORTEST_TAIL = 3;

const LENGTH = /^\d{2,3}$/;
const CHECKSUM = /^\d{1,5}$/;

/**
 * "The length of the GPRS string" counts what is before it, and "CRC16 Checksum" covers that and the length with its
 * comma: CRC-16/XMODEM, as the manual's example has it. Null if there is none, or if the start of the report is missing.
 */
export function checksumOf(frame: Uint8Array, { tail, tailAt }: Report): { stated: number; right: number } | null {
  const [length = '', stated = ''] = [tail[TAIL.length], tail[TAIL.checksum]];
  if (!LENGTH.test(length) || !CHECKSUM.test(stated)) return null;
  const at = tailAt + tail.slice(0, TAIL.length).join(',').length + 1;
  const start = at - Number(length);
  if (start < 0) return null;
  return { stated: Number(stated), right: crc16Xmodem(frame, start, at + length.length + 1) };
}

const VOLTS = /^[FL]:(\d{1,2}(?:\.\d{1,3})?)V/i;
const INPUTS = /ADC(\d)=(\d{1,3}(?:\.\d{1,3})?)V/gi;

function tailNotes(tail: readonly string[]): Attributes {
  if (tail.length < SHORTEST_TAIL) return {};
  const battery = (tail[TAIL.battery] ?? '').trim();
  const [, volts] = VOLTS.exec(battery) ?? [];
  const inputs = [...battery.matchAll(INPUTS)].map(([, number, value]) => [`analogInput${number}`, Number(value)]);
  const charging = tail[TAIL.charging]?.trim();
  const cell = cellText(tail.slice(TAIL.country));
  return {
    ...(volts === undefined ? {} : { batteryVoltage: Number(volts) }),
    ...Object.fromEntries(inputs),
    ...(charging === '0' || charging === '1' ? { charging: charging === '1' } : {}),
    ...(cell === null ? {} : { cell }),
  };
}

/** Country and network are decimal, area and cell hexadecimal. */
function cellText([country = '', network = '', area = '', cell = '']: readonly string[]): string | null {
  if (!/^\d{3}$/.test(country) || !/^\d{1,3}$/.test(network)) return null;
  if (!/^[0-9A-F]{1,8}$/i.test(area) || !/^[0-9A-F]{1,8}$/i.test(cell.trim())) return null;
  const [areaNumber, cellNumber] = [Number.parseInt(area, 16), Number.parseInt(cell, 16)];
  return areaNumber === 0 && cellNumber === 0
    ? null
    : `${Number(country)}-${Number(network)}-${areaNumber}-${cellNumber}`;
}

/** In a sentence: clock, validity, place, speed, course, date. */
const FIRST_ANGLE = 3;
const BEHIND_PLACE = 7;

/** A position, or a status if there is no sentence or it has no place. */
export function messageOf({ sentence, signal, word, tail }: Report): DecodedMessage {
  const event = eventOf(word);
  const attributes = { ...(event === 'alarm' ? { alarmCode: word.slice(0, 40) } : {}), ...tailNotes(tail) };
  const place = placeIn(sentence, FIRST_ANGLE);
  const [, clock = '', flag = '', lat = '', , lon = ''] = sentence;
  const [speed, course, date = ''] = sentence.slice(place?.end ?? BEHIND_PLACE);
  const time = timeOf(withZeros(clock), dayFirst(date), 'dmy');
  if (lat === '' && lon === '') {
    return { kind: 'status', time, event, attributes: { noFix: 'fix', ...attributes } };
  }
  const isLong = tail.length >= SHORTEST_TAIL;
  const [knots, angle] = [numberOf(speed), numberOf(course)];
  const height = isLong ? numberOf(tail[TAIL.altitude]) : null;
  const position = positionOf({
    time: time ?? epochMs(Number.NaN),
    // Without a signal, the tracker repeats its last place.
    valid: flag.toUpperCase() === 'A' && signal !== 'L',
    lat: place?.lat ?? degrees(Number.NaN),
    lon: place?.lon ?? degrees(Number.NaN),
    speed: knots === null ? null : fromKnots(knots),
    course: angle === null ? null : degrees(angle),
    altitude: height === null ? null : metres(height),
    satellites: isLong ? numberOf(tail[TAIL.satellites]) : null,
    event,
    attributes,
  });
  return position.lat === 0 && position.lon === 0 ? withoutFix(position) : possible(position);
}

import { hex } from '../bytes.ts';
import { angle, type FieldName, fieldTexts, hemisphere, validity, walkFields } from '../explain/fields.ts';
import { type FramePart, hexOf, moment, Walk } from '../explain/walk.ts';
import { numberOf, timeOf } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { DOLLAR, hasLongId, LONG_ID, MILEAGE_RECORD, SHORT_ID_BYTES } from './frame.ts';
import { mileageOf } from './report.ts';
import { statusOf } from './status.ts';
import { KEYWORDS } from './text.ts';

/** Text from `*` to `#`, or a binary record. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  return frame[0] === DOLLAR || frame[0] === MILEAGE_RECORD ? record(frame) : text(frame);
}

const status = (word: number): string => {
  const { event, ignition, attributes } = statusOf(word);
  const rest = Object.keys(attributes).filter(name => name !== 'status');
  return [ignition ? 'ignition on' : 'ignition off', ...(event ? [event] : []), ...rest].join(', ');
};

/** From the validity on; the time comes before it. */
const PLACE: readonly FieldName[] = [
  ['validity', undefined, validity],
  ['latitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['longitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['speed', 'kn'],
  ['course', '°'],
  'date',
  ['status', undefined, word => status(Number.parseInt(word, 16))],
  'country (MCC)',
  'network (MNC)',
  'area (LAC)',
  'cell',
];

const PLACE_FIELDS = 4;

function text(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  if (frame[0] === 0x2a) walk.u8('start', () => '*');
  const end = frame.at(-1) === 0x23 ? frame.length - 1 : frame.length;
  const fields = fieldTexts(frame, walk.at, end, ',');
  const place = placeIn(fields, 3);
  const at = place && place.end - place.at === PLACE_FIELDS ? place.at - 1 : 0;
  const names = new Map<number, FieldName>([
    [0, 'maker'],
    [1, 'tracker'],
    [2, ['keyword', undefined, word => `${word} ${KEYWORDS[word]?.what ?? ''}`.trim()]],
  ]);
  if (at > 0) {
    names.set(at - 1, 'time');
    for (const [i, name] of PLACE.entries()) names.set(at + i, name);
  }
  walkFields(walk, end, ',', index => names.get(index));
  walk.rest('end');
  return walk.done();
}

const minutes =
  (degreeDigits: number, digits: number) =>
  (bytes: Uint8Array): number => {
    const text = hex(bytes).slice(0, digits);
    const value = Number(text.slice(0, degreeDigits)) + Number(text.slice(degreeDigits)) / 10_000 / 60;
    return Number(value.toFixed(6));
  };

function record(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const hasMileage = frame[0] === MILEAGE_RECORD;
  walk.u8('start', byte => String.fromCharCode(byte));
  if (hasMileage) walk.take('mileage', SHORT_ID_BYTES, bytes => Math.round(mileageOf(hex(bytes))), 'm');
  else walk.take('tracker', hasLongId(frame) ? LONG_ID : SHORT_ID_BYTES);
  walk.take('time and date', 6, bytes => {
    const digits = hex(bytes);
    return moment(timeOf(digits.slice(0, 6), digits.slice(6), 'dmy') ?? Number.NaN);
  });
  walk.take('latitude', 4, minutes(2, 8), '°');
  walk.u8(hasMileage ? 'temperature' : 'battery');
  walk.take('longitude and flags', 5, bytes => {
    const flags = (bytes[4] ?? 0) & 15;
    const signs = [flags & 8 ? 'east' : 'west', flags & 4 ? 'north' : 'south', flags & 2 ? 'valid' : 'not valid'];
    return `${minutes(3, 9)(bytes)}°, ${signs.join(', ')}`;
  });
  walk.take('speed and course', 3, bytes => {
    const [knots, course] = [hex(bytes).slice(0, 3), hex(bytes).slice(3)].map(digits => numberOf(digits) ?? 'none');
    return `${knots} kn, ${course}°`;
  });
  walk.u32('status', status);
  if (walk.left > 0) walk.rest('more', bytes => (bytes.length < 3 ? hexOf(2)(bytes[0] ?? 0) : hex(bytes)));
  return walk.done();
}

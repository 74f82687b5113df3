import { ascii } from '../bytes.ts';
import { angle, hemisphere, validity, walkFields } from '../explain/fields.ts';
import { asText, type FramePart, type Say, Walk } from '../explain/walk.ts';
import { alarmOf } from './alarms.ts';
import { WORDS } from './decode.ts';
import { type PlaceText, placeText } from './place.ts';

const FRAME = /^\(( *\d{6,20})(,?)([A-Z]{2}[0-9A-F]{2})/i;
const IMEI_DIGITS = 15;

/** KX402 GPRS Communication Protocol §2: identity, word and body in parentheses. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const end = frame.at(-1) === 0x29 ? frame.length - 1 : frame.length;
  const [head, imei, comma, word] = FRAME.exec(ascii(frame.subarray(0, 32))) ?? [];
  if (head === undefined || imei === undefined || word === undefined || head.length > end) {
    walk.rest('no frame of this protocol');
    return walk.done();
  }
  walk.u8('start', () => '(');
  walk.take('tracker', imei.length + (comma?.length ?? 0), () => imei);
  walk.take('word', word.length, () => `${word} ${WORDS[word]?.what ?? ''}`.trim());
  if (comma === ',') walkFields(walk, end, ',', () => undefined);
  else body(walk, word, end);
  walk.rest('end');
  return walk.done();
}

function body(walk: Walk, word: string, end: number): void {
  if (word === 'BO01' && walk.at < end)
    walk.take('alarm', 1, sign => `${asText(sign)} ${alarmOf(String(asText(sign)))}`);
  if (word === 'BP05' || word === 'BP00') walk.take('IMEI', Math.min(IMEI_DIGITS, end - walk.at), asText);
  const text = new TextDecoder('latin1').decode(walk.bytes.subarray(walk.at, end));
  const found = placeText(text);
  if (found) place(walk, found);
  if (walk.at < end) walk.take('body', end - walk.at, asText);
}

const onOff: Say<Uint8Array> = signs => {
  const text = String(asText(signs));
  return `${text}: power ${text[0] === '0' ? 'there' : 'cut'}, ignition ${text[1] === '1' ? 'on' : 'off'}`;
};

/** §2.3, in the order of the fields. */
const FIELDS: readonly (readonly [
  field: keyof PlaceText,
  name: string,
  say?: (text: string) => string | number,
  unit?: string,
])[] = [
  ['date', 'date'],
  ['flag', 'validity', validity],
  ['lat', 'latitude', angle, '°'],
  ['north', 'hemisphere', hemisphere],
  ['lon', 'longitude', angle, '°'],
  ['east', 'hemisphere', hemisphere],
  ['speed', 'speed', undefined, 'km/h'],
  ['clock', 'time'],
  ['course', 'course', undefined, '°'],
];

function place(walk: Walk, found: PlaceText): void {
  if (found.at > 0) walk.take('before', found.at, asText);
  for (const [field, name, say = (text: string) => text.trim(), unit] of FIELDS) {
    const text = String(found[field] ?? '');
    if (text !== '') walk.take(name, text.length, () => say(text), unit);
  }
  const { io, mileage } = found;
  if (io === undefined) return;
  if (walk.peek() === 0x2c) walk.take('comma', 1, () => '');
  walk.take('inputs and outputs', io.length, onOff);
  if (mileage !== undefined) walk.take('mileage', mileage.length + 1, () => Number.parseInt(mileage, 16), 'm');
}

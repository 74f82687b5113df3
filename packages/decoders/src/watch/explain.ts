import { type FieldName, fieldTexts, hemisphere, validity, walkFields } from '../explain/fields.ts';
import { asEither, type FramePart, type Say, Walk } from '../explain/walk.ts';
import { ALARMS, isSet, STATES } from './alarms.ts';
import { CLOSE, readHeader } from './frame.ts';
import { FIELD, locationIn } from './place.ts';
import { wordOf } from './words.ts';

/** Maker, tracker, serial number if there is one, length and content in brackets. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const header = readHeader(frame);
  if (header === null) {
    walk.rest('no frame of this protocol');
    return walk.done();
  }
  const end = frame.at(-1) === CLOSE && frame.length > header.end ? frame.length - 1 : frame.length;
  const { maker, tracker, serial, length } = header;
  walk.u8('start', () => '[');
  walk.take('maker', maker.length + 1, () => maker);
  walk.take('tracker', tracker.length + 1, () => tracker);
  if (serial !== '') walk.take('serial number', serial.length + 1, () => serial);
  walk.take('length', length.length + 1, () => `${Number.parseInt(length, 16)} (${end - header.end} sent)`);
  content(walk, end);
  walk.rest('end');
  return walk.done();
}

const BYTES: Readonly<Record<string, readonly [commas: number, name: string]>> = {
  TK: [1, 'recording'],
  IMG: [3, 'picture'],
};

function content(walk: Walk, end: number): void {
  const fields = fieldTexts(walk.bytes, walk.at, end, ',');
  const word = fields[0] ?? '';
  const { what } = wordOf(word);
  const say: Say<string> = text => `${text} ${what}`.trim();
  const [commas = 0, name = ''] = BYTES[word.toUpperCase()] ?? [];
  const nameOf = namesFor(word.toUpperCase(), fields);
  const until = commas === 0 ? end : behindComma(walk.bytes, walk.at, end, commas);
  walkFields(walk, until, ',', index => (index === 0 ? ['word', undefined, say] : nameOf(index)));
  if (walk.at < end) walk.take(name, end - walk.at, asEither);
}

/** Behind the comma with this number, or the end. */
function behindComma(bytes: Uint8Array, from: number, end: number, number: number): number {
  let at = from;
  for (let commas = 0; commas < number; commas++) {
    const comma = bytes.subarray(0, end).indexOf(0x2c, at);
    if (comma < 0) return end;
    at = comma + 1;
  }
  return at;
}

const OWN: Readonly<Record<string, readonly FieldName[]>> = {
  LK: ['steps', 'turns', ['battery', '%']],
  BPHRT: [
    ['upper blood pressure', 'mmHg'],
    ['lower blood pressure', 'mmHg'],
    ['heart rate', '/min'],
    ['height', 'cm'],
    'sex',
    'age',
    ['weight', 'kg'],
  ],
  OXYGEN: ['kind', ['blood oxygen', '%']],
  BTEMP2: ['kind', ['body temperature', '°C']],
  TEMP: [['body temperature', '°C']],
};

const plain: Say<string> = text => text.trim();
const statusText: Say<string> = text => {
  const status = Number.parseInt(text, 16);
  const alarms = ALARMS.filter(([bit]) => isSet(status, bit)).map(([, , meaning]) => `alarm: ${meaning}`);
  const states = STATES.filter(([bit]) => isSet(status, bit)).map(([, meaning]) => meaning);
  return [text, ...alarms, ...states].join(', ');
};

const LOCATION: Readonly<Record<number, FieldName>> = {
  [FIELD.date]: 'date',
  [FIELD.clock]: 'time',
  [FIELD.flag]: ['validity', undefined, validity],
  [FIELD.lat]: ['latitude', '°', plain],
  [FIELD.north]: ['hemisphere', undefined, hemisphere],
  [FIELD.lon]: ['longitude', '°', plain],
  [FIELD.east]: ['hemisphere', undefined, hemisphere],
  [FIELD.speed]: ['speed', 'km/h'],
  [FIELD.course]: ['course', '°'],
  [FIELD.altitude]: ['altitude', 'm'],
  [FIELD.satellites]: 'satellites',
  [FIELD.signal]: ['signal', '%'],
  [FIELD.battery]: ['battery', '%'],
  [FIELD.steps]: 'steps',
  [FIELD.turns]: 'turns',
  [FIELD.status]: ['status', undefined, statusText],
  [FIELD.towers]: 'towers',
  [FIELD.delay]: 'delay',
  [FIELD.country]: 'country',
  [FIELD.network]: 'network',
};
const TOWER = ['area', 'cell', 'signal'];

function namesFor(word: string, fields: readonly string[]): (index: number) => FieldName | undefined {
  const at = locationIn(fields);
  if (at < 0) return index => OWN[word]?.[index - 1];
  const towers = Number(fields[at + FIELD.towers]) || 0;
  return index => {
    const place = index - at;
    if (place > FIELD.towers && towers === 0) return undefined;
    if (place < FIELD.firstTower) return LOCATION[place];
    const tower = place - FIELD.firstTower;
    return tower < 3 * towers ? TOWER[tower % 3] : undefined;
  };
}

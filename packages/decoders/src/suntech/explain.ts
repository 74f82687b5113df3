import { hex } from '../bytes.ts';
import { type FieldName, fieldTexts, walkFields } from '../explain/fields.ts';
import { asEither, type FramePart, hexOf, per, Walk } from '../explain/walk.ts';
import { isZip, serialData, ZIP_ALERT, ZIP_OLDER, ZIP_STATUS } from './frame.ts';
import { explainOlderZip } from './older-zip-explain.ts';
import { hexNumber, type Place, readPlace } from './place.ts';
import { ASSIGN_MAP, FIELD, universalFields } from './universal-fields.ts';
import { SIZES } from './zip.ts';

/** Text or a zip report of either protocol. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  if (frame[0] === ZIP_OLDER) return explainOlderZip(frame);
  return isZip(frame[0]) ? zip(frame) : text(frame);
}

/** From the latitude on. */
const PLACE: readonly FieldName[] = [
  ['latitude', '°'],
  ['longitude', '°'],
  ['speed', 'km/h'],
  ['course', '°'],
  'satellites',
  ['fix', undefined, text => (text === '1' ? 'valid' : 'not valid')],
];
/** After the fix. */
const OLDER: readonly FieldName[] = [['distance', 'm'], ['external power', 'V'], 'inputs and outputs', 'mode or alert'];
const UNIVERSAL: Readonly<Record<number, FieldName>> = {
  [FIELD.model]: 'model',
  [FIELD.firmware]: 'firmware',
  [FIELD.sent]: ['sent', undefined, text => (text === '0' ? 'from memory' : 'live')],
  [FIELD.date]: 'date',
  [FIELD.clock]: 'time',
  [FIELD.cell]: 'cell',
  [FIELD.mcc]: 'country (MCC)',
  [FIELD.mnc]: 'network (MNC)',
  [FIELD.lac]: 'area (LAC)',
  [FIELD.level]: 'signal level',
  ...Object.fromEntries(PLACE.map((name, i) => [FIELD.lat + i, name])),
  [FIELD.inputs]: 'inputs',
  [FIELD.outputs]: 'outputs',
  [FIELD.reason]: 'mode or alert',
  [FIELD.kind]: 'report type or modifier',
  [FIELD.data]: 'number or data',
};

function namesOf(fields: readonly string[]): Map<number, FieldName> {
  const universal = /^[A-Z]{3}$/.test(fields[0] ?? '');
  const names = new Map<number, FieldName>([
    [0, 'report'],
    [1, 'tracker'],
    [2, universal ? 'report map' : 'model'],
  ]);
  const place = readPlace(fields);
  if (universal) {
    const { at, map } = universalFields(fields, place);
    if (place !== null) placeNames(place, names);
    for (const [bit, i] of at) names.set(i, UNIVERSAL[bit] ?? `field of bit ${bit}`);
    const behind = Math.max(2, ...at.values()) + 1;
    if (map & ASSIGN_MAP) assignedNames(fields, behind, names);
    return names;
  }
  names.set(3, 'firmware');
  if (place === null) return names;
  placeNames(place, names);
  names.set(place.dateAt + 2, 'cell');
  for (const [i, name] of [...PLACE, ...OLDER].entries()) names.set(place.at + i, name);
  return names;
}

function placeNames({ at, dateAt }: Place, names: Map<number, FieldName>): void {
  names.set(dateAt, 'date');
  names.set(dateAt + 1, 'time');
  for (const [i, name] of PLACE.slice(0, 2).entries()) names.set(at + i, name);
}

const ASSIGNED: Readonly<Record<number, FieldName>> = { 0: ['battery', 'V'], 1: ['external power', 'V'] };

/** The assign map, with a value for each of its bits. */
function assignedNames(fields: readonly string[], at: number, names: Map<number, FieldName>): void {
  const bits = hexNumber(fields[at]) ?? 0;
  names.set(at, 'assign map');
  let next = at + 1;
  for (let bit = 0; bit < 32; bit++) {
    if ((bits >>> bit) & 1) names.set(next++, ASSIGNED[bit] ?? `value of bit ${bit}`);
  }
}

function text(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const end = frame.at(-1) === 0x0d ? frame.length - 1 : frame.length;
  const found = serialData(frame, frame.length);
  const data = found === 'more' ? null : found;
  const names = namesOf(fieldTexts(frame, 0, data?.from ?? end, ';'));
  walkFields(walk, data?.from ?? end, ';', index => names.get(index));
  if (data) {
    walk.take('from a device on the port', data.to - walk.at, asEither);
    walkFields(walk, end, ';', () => undefined);
  }
  walk.rest('end');
  return walk.done();
}

const NAMES = [
  'tracker',
  'model',
  'firmware',
  'sent',
  'date',
  'time',
  'cell',
  'country (MCC)',
  'network (MNC)',
  'area (LAC)',
  'signal level',
  'latitude',
  'longitude',
  'speed',
  'course',
  'satellites',
  'fix',
  'inputs',
  'outputs',
  'alert or mode',
  'modifier or type',
  'number',
] as const;

const signedAngle = (raw: number): number => ((raw % 0x8000_0000) / 1e6) * (raw >= 0x8000_0000 ? -1 : 1);

/** A field for each bit of the map. */
function zip(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u8('report', kind => (kind === ZIP_ALERT ? 'alert' : kind === ZIP_STATUS ? 'status' : hexOf(2)(kind)));
  walk.u16('length', undefined, 'bytes');
  walk.take('tracker', 5);
  if (walk.left < 3) return walk.done();
  const map = walk.u24('report map', hexOf(6));
  for (const [bit, size] of SIZES.entries()) {
    if (bit === 0 || (map & (1 << bit)) === 0) continue;
    const name = NAMES[bit] ?? `field ${bit}`;
    if (name === 'date' || name === 'time')
      walk.take(name, size, numbers => [...numbers].map(two).join(name === 'date' ? '-' : ':'));
    else if (name === 'latitude' || name === 'longitude') walk.u32(name, signedAngle, '°');
    else if (name === 'speed') walk.u16(name, per(100), 'km/h');
    else if (name === 'course') walk.u16(name, per(100), '°');
    else
      walk.take(name, size, bytes =>
        bytes.length > 4 ? hex(bytes) : bytes.reduce((sum, byte) => sum * 256 + byte, 0),
      );
  }
  return walk.done();
}

const two = (value: number): string => String(value).padStart(2, '0');

import { type FieldName, fieldTexts, hemisphere, validity, walkFields } from '../explain/fields.ts';
import { type FramePart, type Say, verdict, Walk } from '../explain/walk.ts';
import { angleOf } from '../nmea.ts';
import { IMEI, isBlank } from './frame.ts';
import { checksumOf, readReport } from './report.ts';

const angle =
  (side: 'N' | 'E'): Say<string> =>
  text =>
    Number(angleOf(text.trim(), side)?.toFixed(6) ?? Number.NaN) || text;

const SENTENCE: readonly FieldName[] = [
  'sentence',
  'time',
  ['validity', undefined, validity],
  ['latitude', '°', angle('N')],
  ['hemisphere', undefined, hemisphere],
  ['longitude', '°', angle('E')],
  ['hemisphere', undefined, hemisphere],
  ['speed', 'knots'],
  ['course', '°'],
  'date',
  'magnetic variation',
  'its direction',
];
const TAIL: readonly FieldName[] = [
  'satellites',
  ['altitude', 'm'],
  'battery',
  'charging',
  'length',
  'checksum',
  'country',
  'network',
  'area',
  'cell',
];
const SHORTEST_TAIL = 3;

const signal: Say<string> = text => (text === 'F' ? 'full' : text === 'L' ? 'none' : text);

/** Xexun TK-102-2 manual 3.24: fields of a line. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  const report = readReport(frame);
  if (report === null) {
    walk.rest('no frame of this protocol');
    return walk.done();
  }
  let end = frame.length;
  while (end > 0 && isBlank(frame[end - 1])) end--;
  const fields = fieldTexts(frame, 0, end, ',');
  const from = fields.findIndex(field => /^G[A-Z]RMC$/i.test(field));
  const star = fields.findIndex((field, i) => i > from && field.includes('*'));
  const imei = fields.findIndex(field => IMEI.test(field));
  const checksum = checksumOf(frame, report);
  const isLong = fields.length - imei > SHORTEST_TAIL;
  walkFields(walk, end, ',', index => {
    if (index === imei) return 'tracker';
    if (index > imei && isLong && TAIL[index - imei - 1] === 'checksum' && checksum !== null) {
      return ['checksum', undefined, text => verdict(checksum.right, 4)(Number(text))];
    }
    if (index > imei) return isLong ? TAIL[index - imei - 1] : 'length and check byte';
    if (star >= 0 && index >= star)
      return ['mode and checksum', ['GPS signal', undefined, signal] as const, 'event'][index - star];
    if (from >= 0 && index >= from) return SENTENCE[index - from];
    return ['serial number', 'authorized number'][index];
  });
  walk.rest('end of line', () => '');
  return walk.done();
}

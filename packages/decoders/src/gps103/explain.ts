import { angle, type FieldName, fieldTexts, hemisphere, validity, walkFields } from '../explain/fields.ts';
import { type FramePart, Walk } from '../explain/walk.ts';
import { isSeparator } from './frame.ts';
import { confirmedBy, eventOf } from './keywords.ts';

const keyword = (text: string): string => `${text} ${eventOf(text) ?? confirmedBy(text) ?? ''}`.trim();

/** From the keyword on, numbered as in the document. */
const REPORT: readonly FieldName[] = [
  ['keyword', undefined, keyword],
  'time by the tracker’s zone',
  'telephone, card or battery',
  ['signal', undefined, text => (text === 'F' ? 'full' : text === 'L' ? 'low' : text)],
  'time (UTC)',
  ['validity', undefined, validity],
  ['latitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['longitude', '°', angle],
  ['hemisphere', undefined, hemisphere],
  ['speed', 'kn'],
  ['course', '°'],
  ['altitude', 'm'],
  'ignition',
  'door',
  'fuel',
  'fuel of the second tank',
  ['temperature', '°C'],
];
const BUS: readonly FieldName[] = [
  'keyword',
  'time by the tracker’s zone',
  ['odometer', 'km'],
  'fuel now',
  'fuel on average',
  ['driving time', 'h'],
  ['speed', 'km/h'],
  'engine load',
  ['coolant', '°C'],
  'throttle',
  ['revolutions', '1/min'],
  ['external power', 'V'],
];

/** Coban, GPRS Protocol: login, heartbeat, reports. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  let end = frame.length;
  while (end > 0 && (isSeparator(frame[end - 1] ?? 0) || frame[end - 1] === 0x2a)) end--;
  const fields = fieldTexts(frame, 0, end, ',');
  const login = fields[0] === '##';
  // A different layout, known from recordings, ends with a star.
  const names = frame.at(-1) === 0x2a ? [] : fields[1] === 'OBD' ? BUS : REPORT;
  walkFields(walk, end, ',', index =>
    login ? ['login', 'IMEI', 'A'][index] : index === 0 ? 'IMEI' : names[index - 1],
  );
  walk.rest('end');
  return walk.done();
}

import { ascii } from '../bytes.ts';
import { explainJson } from '../explain/json.ts';
import { type FramePart, Walk } from '../explain/walk.ts';

const AMPERSAND = 0x26;

/** The parameter names of OsmAnd and Traccar Client, spelled out. */
const NAMES: Readonly<Record<string, readonly [name: string, unit?: string]>> = {
  id: ['id'],
  deviceid: ['id'],
  lat: ['latitude', '°'],
  lon: ['longitude', '°'],
  timestamp: ['time'],
  speed: ['speed', 'kn'],
  bearing: ['course', '°'],
  heading: ['course', '°'],
  altitude: ['altitude', 'm'],
  accuracy: ['accuracy', 'm'],
  hdop: ['HDOP'],
  batt: ['battery', '%'],
  location: ['latitude and longitude'],
};

/** A query, parameter by parameter, or a document. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  const first = frame.find(byte => byte > 0x20);
  if (first === 0x7b || first === 0x5b) return explainJson(frame);
  const walk = new Walk(frame);
  while (walk.left > 0) {
    const found = frame.indexOf(AMPERSAND, walk.at);
    const end = found < 0 ? frame.length : found;
    const text = ascii(frame.subarray(walk.at, end));
    const equals = text.indexOf('=');
    const key = equals < 0 ? text : text.slice(0, equals);
    const known = key.toLowerCase();
    const [name, unit] = Object.hasOwn(NAMES, known) ? (NAMES[known] ?? [key]) : [key];
    walk.take(
      name === '' ? 'nothing' : name,
      (found < 0 ? end : end + 1) - walk.at,
      () => decoded(text.slice(key.length + 1)),
      unit,
    );
  }
  return walk.done();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

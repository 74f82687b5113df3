import { readTime } from './text-fields.ts';

/**
 * The first models (GL100, GT300): IMEI, content, for most reports the send time, count number, version. Their position
 * begins with whether there is a fix, and has the accuracy before the longitude: fix, speed, heading, altitude,
 * accuracy, longitude, latitude, time.
 */
const VERSION = /^[0-9A-F]{10}$/i;
const COORDINATE = /^[+-]?\d{1,3}\.\d{4,8}$/;
/** Fields before the longitude. */
export const LEADING = 5;

/** The same fields in the order of later models: version, IMEI, device name, content, send time, count number. */
export function asLaterModels(sent: readonly string[]): string[] {
  const [imei = '', ...rest] = sent;
  const version = VERSION.test(rest.at(-1) ?? '') ? (rest.pop() ?? '') : null;
  if (version === null) return ['', imei, ...rest];
  const count = rest.pop() ?? '';
  const time = readTime(rest.at(-1)) === null || endsInPlace(rest) ? '' : (rest.pop() ?? '');
  return [version, imei, '', ...withPlaces(rest), time, count];
}

export const isFirstPlace = (fields: readonly string[], at: number): boolean =>
  COORDINATE.test(fields[at] ?? '') && COORDINATE.test(fields[at + 1] ?? '') && readTime(fields[at + 2]) !== null;

/** The last time is that of the fix. */
const endsInPlace = (fields: readonly string[]): boolean => isFirstPlace(fields, fields.length - 3);

function withPlaces(fields: readonly string[]): string[] {
  const ordered = [...fields];
  for (let at = LEADING; at + 2 < ordered.length; at++) {
    if (!isFirstPlace(ordered, at)) continue;
    const [fix = '', speed = '', heading = '', altitude = '', accuracy = ''] = ordered.slice(at - LEADING, at);
    const known = fix === '0' ? '0' : accuracy === '0' ? '' : accuracy;
    ordered.splice(at - LEADING, LEADING, known, speed, heading, altitude);
    at++;
  }
  return ordered;
}

import { ascii } from '../bytes.ts';
import type { Say, Walk } from './walk.ts';

/** The name of a text field, its unit, and how to show its value. */
export type FieldName = string | readonly [name: string, unit?: string, say?: Say<string>];

/**
 * Text fields up to `until`, each with the separator after it. `nameOf` gives a field's name by its number and text.
 */
export function walkFields(
  walk: Walk,
  until: number,
  separator: string,
  nameOf: (index: number, text: string) => FieldName | undefined,
): void {
  const end = Math.min(until, walk.end);
  const code = separator.charCodeAt(0);
  for (let index = 0; walk.at < end; index++) {
    const found = walk.bytes.subarray(0, end).indexOf(code, walk.at);
    const last = found < 0 ? end : found;
    const text = ascii(walk.bytes.subarray(walk.at, last));
    const named = nameOf(index, text) ?? `field ${index + 1}`;
    const [name, unit, say] = typeof named === 'string' ? [named] : named;
    walk.take(
      name,
      (found < 0 ? end : found + 1) - walk.at,
      () => (say && text !== '' ? say(text) : text),
      text === '' ? undefined : unit,
    );
  }
}

/** The text of each field, split as in `walkFields`. */
export const fieldTexts = (bytes: Uint8Array, from: number, until: number, separator: string): string[] =>
  ascii(bytes.subarray(from, until)).split(separator);

/** As in `nmea.ts`: minutes have more digits before the point, or fewer behind it. */
const DECIMAL_DEGREES = /^-?\d{1,3}\.\d{5,10}$/;

/** `4152.6860` in degrees; the hemisphere is in the next field. */
export const angle: Say<string> = text => {
  if (DECIMAL_DEGREES.test(text.trim())) return text;
  const [, whole, minutes] = /^-?(\d{1,3}?)-?(\d\d(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  return minutes === undefined ? text : Number((Number(whole) + Number(minutes) / 60).toFixed(6));
};

export const hemisphere: Say<string> = text => ({ N: 'north', S: 'south', E: 'east', W: 'west' })[text] ?? text;
export const validity: Say<string> = text => (text === 'A' ? 'valid' : text === 'V' ? 'not valid' : text);

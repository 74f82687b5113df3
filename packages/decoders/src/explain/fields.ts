import { ascii } from '../bytes.ts';
import type { Say, Walk } from './walk.ts';

/** What a field of text is called, its unit, and what it says. */
export type FieldName = string | readonly [name: string, unit?: string, say?: Say<string>];

/** Fields of text up to `until`, each with the separator behind it. `nameOf` knows a field by its number and text. */
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

/** The text of each field, as `walkFields` cuts them. */
export const fieldTexts = (bytes: Uint8Array, from: number, until: number, separator: string): string[] =>
  ascii(bytes.subarray(from, until)).split(separator);

/** `4152.6860` in degrees; the sign stands in the field behind it. */
export const angle: Say<string> = text => {
  const [, whole, minutes] = /^-?(\d{1,3}?)-?(\d\d(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  return minutes === undefined ? text : Number((Number(whole) + Number(minutes) / 60).toFixed(6));
};

export const hemisphere: Say<string> = text => ({ N: 'north', S: 'south', E: 'east', W: 'west' })[text] ?? text;
export const validity: Say<string> = text => (text === 'A' ? 'valid' : text === 'V' ? 'not valid' : text);

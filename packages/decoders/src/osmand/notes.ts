/** Undocumented parameters become attributes, within limits. */

export type Notes = Record<string, string | number | boolean>;

const MAX_NOTES = 64;
const MAX_TEXT = 1000;
const NAME = /^[A-Za-z][\w.-]{0,63}$/;
const NUMBER = /^-?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/;

/** `true`, `false` and numbers are converted, the rest stays text. A number that would lose digits stays text. */
export function meaningOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) ? Number(text) : text.slice(0, MAX_TEXT);
}

export function note(notes: Notes, name: string, value: string | number | boolean): void {
  if (NAME.test(name) && Object.keys(notes).length < MAX_NOTES) notes[name] = value;
}

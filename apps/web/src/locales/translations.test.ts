import { readdirSync, readFileSync } from 'node:fs';
import { LANGUAGES } from '@milepost/contract';
import { describe, expect, it } from 'vitest';

/** The app's own texts, and those that the server uses, too. */
const FOLDERS = ['./', '../../../../packages/contract/src/texts/'].map(path => new URL(path, import.meta.url));
const english = FOLDERS.flatMap(folder =>
  readdirSync(new URL('en-US/', folder))
    .filter(file => file.endsWith('.json'))
    .map(file => [file, folder] as const),
);
const read = (language: string, file: string, folder: URL): unknown =>
  JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8'));

/** Every text by its place, plural forms without their ending: languages have other ones. */
function texts(tree: unknown, path = ''): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (typeof tree === 'string') {
    const place = path.replace(/_(zero|one|two|few|many|other)$/, '');
    return found.set(place, [tree]);
  }
  for (const [key, value] of Object.entries(tree as object)) {
    for (const [place, forms] of texts(value, path === '' ? key : `${path}.${key}`)) {
      found.set(place, [...(found.get(place) ?? []), ...forms]);
    }
  }
  return found;
}

const filled = (text: string): string[] => [...new Set(text.match(/\{\{\s*\w+/g) ?? [])].toSorted();

describe.each(LANGUAGES.filter(language => language !== 'en-US'))('[R9.09] the texts in %s', language => {
  it.each(english)('%s are complete, and fill in what the English ones do', (file, folder) => {
    const wanted = texts(read('en-US', file, folder));
    const translated = texts(read(language, file, folder));
    expect([...translated.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
    for (const [place, forms] of wanted) {
      const allowed = new Set(forms.flatMap(filled));
      for (const form of translated.get(place) ?? []) {
        expect(form.trim() === '', place).toBe(forms.every(one => one.trim() === ''));
        for (const name of filled(form)) expect(allowed, place).toContain(name);
      }
      // In at least one form: "one vehicle" need not say its count.
      const longest = (list: readonly string[]) => Math.max(...list.map(form => filled(form).length));
      expect(longest(translated.get(place) ?? []), place).toBe(longest(forms));
    }
  });
});

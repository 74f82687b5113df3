import { globSync, readFileSync } from 'node:fs';
import { PROBLEMS } from '@milepost/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { inLanguage, type Sentences, setSentences } from './sentences.ts';

const read = (language: string): Sentences =>
  JSON.parse(readFileSync(new URL(`../../locales/${language}/sentences.json`, import.meta.url), 'utf8')) as Sentences;

/** Every sentence in the contract's schemas; those of routes are for whoever reads the API, not for forms. */
function sentencesOfSchemas(): Set<string> {
  const folder = new URL('../../../../../packages/contract/src/', import.meta.url).pathname;
  const found = new Set<string>();
  for (const file of globSync('{*,commands/*,routes/*}.ts', { cwd: folder, exclude: ['**/*.test.ts'] })) {
    const text = readFileSync(folder + file, 'utf8').replace(/^\s*(\*|\/\/|summary:).*$|describe\([^)]*\)/gm, '');
    for (const [, one, other] of text.matchAll(/'([A-Z][^'\n]{6,}[.!?])'|`([A-Z][^`\n]{6,}[.!?])`/g)) {
      found.add((one ?? other ?? '').replace(/\$\{\w+\}/g, '12'));
    }
  }
  for (const { title } of Object.values(PROBLEMS)) found.delete(title);
  return found;
}

afterEach(() => setSentences({}));

describe.each(['es', 'fr'])('[R9.09] what goes wrong, in %s', language => {
  it('has a sentence for every problem', () => {
    const sentences = read(language);
    expect(Object.values(PROBLEMS).filter(({ title }) => sentences[title] === undefined)).toEqual([]);
  });

  it('has a sentence for every field of every form', () => {
    setSentences(read(language));
    expect([...sentencesOfSchemas()].filter(sentence => inLanguage(sentence) === sentence)).toEqual([]);
  });

  it('fills in what the English ones do', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();
    for (const [english, translation] of Object.entries(read(language))) {
      expect(places(translation), english).toEqual(places(english));
    }
  });
});

it('numbers, names and what stands inside are carried over', () => {
  setSentences(read('es'));
  expect(inLanguage('Too many tries. Try again in 4 minutes.')).toBe(
    'Demasiados intentos. Inténtelo de nuevo en 4 minutos.',
  );
  expect(inLanguage("Another vehicle is already called 'Truck 7'.")).toBe('Otro vehículo ya se llama «Truck 7».');
  expect(inLanguage('Use at least 12 characters. This one is 9.')).toBe('Use al menos 12 caracteres. Esta tiene 9.');
  expect(inLanguage('Something that nobody has translated.')).toBe('Something that nobody has translated.');
});

it('English stays as it is', () => {
  expect(inLanguage('Sign in to go on.')).toBe('Sign in to go on.');
});

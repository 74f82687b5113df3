import { readFileSync } from 'node:fs';
import { FIELD_PROBLEMS, LANGUAGES, PROBLEMS } from '@milepost/contract';
import { describe, expect, it } from 'vitest';

const CODES = new Map<string, string>([
  ...Object.entries(PROBLEMS).map(([code, { title }]) => [code, title] as const),
  ...Object.entries(FIELD_PROBLEMS),
]);

const read = (language: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`${language}/problems.json`, import.meta.url), 'utf8'));
const codeOf = (key: string): string => key.replace(/_(one|other)$/, '');
const paramsIn = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

it('a field’s code is none of a problem’s', () => {
  expect(Object.keys(FIELD_PROBLEMS).filter(code => code in PROBLEMS)).toEqual([]);
});

describe.each([...LANGUAGES])('[R9.09] what goes wrong, in %s', language => {
  const texts = read(language);

  it('has a text for every code of the contract, and no other', () => {
    expect([...new Set(Object.keys(texts).map(codeOf))].toSorted()).toEqual([...CODES.keys()].toSorted());
  });

  it('fills in the params of the contract', () => {
    for (const [code, english] of CODES) {
      const forms = Object.entries(texts).filter(([key]) => codeOf(key) === code);
      const used = [...new Set(forms.flatMap(([, text]) => paramsIn(text, /\{\{(\w+)\}\}/g)))].toSorted();
      expect([code, used]).toEqual([code, paramsIn(english, /\{(\w+)\}/g)]);
    }
  });
});

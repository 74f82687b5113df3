import { expect, it } from 'vitest';
import { modelOf } from './vehicle-words.ts';

it.each([
  [{ year: 2022, make: 'Kenworth', model: 'T680' }, '2022 Kenworth T680'],
  [{ year: null, make: 'Kenworth', model: null }, 'Kenworth'],
  [{ year: null, make: 'Isuzu', model: 'Isuzu NPR-HD 2021' }, 'Isuzu NPR-HD 2021'],
  [{ year: 2021, make: null, model: 'Isuzu NPR-HD 2021' }, 'Isuzu NPR-HD 2021'],
  [{ year: null, make: null, model: null }, ''],
])('%j is %j', (vehicle, words) => {
  expect(modelOf(vehicle)).toBe(words);
});

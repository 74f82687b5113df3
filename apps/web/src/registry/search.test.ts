import { expect, it } from 'vitest';
import { matchesSearch } from './search.ts';

it.each([
  ['', true],
  ['marin', true],
  ['SOFIA 214', true],
  ['r-2 sof', true],
  ['sofia hank', false],
  ['sofia\n', true],
])('a search for %j', (query, found) => {
  expect(matchesSearch(query, ['Sofía Marín', 'R-214', null, undefined])).toBe(found);
});

it('words do not run from one text into the next', () => {
  expect(matchesSearch('marinr', ['Marin', 'R-214'])).toBe(false);
});

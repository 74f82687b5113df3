import { expect, it } from 'vitest';
import { compared } from './compared.ts';

it('compares four vehicles at most, the current one among them', () => {
  expect(compared(['a', 'b', 'c', 'd', 'e', 'f'], 'f')).toEqual(['f', 'a', 'b', 'c']);
  expect(compared(['a', 'b'], null)).toEqual(['a', 'b']);
  expect(compared(['a', 'b'], 'x')).toEqual(['a', 'b']);
});

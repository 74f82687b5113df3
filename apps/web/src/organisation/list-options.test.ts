import { expect, it } from 'vitest';
import { listOptions } from './list-options.ts';

const NONE = { value: '', label: 'No folder' };
const NORTH = { value: '4', label: 'North' };
const words = { none: NONE.label, unlisted: 'Not in this list' };

it('offers none and what the list has', () => {
  expect(listOptions([NORTH], '4', words)).toEqual([NONE, NORTH]);
  expect(listOptions([NORTH], '', words)).toEqual([NONE, NORTH]);
  expect(listOptions(null, '', words)).toEqual([NONE]);
});

it.each([null, [], [NORTH]])('keeps a value that is not in %j, and does not tell it as none', list => {
  expect(listOptions(list, '9', words).at(-1)).toEqual({ value: '9', label: 'Not in this list' });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { APPEARANCES, colorSchemeOf, MODE_STATUS_KEY, modeStatusOf, readModeStatus } from './appearance.ts';

it.each([
  ['1', 'dark'],
  ['0', 'light'],
  ['', 'light'],
  ['true', 'light'],
  ['dark', 'light'],
  [null, 'auto'],
])('[R4.18] stored %j is %s', (stored, expected) => {
  expect(readModeStatus(stored)).toBe(expected);
});

it('[R4.18] a choice is stored so that it is read back; only dark is 1, automatic is nothing', () => {
  expect(APPEARANCES.map(modeStatusOf)).toEqual([null, '0', '1']);
  expect(APPEARANCES.map(choice => readModeStatus(modeStatusOf(choice)))).toEqual(APPEARANCES);
});

it('[R4.18] a choice wins over the system, automatic follows it', () => {
  const shown = [true, false].map(dark => APPEARANCES.map(choice => colorSchemeOf(choice, dark)));
  expect(shown).toEqual([
    ['dark', 'light', 'dark'],
    ['light', 'light', 'dark'],
  ]);
});

it('the script before the first paint reads the same key', () => {
  const script = readFileSync(new URL('../../public/appearance.js', import.meta.url), 'utf8');
  expect(script).toContain(`getItem('${MODE_STATUS_KEY}')`);
});

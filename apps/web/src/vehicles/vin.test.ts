import { expect, it } from 'vitest';
import { vinCheckDigitMatches } from './vin.ts';

it.each([
  ['1M8GDM9AXKP042788', true],
  ['1m8gdm9axkp042788', true],
  ['11111111111111111', true],
  ['1M8GDM9A1KP042788', false],
  ['1M8GDM9AXKP042789', false],
  // Made outside North America, where the ninth character isn't a check digit.
  ['WVWZZZ1JZXW000001', null],
  ['1M8GDM9AXKP04278', null],
  ['', null],
])('the check digit of %j: %j', (vin, expected) => {
  expect(vinCheckDigitMatches(vin)).toBe(expected);
});

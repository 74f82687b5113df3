import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterValue, eventCheck, fileCheck, lineCheck } from './check-values.ts';

const event = (values: readonly string[]) => {
  const [type = '', code = '', date = '', time = '', miles = '', hours = '', lat = '', lon = ''] = values;
  return eventCheck({
    type,
    code,
    date,
    time,
    miles,
    hours,
    lat,
    lon,
    powerUnit: values[8] ?? '',
    userName: values[9] ?? '',
  });
};

describe('check values', () => {
  it('count letters and the digits 1 to 9, and nothing else', () => {
    expect([...'19AZaz'].map(c => characterValue(c.charCodeAt(0)))).toEqual([1, 9, 17, 42, 49, 74]);
    expect([...'0,.- \r;/:@[`{é'].map(c => characterValue(c.charCodeAt(0)))).toEqual(Array(14).fill(0));
  });

  it.each([
    ['', '96'],
    ['A', '1E'],
    ['SMITH,JOHN', 'B6'],
    // The worked example in docs/eld.md.
    ['1F,1,1,1,4,020326,153000,212,6.1,41.88,-87.63,0,1,1,0,0,03', '05'],
  ])('of the line %j is %s', (line, check) => expect(lineCheck(line)).toBe(check));

  it('of an event covers ten fields', () => {
    expect(event([])).toBe('C3');
    expect(event(['1', '1', '090426', '060000', '45', '1.5', '41.32', '-72.93', '101', 'jsmith'])).toBe('26');
    expect(event(['1', '4', '020326', '153000', '212', '6.1', '41.88', '-87.63', 'T204', 'arivera'])).toBe('03');
  });

  it('of a file rotates each byte of the sum separately', () => {
    expect(fileCheck([])).toBe('969C');
    expect(fileCheck(['01'])).toBe('9694');
    expect(fileCheck(['FF', 'FF'])).toBe('9E6B');
  });

  it('differ when one counted character differs', () => {
    const counted = fc.constantFrom(...'123456789ABCXYZabcxyz');
    fc.assert(
      fc.property(fc.string(), counted, counted, fc.string(), (before, a, b, behind) => {
        fc.pre(a !== b);
        expect(lineCheck(before + a + behind)).not.toBe(lineCheck(before + b + behind));
      }),
    );
  });
});

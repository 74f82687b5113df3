import { LANGUAGES } from '@milepost/contract';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { setFormatLocale } from './locale.ts';
import { typedNumber, typedText } from './typed.ts';

afterEach(() => setFormatLocale('en-US'));

const read = (language: string, text: string): number => {
  setFormatLocale(language);
  return typedNumber(text);
};

describe('a number as it is typed', () => {
  it.each(LANGUAGES)('is read as this language writes it, with or without its separators: %s', language => {
    setFormatLocale(language);
    const numbers = fc.double({ min: -5_000_000, max: 5_000_000, noNaN: true }).map(value => Number(value.toFixed(3)));
    fc.assert(
      fc.property(numbers, value => {
        expect(typedNumber(typedText(value))).toBeCloseTo(value, 9);
        const grouped = new Intl.NumberFormat(language, { maximumFractionDigits: 3, useGrouping: 'always' });
        expect(typedNumber(grouped.format(value))).toBeCloseTo(value, 9);
        expect(typedNumber(grouped.format(value).replace('-', '−'))).toBeCloseTo(value, 9);
      }),
    );
  });

  it('a thousand is not one because of its comma', () => {
    expect(read('en-US', '1,200')).toBe(1200);
    expect(read('en-US', '12,480.5')).toBe(12_480.5);
    expect(read('es', '1.200')).toBe(1200);
    expect(read('fr', '1 200,5')).toBe(1200.5);
  });

  it('a comma or point that can’t separate thousands is the decimal sign in any language', () => {
    expect(read('en-US', '4,5')).toBe(4.5);
    expect(read('en-US', '1200,25')).toBe(1200.25);
    expect(read('es', '4.5')).toBe(4.5);
    expect(read('fr', '1.200')).toBe(1.2);
    expect(read('en-US', ' .5 ')).toBe(0.5);
    expect(read('en-US', '7.')).toBe(7);
  });

  it.each(['', ' ', 'few', '1,2,3', '1.2.3', '12 34', '1e3', '0x10', '--1', 'Infinity', ',', '-'])(
    'is not guessed from “%s”',
    text => {
      for (const language of LANGUAGES) expect(read(language, text)).toBeNaN();
    },
  );

  it('no number is an empty field', () => {
    expect(typedText(null)).toBe('');
  });
});

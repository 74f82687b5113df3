import { numberFormat } from './locale.ts';

/** A change with its sign, and a minus instead of the hyphen that number formats write: `+3.1%`, `−1.1`, `0`. */
export const signedNumber = (value: number, options: Intl.NumberFormatOptions): string =>
  numberFormat({ ...options, signDisplay: 'exceptZero' })
    .format(value)
    .replace('-', '−');

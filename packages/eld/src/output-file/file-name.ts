import type { EpochMs } from '@milepost/units';
import { fileText } from '../file-text.ts';
import { fileDateAndTime } from '../local-time.ts';
import { PREVIEW_NAME } from './preview.ts';

/**
 * The file's name, 25 characters (Appendix A, 4.8.2.2): five letters of the last name, the last two digits of the
 * license number, the sum of all its digits as two digits, the creation date; a dash; nine characters of our choice,
 * which mark it as a preview.
 */
export function outputFileName(lastName: string, licenceNumber: string, madeAt: EpochMs, timeZone: string): string {
  const letters = fileText(lastName, 60).replaceAll(/[^A-Za-z]/g, '');
  const digits = licenceNumber.replaceAll(/\D/g, '');
  const sum = [...digits].reduce((total, digit) => total + Number(digit), 0) % 100;
  const two = (text: string): string => text.slice(-2).padStart(2, '0');
  const { date } = fileDateAndTime(madeAt, timeZone);
  return `${letters.slice(0, 5).padEnd(5, '_')}${two(digits)}${two(String(sum))}${date}-${PREVIEW_NAME}.csv`;
}

/** A license number as the file requires it: digits and letters only, in uppercase (7.15). */
export const fileLicence = (number: string): string =>
  number
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, 20);

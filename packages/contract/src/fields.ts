import { z } from 'zod';

/** Field schemas with the sentences that stand beside the field on a form. One schema for browser and server [R5.03]. */

/** The check digit of an IMEI, 3GPP TS 23.003 annex B: doubling every second digit from the right, sum modulo 10. */
export function hasImeiCheckDigit(imei: string): boolean {
  let sum = 0;
  for (let i = 0; i < imei.length; i++) {
    const digit = imei.charCodeAt(i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export const imeiSchema = z
  .string()
  .trim()
  .refine(imei => /^\d{15}$/.test(imei) && hasImeiCheckDigit(imei), {
    error: 'An IMEI has 15 digits; the last is a check digit. Please check this one.',
  });

const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;
const ONE_LINE = 'Write this on one line.';

export const vehicleNameSchema = z
  .string({ error: 'Enter a name (up to 60 characters).' })
  .trim()
  .min(1, 'Enter a name (up to 60 characters).')
  .max(60, 'Enter a name (up to 60 characters).')
  .regex(NO_CONTROL_CHARACTERS, ONE_LINE);

export const plateSchema = z
  .string()
  .trim()
  .max(15, 'A plate has up to 15 characters.')
  .regex(NO_CONTROL_CHARACTERS, ONE_LINE);

export const modelSchema = z.string().trim().max(80, 'Use up to 80 characters.').regex(NO_CONTROL_CHARACTERS, ONE_LINE);

/** 17 characters without I, O and Q (ISO 3779). The check digit is North American only, so it is never demanded. */
export const vinSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-HJ-NPR-Z0-9]{17}$/, 'A VIN has 17 letters and digits, without I, O and Q.');

export const userNameSchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{3,32}$/, 'Use 3–32 letters, digits, dot, dash or underscore.');

/** New passwords (ASVS 5.0 6.2.1, 6.2.9): length only, no composition rules. */
export const newPasswordSchema = z
  .string()
  .min(12, 'Use at least 12 characters.')
  .max(128, 'Use at most 128 characters.');

/** A row's id in a path: a positive `integer` of PostgreSQL. */
export const idSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'This is not an id.')
  .refine(id => Number(id) <= 2_147_483_647, 'This is not an id.');

export const instantSchema = z.iso.datetime({ offset: true, error: 'Write the time as ISO 8601 with a zone.' });

/** For a stretch of time that is asked for. What is no time at all has its own sentence. */
export const isForward = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  !(Date.parse(from) >= Date.parse(to));
export const BACKWARD = { path: ['to'], message: 'The end is before the start.' };

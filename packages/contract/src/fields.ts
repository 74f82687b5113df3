import { z } from 'zod';
import { issue } from './issue.ts';
import { isTimeZone } from './time-zone.ts';

/**
 * Field schemas with the error messages shown beside the field on a form. One schema for browser and server [R5.03].
 */

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
    error: issue('imei'),
  });

/** Turns a form field left empty into null. */
export const emptyAsNull = <T extends z.ZodType>(schema: T) =>
  z.preprocess(value => (value === '' ? null : value), schema.nullable());

/**
 * A number, also written as text: in a form, a query or a table. Other text is not a number, and neither is nothing:
 * `z.coerce` would make 0 of it.
 */
export const numeric = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    value => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value),
    schema,
  );

const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;
const ONE_LINE = issue('one-line');

export const vehicleNameSchema = z
  .string({ error: issue('name-length', { max: 60 }) })
  .trim()
  .min(1, issue('name-length', { max: 60 }))
  .max(60, issue('name-length', { max: 60 }))
  .regex(NO_CONTROL_CHARACTERS, ONE_LINE);

/** One line of text, up to a number of characters. */
export const lineSchema = (max: number) =>
  z.string().trim().max(max, issue('max-length', { max })).regex(NO_CONTROL_CHARACTERS, ONE_LINE);

const named = (max: number) => {
  const sentence = issue('name-length', { max });
  return z
    .string({ error: sentence })
    .trim()
    .min(1, sentence)
    .max(max, sentence)
    .regex(NO_CONTROL_CHARACTERS, ONE_LINE);
};

/** The name of a folder or a department. */
export const groupNameSchema = named(60);
export const personNameSchema = named(80);
/** The name of a saved view, shown on a tab. */
export const viewNameSchema = named(40);

/** Several lines; no control characters except tabs and line breaks. */
export const notesSchema = z
  .string()
  .trim()
  .max(2000, issue('max-length', { max: 2000 }))
  .regex(/^(\P{Cc}|[\t\r\n])*$/u, issue('control-character'));

/** E.164, after removing spaces, dashes, dots and brackets. */
export const phoneSchema = z
  .string()
  .transform(text => text.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, issue('phone')));

/** A driver's card, iButton or RFID tag as trackers report it, ignoring separators. */
export const cardSchema = z
  .string()
  .transform(text => text.replace(/[\s:-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^[0-9A-Z]{4,32}$/, issue('card')));

export const dateSchema = z.iso.date(issue('date'));

export const plateSchema = z
  .string()
  .trim()
  .max(15, issue('plate', { max: 15 }))
  .regex(NO_CONTROL_CHARACTERS, ONE_LINE);

export const modelSchema = z
  .string()
  .trim()
  .max(80, issue('max-length', { max: 80 }))
  .regex(NO_CONTROL_CHARACTERS, ONE_LINE);

/** 17 characters without I, O and Q (ISO 3779). The check digit is used only in North America, so it is not checked. */
export const vinSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-HJ-NPR-Z0-9]{17}$/, issue('vin'));

export const userNameSchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{3,32}$/, issue('user-name'));

/** New passwords (ASVS 5.0 6.2.1, 6.2.9): length only, no composition rules. */
export const newPasswordSchema = z
  .string()
  .min(12, issue('min-length', { min: 12 }))
  .max(128, issue('max-length', { max: 128 }));

/** A row's id in a path: a positive `integer` of PostgreSQL. */
export const idSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, issue('id'))
  .refine(id => Number(id) <= 2_147_483_647, issue('id'));

export const instantSchema = z.iso.datetime({ offset: true, error: issue('instant') });

/** For a requested period. An invalid time has its own error message. */
export const isForward = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  !(Date.parse(from) >= Date.parse(to));
export const BACKWARD = { path: ['to'], message: issue('end-before-start') };

/** The id of a person, a session or anything else that nobody should be able to count or guess. */
export const uuidSchema = z.uuid(issue('id')).toLowerCase();

const NO_EMAIL = issue('email');
export const emailSchema = z.string(NO_EMAIL).trim().max(254, NO_EMAIL).pipe(z.email(NO_EMAIL));

/** 1 means male, any other value not male [R3.01]: 2 female, 0 other or not given. */
export const GENDERS = [0, 1, 2] as const;
export const genderSchema = z.union(GENDERS.map(gender => z.literal(gender)));

/** A time zone of the IANA database, by any of its names. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: issue('time-zone') });

import { z } from 'zod';
import { hasImeiCheckDigit } from './fields.ts';
import { issue } from './issue.ts';

/**
 * Many trackers identify themselves by something other than their IMEI: a telephone number (JT/T 808, TK103), ten digits of
 * their maker (H02), an ESN (CalAmp). A vehicle may carry that beside the IMEI. Leading zeros and case do not count, for
 * labels, manuals and the wire differ in them.
 */
export const plainTrackerId = (said: string): string => said.trim().toUpperCase().replace(/^0+/, '');

const TRACKER_ID = /^[1-9A-Z][0-9A-Z]{3,19}$/;
const isImei = (text: string): boolean => /^\d{15}$/.test(text) && hasImeiCheckDigit(text);

export const trackerIdSchema = z
  .string()
  .transform(plainTrackerId)
  .refine(id => TRACKER_ID.test(id), { error: issue('tracker-id') })
  .refine(id => !isImei(id), { error: issue('imei-in-tracker-id') });

const IMEI_WITHOUT_CHECK_DIGIT = 14;

/** The IMEI that fourteen digits are the beginning of, for trackers that leave out the check digit; null for any other. */
export function imeiOfFourteen(said: string): string | null {
  if (said.length !== IMEI_WITHOUT_CHECK_DIGIT || !/^\d+$/.test(said)) return null;
  for (let digit = 0; digit < 10; digit++) if (hasImeiCheckDigit(`${said}${digit}`)) return `${said}${digit}`;
  return null;
}

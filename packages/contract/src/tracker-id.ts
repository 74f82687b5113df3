import { z } from 'zod';
import { hasImeiCheckDigit } from './fields.ts';
import { issue } from './issue.ts';

/**
 * Many trackers identify themselves by something other than their IMEI: a phone number (JT/T 808, TK103), ten digits
 * assigned by the maker (H02), an ESN (CalAmp). A vehicle may have that ID in addition to its IMEI. Leading zeros and
 * case are ignored, because labels, manuals and messages differ in them.
 */
export const plainTrackerId = (id: string): string => id.trim().toUpperCase().replace(/^0+/, '');

const TRACKER_ID = /^[1-9A-Z][0-9A-Z]{3,19}$/;
const isImei = (text: string): boolean => /^\d{15}$/.test(text) && hasImeiCheckDigit(text);

export const trackerIdSchema = z
  .string()
  .transform(plainTrackerId)
  .refine(id => TRACKER_ID.test(id), { error: issue('tracker-id') })
  .refine(id => !isImei(id), { error: issue('imei-in-tracker-id') });

const IMEI_WITHOUT_CHECK_DIGIT = 14;

/**
 * The IMEI that starts with these fourteen digits, for trackers that leave out the check digit; null for any other ID.
 */
export function imeiOfFourteen(id: string): string | null {
  if (id.length !== IMEI_WITHOUT_CHECK_DIGIT || !/^\d+$/.test(id)) return null;
  for (let digit = 0; digit < 10; digit++) if (hasImeiCheckDigit(`${id}${digit}`)) return `${id}${digit}`;
  return null;
}

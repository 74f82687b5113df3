import type { LogDay } from '@milepost/contract';
import type { TFunction } from 'i18next';

const KNOWN = [
  'not-certified',
  'changed-since',
  'place-missing',
  'shipping-document-missing',
  'note-missing',
  'starts-later',
  'proposal-waiting',
] as const;

/** What shows elsewhere as it is: on the day's certification, and among the changes to answer. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['not-certified', 'changed-since', 'proposal-waiting']);

/** What of a day its driver has to correct. */
export const toCorrect = ({ formErrors }: Pick<LogDay, 'formErrors'>): LogDay['formErrors'] =>
  formErrors.filter(({ code }) => !SHOWN_ELSEWHERE.has(code));

const MISSING = ['engine-hours', 'odometer', 'vin', 'position'] as const;

/** What the tracker did not report, in the reader’s language. */
export const missingWords = (t: TFunction<'logbook'>, { missing }: Pick<LogDay, 'missing'>): string[] =>
  missing.map(one => {
    const known = MISSING.find(name => name === one);
    return known ? t(`missing.${known}`) : one;
  });

/** What a form and manner check found, in the reader’s language; as the server says it if this version knows no words. */
export function formErrorText(t: TFunction<'logbook'>, { code, text }: LogDay['formErrors'][number]): string {
  const known = KNOWN.find(one => one === code);
  return known ? t(`formError.${known}`) : text;
}

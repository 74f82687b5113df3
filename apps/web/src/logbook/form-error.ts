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

/** What a form and manner check found, in the reader’s language; as the server says it if this version knows no words. */
export function formErrorText(t: TFunction<'logbook'>, { code, text }: LogDay['formErrors'][number]): string {
  const known = KNOWN.find(one => one === code);
  return known ? t(`formError.${known}`) : text;
}

import type { Language } from '@milepost/contract';
import alertsEn from '@milepost/contract/texts/en-US/alerts.json' with { type: 'json' };
import alertsEs from '@milepost/contract/texts/es/alerts.json' with { type: 'json' };
import alertsFr from '@milepost/contract/texts/fr/alerts.json' with { type: 'json' };
import { english } from './english.ts';
import { french } from './french.ts';
import type { AlertWords, MailTexts, Texts } from './mail-texts.ts';
import { spanish } from './spanish.ts';

const joined = (mail: MailTexts, { severity, kind, event }: AlertWords): Texts => ({ ...mail, severity, kind, event });

export const TEXTS: Readonly<Record<Language, Texts>> = {
  'en-US': joined(english, alertsEn),
  es: joined(spanish, alertsEs),
  fr: joined(french, alertsFr),
};

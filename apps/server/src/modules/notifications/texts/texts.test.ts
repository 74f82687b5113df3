import { existsSync, readFileSync } from 'node:fs';
import { LANGUAGES } from '@milepost/contract';
import { expect, it } from 'vitest';
import { TEXTS } from './texts.ts';

const pages = (language: string) => new URL(`../../../../../web/src/locales/${language}/alerts.json`, import.meta.url);

it.each(LANGUAGES)('[R9.09] mails in %s call alerts what the pages call them', language => {
  expect(existsSync(pages(language))).toBe(true);
  const { severity, kind, event } = JSON.parse(readFileSync(pages(language), 'utf8'));
  const { severity: severities, kind: kinds, event: events } = TEXTS[language];
  expect({ severities, kinds, events }).toEqual({ severities: severity, kinds: kind, events: event });
});

import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type PageTexts, resources } from '../locales/en-US/resources.ts';

/** US English is the default [R9.09] and the fallback for every other language. The compiler checks the keys. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: typeof resources & PageTexts;
  }
}

export const DEFAULT_LANGUAGE = 'en-US';

export const i18n = i18next.createInstance();

/** The texts that any page may need are bundled, so this finishes before the first render. React does the escaping. */
export function startI18n(): void {
  void i18n.use(initReactI18next).init({
    lng: DEFAULT_LANGUAGE,
    fallbackLng: DEFAULT_LANGUAGE,
    defaultNS: 'shell',
    resources: { [DEFAULT_LANGUAGE]: resources },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
}

/** Adds the English texts that loaded with a page. */
export function addEnglish<N extends keyof PageTexts>(namespace: N, texts: PageTexts[N]): void {
  i18n.addResourceBundle(DEFAULT_LANGUAGE, namespace, texts);
}

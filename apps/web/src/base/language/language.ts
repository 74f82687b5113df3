import { LANGUAGES, type Language } from '@milepost/contract';
import { create } from 'zustand';
import { setFormatLocale } from '../../format/locale.ts';
import type { PageTexts } from '../../locales/en-US/resources.ts';
import { loadChunk } from '../chunks/load-chunk.ts';
import { addEnglish, DEFAULT_LANGUAGE, i18n } from '../i18n.ts';

/** Texts by namespace. */
type CommonTexts = Readonly<Record<string, object>>;

/** English doesn't need the code that loads other languages, so it is a separate chunk. */
const translations = () => loadChunk(() => import('./translations.ts'));

const pseudo = () => loadChunk(() => import('./pseudo.ts'));
/** English written right to left, under a private-use subtag. Only for the browser tests. */
const PSEUDO_LANGUAGE = 'en-x-rtl';

/** A language of the app, or the one for tests. */
export type AppLanguage = Language | typeof PSEUDO_LANGUAGE;

/** The localStorage key of the language chosen on this device, signed in or not. */
const LANGUAGE_KEY = 'language';

const isAppLanguage = (text: string | null): text is AppLanguage =>
  text === PSEUDO_LANGUAGE || LANGUAGES.some(language => language === text);

/** The language that the screen shows. */
export const useLanguage = create<{ readonly language: AppLanguage }>(() => ({ language: DEFAULT_LANGUAGE }));

/** The language requested last. Its texts may still be loading. */
let wanted: AppLanguage = DEFAULT_LANGUAGE;

const pages = new Set<keyof PageTexts>();

const chosenHere = (): AppLanguage | null => {
  const stored = localStorage.getItem(LANGUAGE_KEY);
  return isAppLanguage(stored) ? stored : null;
};

/** The language to show: the user's choice, else the device's, else the organization's. */
export function languageFor(own: Language | null, organisation: Language | null): AppLanguage {
  const here = chosenHere();
  if (here === PSEUDO_LANGUAGE) return here;
  return own ?? here ?? organisation ?? DEFAULT_LANGUAGE;
}

/**
 * Switches to the language of this user or device [R9.09]. Resolves when its texts have loaded; at once for English.
 */
export const startLanguage = (own: Language | null, otherwise: Language | null = null): Promise<void> =>
  setLanguage(languageFor(own, otherwise));

/** The browser's first preferred language that the app supports. Used for visitors who haven't chosen one. */
export function browserLanguage(wanted: readonly string[] = navigator.languages): Language | null {
  const spoken = wanted.map(tag => LANGUAGES.find(language => language.slice(0, 2) === tag.slice(0, 2).toLowerCase()));
  return spoken.find(language => language !== undefined) ?? null;
}

/** Sets the language of this device, now and for later visits. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language);
  await setLanguage(language);
}

/**
 * Switches the language once its texts have loaded. Nothing changes if they can't be loaded or another language is
 * requested meanwhile.
 */
export async function setLanguage(language: AppLanguage): Promise<void> {
  wanted = language;
  if (language === useLanguage.getState().language) return;
  await addCommon(language);
  await Promise.all([...pages].map(namespace => addPage(language, namespace)));
  if (wanted !== language) return;
  await i18n.changeLanguage(language);
  setFormatLocale(language === PSEUDO_LANGUAGE ? DEFAULT_LANGUAGE : language);
  document.documentElement.lang = language === PSEUDO_LANGUAGE ? DEFAULT_LANGUAGE : language;
  document.documentElement.dir = language === PSEUDO_LANGUAGE ? 'rtl' : 'ltr';
  useLanguage.setState({ language });
}

/** Adds a page's texts in English, in the current language, and in one that is still loading. */
export async function addPageTexts<N extends keyof PageTexts>(namespace: N, english: PageTexts[N]): Promise<void> {
  pages.add(namespace);
  addEnglish(namespace, english);
  const spoken = useLanguage.getState().language;
  await Promise.all([...new Set([spoken, wanted])].map(language => addPage(language, namespace)));
}

async function addCommon(language: AppLanguage): Promise<void> {
  const resources = await commonOf(language);
  for (const [namespace, bundle] of Object.entries(resources)) i18n.addResourceBundle(language, namespace, bundle);
}

async function commonOf(language: AppLanguage): Promise<CommonTexts> {
  if (language === DEFAULT_LANGUAGE) return {};
  if (language !== PSEUDO_LANGUAGE) return (await translations()).loadCommonTexts(language);
  return (await pseudo()).pseudoTexts(i18n.getDataByLanguage(DEFAULT_LANGUAGE) ?? {}) as CommonTexts;
}

async function addPage(language: AppLanguage, namespace: keyof PageTexts): Promise<void> {
  if (language === DEFAULT_LANGUAGE || i18n.hasResourceBundle(language, namespace)) return;
  const texts =
    language === PSEUDO_LANGUAGE
      ? (await pseudo()).pseudoTexts(i18n.getResourceBundle(DEFAULT_LANGUAGE, namespace) as object)
      : await (await translations()).loadPageTexts(language, namespace);
  i18n.addResourceBundle(language, namespace, texts);
}

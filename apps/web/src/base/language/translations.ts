import type { PageTexts } from '../../locales/en-US/resources.ts';

type Texts = object;

/** Each language except English has its own chunks: one with the texts that any page needs, and one per page. */
const COMMON = import.meta.glob<{
  readonly resources: Readonly<Record<string, Texts>>;
}>('../../locales/{es,fr}/common.ts');
const PAGES = import.meta.glob<{ readonly default: Texts }>('../../locales/{es,fr}/*.json');

export type Translated = 'es' | 'fr';

export async function loadCommonTexts(language: Translated): Promise<Readonly<Record<string, Texts>>> {
  const load = COMMON[`../../locales/${language}/common.ts`];
  return load ? (await load()).resources : {};
}

/** File name of a namespace: `addVehicle` is in `add-vehicle.json`. */
export const fileOf = (namespace: string): string => namespace.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

export async function loadPageTexts(language: Translated, namespace: keyof PageTexts): Promise<Texts> {
  const load = PAGES[`../../locales/${language}/${fileOf(namespace)}.json`];
  return load ? (await load()).default : {};
}

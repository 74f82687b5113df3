import type { PageTexts } from '../../locales/en-US/resources.ts';
import { loadChunk } from '../chunks/load-chunk.ts';

type Texts = object;

/** Each language except English has its own chunks: one with the texts that any page needs, and one per page. */
const COMMON = import.meta.glob<{
  readonly resources: Readonly<Record<string, Texts>>;
}>('../../locales/{es,fr}/common.ts');
const PAGES = import.meta.glob<{ readonly default: Texts }>('../../locales/{es,fr}/*.json');

export type Translated = 'es' | 'fr';

/** Texts that the server uses, too, are in the contract. */
const WITH_SERVER: {
  readonly [N in keyof PageTexts]?: Readonly<Record<Translated, () => Promise<{ readonly default: Texts }>>>;
} = {
  alerts: {
    es: () => import('@milepost/contract/texts/es/alerts.json'),
    fr: () => import('@milepost/contract/texts/fr/alerts.json'),
  },
  audit: {
    es: () => import('@milepost/contract/texts/es/audit.json'),
    fr: () => import('@milepost/contract/texts/fr/audit.json'),
  },
  commands: {
    es: () => import('@milepost/contract/texts/es/commands.json'),
    fr: () => import('@milepost/contract/texts/fr/commands.json'),
  },
  documents: {
    es: () => import('@milepost/contract/texts/es/documents.json'),
    fr: () => import('@milepost/contract/texts/fr/documents.json'),
  },
  hosRules: {
    es: () => import('@milepost/contract/texts/es/hos-rules.json'),
    fr: () => import('@milepost/contract/texts/fr/hos-rules.json'),
  },
};

export async function loadCommonTexts(language: Translated): Promise<Readonly<Record<string, Texts>>> {
  const load = COMMON[`../../locales/${language}/common.ts`];
  return load ? (await loadChunk(load)).resources : {};
}

/** File name of a namespace: `addVehicle` is in `add-vehicle.json`. */
export const fileOf = (namespace: string): string => namespace.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

export async function loadPageTexts(language: Translated, namespace: keyof PageTexts): Promise<Texts> {
  const load = WITH_SERVER[namespace]?.[language] ?? PAGES[`../../locales/${language}/${fileOf(namespace)}.json`];
  return load ? (await loadChunk(load)).default : {};
}

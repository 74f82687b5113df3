import { useTranslation } from 'react-i18next';
import type { SectionId } from '../../base/settings-sections.ts';

interface Found {
  readonly id: SectionId;
  /** The matching setting in this section; null if the section's own name matched. */
  readonly setting: string | null;
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Finds sections by their names and the names of their settings. */
export function useSectionSearch(sections: readonly SectionId[], query: string): readonly Found[] {
  const { t } = useTranslation('settings');
  const wanted = plain(query.trim());
  if (wanted === '') return sections.map(id => ({ id, setting: null }));
  return sections.flatMap((id): Found[] => {
    if (plain(t(`sections.${id}`)).includes(wanted)) return [{ id, setting: null }];
    const settings = t(`within.${id}`).split('; ');
    const setting = settings.find(name => plain(name).includes(wanted));
    return setting === undefined ? [] : [{ id, setting }];
  });
}

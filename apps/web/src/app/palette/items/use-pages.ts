import { IconUser } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useNavigation } from '../../../base/navigation.ts';
import { useSession } from '../../../base/session/session.ts';
import { mayOpen, SECTION_IDS, SECTIONS } from '../../../base/settings-sections.ts';
import { paths } from '../../../paths.ts';
import type { PaletteItem } from '../item.ts';

interface Page {
  readonly key: string;
  readonly path: string;
  readonly Icon: PaletteItem['Icon'];
  readonly title: string;
  readonly subtitle?: string;
  /** What the page contains. */
  readonly keywords?: string;
}

/** The pages that the user may open, including the sections of the settings. */
export function usePages(): readonly PaletteItem[] {
  const { t } = useTranslation(['shell', 'palette', 'settings']);
  const me = useSession(session => session.me);
  const navigate = useNavigate();
  const places = useNavigation();
  const pages: readonly Page[] = [
    ...places.map(({ key, path, Icon }) => ({ key: key as string, path, Icon, title: t(`nav.${key}`) })),
    { key: 'profile', path: paths.profile(), Icon: IconUser, title: t('account.profile') },
    ...SECTION_IDS.filter(id => me !== null && mayOpen(me, id)).map(id => ({
      key: `settings-${id}`,
      path: paths.settings(id),
      Icon: SECTIONS[id].Icon,
      title: t(`settings:sections.${id}`),
      subtitle: t('nav.settings'),
      keywords: t(`settings:within.${id}`),
    })),
  ];
  const signature = pages.map(({ title }) => title).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the pages.
  return useMemo(
    () =>
      pages.map(
        ({ key, path, Icon, title, subtitle = '', keywords = '' }): PaletteItem => ({
          id: `page:${key}`,
          group: 'pages',
          Icon,
          title,
          subtitle,
          keywords: `${path.slice(1)} ${keywords}`,
          run: () => void navigate(path),
        }),
      ),
    [signature, navigate],
  );
}

import { IconShare2, IconUser } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { mayUseShares } from '../../../sharing/may-use-shares.ts';
import { useSession } from '../../session/session.ts';
import { useNavigation } from '../../shell/navigation.ts';
import type { PaletteItem } from '../item.ts';

/** The pages that the user may open. */
export function usePages(): readonly PaletteItem[] {
  const { t } = useTranslation(['shell', 'palette']);
  const me = useSession(session => session.me);
  const navigate = useNavigate();
  const places = useNavigation();
  const pages = [
    ...places.map(({ key, path, Icon }) => ({ key: key as string, path, Icon, title: t(`nav.${key}`) })),
    ...(mayUseShares(me)
      ? [{ key: 'share-links', path: paths.shareLinks(), Icon: IconShare2, title: t('palette:shareLinks') }]
      : []),
    { key: 'profile', path: paths.profile(), Icon: IconUser, title: t('account.profile') },
  ];
  const signature = pages.map(({ title }) => title).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the pages.
  return useMemo(
    () =>
      pages.map(
        ({ key, path, Icon, title }): PaletteItem => ({
          id: `page:${key}`,
          group: 'pages',
          Icon,
          title,
          subtitle: '',
          keywords: path.slice(1),
          run: () => void navigate(path),
        }),
      ),
    [signature, navigate],
  );
}

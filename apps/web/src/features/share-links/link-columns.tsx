import type { Share } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import type { RegistryColumn } from '../../registry/columns.ts';
import { endOf, TONE_OF_STATE, useShareWords } from '../../sharing/links/share-words.ts';
import { Chip } from '../../ui/Chip.tsx';
import { rankOfState } from './link-filter.ts';
import styles from './ShareLinksPage.module.css';

/** Longer than the time between any two links. */
const FAR_MS = 1e15;

/** The columns of the share links table, in order. */
export function useLinkColumns(nowMs: number): readonly RegistryColumn<Share>[] {
  const { t, i18n } = useTranslation(['shareLinks', 'sharing']);
  const { titleOf, vehiclesOf } = useShareWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change only with the language.
  return useMemo(() => {
    const moment = (ms: number) => <span className={styles.moment}>{formatMoment(ms, nowMs)}</span>;
    return [
      {
        id: 'link',
        header: t('columns.link'),
        sortBy: titleOf,
        cell: share => (
          <span className={styles.link}>
            <b>{titleOf(share)}</b>
            {share.name !== null && <span>{vehiclesOf(share)}</span>}
          </span>
        ),
      },
      {
        id: 'state',
        header: t('columns.state'),
        // Within the same state, the link that ends next comes first; among ended links, the one that ended last.
        sortBy: share => {
          const rank = rankOfState(share.state);
          return rank * FAR_MS + (rank < rankOfState('ended') ? 1 : -1) * endOf(share);
        },
        cell: ({ state }) => <Chip tone={TONE_OF_STATE[state]}>{t(`sharing:state.${state}`)}</Chip>,
      },
      {
        id: 'by',
        header: t('columns.by'),
        sortBy: ({ createdBy }) => createdBy.name,
        cell: ({ createdBy }) => createdBy.name,
      },
      {
        id: 'starts',
        header: t('columns.starts'),
        from: 1024,
        sortBy: ({ startsAt }) => Date.parse(startsAt),
        cell: ({ startsAt }) => moment(Date.parse(startsAt)),
      },
      { id: 'ends', header: t('columns.ends'), sortBy: endOf, cell: share => moment(endOf(share)) },
      {
        id: 'views',
        header: t('columns.views'),
        align: 'end',
        sortBy: ({ views }) => views,
        cell: ({ views }) => formatCount(views),
      },
      {
        id: 'viewed',
        header: t('columns.viewed'),
        from: 1024,
        sortBy: ({ lastViewedAt }) => (lastViewedAt === null ? null : Date.parse(lastViewedAt)),
        cell: ({ lastViewedAt }) => (lastViewedAt === null ? t('never') : moment(Date.parse(lastViewedAt))),
      },
    ];
  }, [t, i18n.language, nowMs]);
}

import type { Share } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { Chip } from '../../ui/Chip.tsx';
import { LinkActions } from './LinkActions.tsx';
import styles from './ShareLinks.module.css';
import { isOver, TONE_OF_STATE, useShareWords } from './share-words.ts';

/** One link with its content, its creator, the number of visits and its actions. */
export function LinkItem({ share }: { readonly share: Share }) {
  const { t } = useTranslation('sharing');
  const { titleOf, vehiclesOf, windowOf } = useShareWords();
  const { createdBy, lastViewedAt, name, state, views } = share;
  const nowMs = Date.now();
  return (
    <li className={styles.link} data-over={isOver(share) || undefined}>
      <div className={styles.head}>
        <b>{titleOf(share)}</b>
        <Chip tone={TONE_OF_STATE[state]}>{t(`state.${state}`)}</Chip>
      </div>
      {name !== null && <p>{vehiclesOf(share)}</p>}
      <p>
        {windowOf(share, nowMs)}
        {' · '}
        {t('by', { name: createdBy.name })}
      </p>
      <p>
        {lastViewedAt === null
          ? t('neverViewed')
          : t('viewed', {
              count: views,
              views: formatCount(views),
              last: formatMoment(Date.parse(lastViewedAt), nowMs),
            })}
      </p>
      <LinkActions share={share} />
    </li>
  );
}

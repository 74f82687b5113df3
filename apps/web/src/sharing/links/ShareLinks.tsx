import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { Skeleton } from '../../base/Skeleton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { SharesQuery } from '../use-shares.ts';
import { LinkItem } from './LinkItem.tsx';
import styles from './ShareLinks.module.css';
import { isOver } from './share-words.ts';

/** The existing links. Ended ones come last. */
export function ShareLinks({ query: { data, error } }: { readonly query: SharesQuery }) {
  const { t } = useTranslation('sharing');
  if (error) {
    return (
      <Notice tone="critical" role="alert">
        {describeError(error).message}
      </Notice>
    );
  }
  if (!data) return <Skeleton bones={4} />;
  if (data.length === 0) return <p className={styles.none}>{t('none')}</p>;
  return (
    <ul className={styles.links}>
      {[...data.filter(share => !isOver(share)), ...data.filter(isOver)].map(share => (
        <LinkItem key={share.id} share={share} />
      ))}
    </ul>
  );
}

import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/locale.ts';
import styles from './Counting.module.css';

/** How far the server is with visits of the past, until it has counted all of them. */
export function Counting({ counting, vehicles }: { readonly counting: number; readonly vehicles: number }) {
  const { t } = useTranslation('visits');
  if (counting === 0) return null;
  return (
    <p className={styles.counting} role="status">
      {t('counting', { done: formatCount(vehicles - counting), count: vehicles })}
    </p>
  );
}

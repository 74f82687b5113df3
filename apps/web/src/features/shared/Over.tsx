import { useTranslation } from 'react-i18next';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import styles from './SharedPage.module.css';

/** The same for a link that has ended, one that was revoked, and one that never was. */
export function Over() {
  const { t } = useTranslation('shared');
  return (
    <main className={styles.message}>
      <EmptyRoad />
      <h1>{t('overTitle')}</h1>
      <p>{t('over')}</p>
    </main>
  );
}

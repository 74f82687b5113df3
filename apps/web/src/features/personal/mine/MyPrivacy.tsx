import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../../../base/account-settings.ts';
import styles from './MinePage.module.css';

/** What is stored about drivers, for how long, and who sees it, with the current settings. */
export function MyPrivacy({ hasCard }: { readonly hasCard: boolean }) {
  const { t } = useTranslation('personal');
  const { keepPositionsDays } = useAccountSettings();
  return (
    <ul className={styles.list}>
      <li>{t('privacy.stored')}</li>
      <li>{keepPositionsDays === null ? t('privacy.keptForEver') : t('privacy.kept', { count: keepPositionsDays })}</li>
      <li>{t(hasCard ? 'privacy.card' : 'privacy.noCard')}</li>
      <li>{t('privacy.seen')}</li>
    </ul>
  );
}

import { IconEyeCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountSettings } from '../../../base/account-settings.ts';
import { paths } from '../../../paths.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import styles from './MinePage.module.css';

/** What is stored about drivers, for how long, and who sees it, with the current settings. */
export function MyPrivacy({ hasCard }: { readonly hasCard: boolean }) {
  const { t } = useTranslation('personal');
  const { keepPositionsDays } = useAccountSettings();
  return (
    <>
      <ul className={styles.list}>
        <li>{t('privacy.stored')}</li>
        <li>
          {keepPositionsDays === null ? t('privacy.keptForEver') : t('privacy.kept', { count: keepPositionsDays })}
        </li>
        <li>{t(hasCard ? 'privacy.card' : 'privacy.noCard')}</li>
        <li>{t('privacy.seen')}</li>
      </ul>
      <Link to={paths.myPrivacy()} className={buttonLook()}>
        <IconEyeCheck size={18} stroke={1.75} aria-hidden />
        {t('privacy.open')}
      </Link>
    </>
  );
}

import { IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import styles from './DemoBanner.module.css';

/** Tells demo visitors on every page that this is a demo. */
export function DemoBanner() {
  const { t } = useTranslation('shell');
  return (
    <aside className={styles.banner} aria-label={t('demo.label')}>
      <IconEye size={18} stroke={1.75} aria-hidden />
      <p>
        <b>{t('demo.where')}</b> <span>{t('demo.only')}</span>
      </p>
      <Link to={paths.demo()}>{t('demo.hints')}</Link>
    </aside>
  );
}

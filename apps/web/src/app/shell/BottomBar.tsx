import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import styles from './BottomBar.module.css';
import { NAVIGATION } from './navigation.ts';

/** The phone's navigation, below 600 px. */
export function BottomBar({ onMore }: { readonly onMore: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <nav className={styles.bar} aria-label={t('mainNavigation')}>
      {NAVIGATION.map(({ key, path, Icon }) => (
        <NavLink key={key} to={path} end className={styles.item}>
          <Icon size={22} stroke={1.75} aria-hidden />
          <span>{t(`nav.${key}`)}</span>
        </NavLink>
      ))}
      <button type="button" className={styles.item} aria-haspopup="dialog" onClick={onMore}>
        <IconDots size={22} stroke={1.75} aria-hidden />
        <span>{t('nav.more')}</span>
      </button>
    </nav>
  );
}

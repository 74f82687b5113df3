import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { AlertCount } from '../../alerts/AlertBell.tsx';
import { useNavigation } from '../../base/navigation.ts';
import { paths } from '../../paths.ts';
import styles from './BottomBar.module.css';

/** The navigation on phones, below 600 px. */
export function BottomBar({ onMore }: { readonly onMore: () => void }) {
  const { t } = useTranslation('shell');
  const places = useNavigation();
  return (
    <nav className={styles.bar} aria-label={t('mainNavigation')}>
      {places
        .filter(({ phone }) => phone)
        .map(({ key, path, Icon }) => (
          <NavLink key={key} to={path} end={path === paths.dashboard()} className={styles.item}>
            <Icon size={22} stroke={1.75} aria-hidden />
            <span>{t(`nav.${key}`)}</span>
            {key === 'alerts' && <AlertCount />}
          </NavLink>
        ))}
      <button type="button" className={styles.item} aria-haspopup="dialog" onClick={onMore}>
        <IconDots size={22} stroke={1.75} aria-hidden />
        <span>{t('nav.more')}</span>
      </button>
    </nav>
  );
}

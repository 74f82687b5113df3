import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { paths } from '../../paths.ts';
import { Mark } from '../../ui/Mark.tsx';
import { useAppName } from '../client-settings.ts';
import { NAVIGATION } from './navigation.ts';
import styles from './Rail.module.css';

/** The left rail from 600 px: icons with tooltips, from 1024 with labels below, from 1920 with labels beside. */
export function Rail() {
  const { t } = useTranslation('shell');
  const app = useAppName();
  return (
    <nav className={styles.rail} aria-label={t('mainNavigation')}>
      <NavLink to={paths.dashboard()} className={styles.logo} aria-label={t('home', { app })}>
        <Mark />
        <span className={styles.word}>{app}</span>
      </NavLink>
      {NAVIGATION.map(({ key, path, Icon }) => (
        <NavLink
          key={key}
          to={path}
          end
          className={styles.item}
          data-tooltip={t(`nav.${key}`)}
          data-tooltip-side="right"
        >
          <Icon size={20} stroke={1.75} aria-hidden />
          <span className={styles.label}>{t(`nav.${key}`)}</span>
        </NavLink>
      ))}
    </nav>
  );
}

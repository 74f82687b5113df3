import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useAppName } from '../../base/client-settings.ts';
import { useNavigation } from '../../base/navigation.ts';
import { paths } from '../../paths.ts';
import { Mark } from '../../ui/Mark.tsx';
import styles from './Rail.module.css';

/**
 * The navigation at the left, from 600 px: icons with tooltips; from 1024 px with labels below; from 1920 px with
 * labels beside them.
 */
export function Rail() {
  const { t } = useTranslation('shell');
  const app = useAppName();
  const places = useNavigation().filter(({ inHeader }) => !inHeader);
  return (
    <nav className={styles.rail} aria-label={t('mainNavigation')}>
      <NavLink to={paths.dashboard()} className={styles.logo} aria-label={t('home', { app })}>
        <Mark />
        <span className={styles.word}>{app}</span>
      </NavLink>
      {places.map(({ key, path, Icon, foot }, at) => (
        <NavLink
          key={key}
          to={path}
          end={path === paths.dashboard()}
          data-foot={(foot && !places[at - 1]?.foot) || undefined}
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

import { may } from '@milepost/contract';
import { IconChartDots, IconId, IconLayoutDashboard, IconSteeringWheel } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { paths } from '../../paths.ts';
import styles from './EldFrame.module.css';

interface Props {
  /** Name of the page, for the window's title. */
  readonly title: string;
  /** At the end of the tabs: rule set and time zone. */
  readonly note?: ReactNode;
  /** The content has its own margins and scrolls on its own. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

const PAGES = [
  { key: 'desk', path: paths.eld(), Icon: IconLayoutDashboard },
  { key: 'drivers', path: paths.eldDrivers(), Icon: IconId },
  { key: 'performance', path: paths.eldPerformance(), Icon: IconChartDots },
] as const;
/** For those who drive as well. */
const OWN = { key: 'own', path: paths.eldOwn(), Icon: IconSteeringWheel } as const;

/** Shared by the logbook's pages: the bar with Desk, Drivers and Performance. */
export function EldFrame({ title, note, flush = false, children }: Props) {
  const { t } = useTranslation(['eld', 'shell']);
  const drives = useSession(({ me }) => me !== null && may(me, 'logbook.own'));
  return (
    <div className={styles.page} data-page="flow">
      <title>{t('shell:appTitle', { page: title })}</title>
      <nav className={styles.bar} aria-label={t('pages.label')}>
        {[...PAGES, ...(drives ? [OWN] : [])].map(({ key, path, Icon }) => (
          <NavLink key={key} to={path} end={key === 'desk'} className={styles.link}>
            <Icon size={16} stroke={1.75} aria-hidden />
            {t(`pages.${key}`)}
          </NavLink>
        ))}
        {note && <span className={styles.note}>{note}</span>}
      </nav>
      <div className={flush ? styles.flush : styles.content}>{children}</div>
    </div>
  );
}

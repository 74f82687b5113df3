import { agedBy } from '@milepost/geo';
import { IconBell, IconChevronRight, IconMoon, IconPlayerPause, IconRoute, IconWifiOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { byUrgency } from '../../alerts/alert-lists.ts';
import { openAlertsQuery } from '../../alerts/open-alerts.ts';
import { useAccountSettings } from '../../base/account-settings.ts';
import { formatDuration } from '../../format/duration.ts';
import { CopyLine } from '../../forms/CopyLine.tsx';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useNow } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import styles from './DemoPage.module.css';
import { type HintKind, hintsOf } from './hints.ts';

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;
const ICONS: Readonly<Record<HintKind, ReactNode>> = {
  moving: <IconRoute {...ICON} />,
  idling: <IconPlayerPause {...ICON} />,
  silent: <IconWifiOff {...ICON} />,
  asleep: <IconMoon {...ICON} />,
};

/** The README's command that starts a fleet without demo data. */
const START = "DEMO=off OWNER_NAME=ann OWNER_PASSWORD='a long pass phrase' DATA_DIR=./fleet npm start";

/** What is worth looking at right now, each with a link; what the demo makes up; and how to start a real fleet. */
export function Hints() {
  const { t } = useTranslation('demo');
  const nowMs = useNow();
  const thresholds = agedBy(useAccountSettings());
  const vehicles = useQuery(vehicleListQuery).data ?? [];
  const [alert] = useQuery(openAlertsQuery).data?.alerts.toSorted(byUrgency) ?? [];
  return (
    <div className={styles.hints} data-page="flow">
      <h1>{t('hints.title')}</h1>
      <p className={styles.lead}>{t('hints.lead')}</p>
      <ul className={styles.list}>
        {hintsOf(vehicles, nowMs, thresholds).map(({ kind, imei, name, sinceMs }) => (
          <Item key={kind} to={paths.vehicleOnMap(imei)} icon={ICONS[kind]} text={t(`hints.text.${kind}`)}>
            {t(`hints.${kind}`, { name, time: formatDuration(nowMs - (sinceMs ?? nowMs)) })}
          </Item>
        ))}
        {alert && (
          <Item to={paths.alerts()} icon={<IconBell {...ICON} />} text={t('hints.text.alert')}>
            {t('hints.alert', { name: alert.deviceName })}
          </Item>
        )}
      </ul>
      <h2>{t('simulated.title')}</h2>
      <p>{t('simulated.text')}</p>
      <h2>{t('own.title')}</h2>
      <p>{t('own.text')}</p>
      <CopyLine text={START} label={t('own.copy')} copied={t('own.copied')} />
    </div>
  );
}

interface ItemProps {
  readonly to: string;
  readonly icon: ReactNode;
  readonly text: string;
  readonly children: string;
}

const Item = ({ to, icon, text, children }: ItemProps) => (
  <li>
    <Link to={to}>
      {icon}
      <span>
        <b>{children}</b>
        <span>{text}</span>
      </span>
      <IconChevronRight size={18} stroke={1.75} aria-hidden />
    </Link>
  </li>
);

import { useTranslation } from 'react-i18next';
import { useConnectivity } from '../../../app/connectivity/connectivity.ts';
import { formatClock } from '../../../format/clock.ts';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import { useConnection } from '../../../live/connection.ts';
import { positions } from '../../../live/live.ts';
import { useNow } from '../../../live/use-now.ts';
import styles from './Connections.module.css';

type Tone = 'ok' | 'warning' | 'critical';

/** Each connection by name, how it stands, and what to do. */
export function Connections() {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <h3>{t('freshness.title')}</h3>
      <dl className={styles.list}>
        <Server />
        <Messaging />
      </dl>
    </>
  );
}

function Server() {
  const { t } = useTranslation('dashboard');
  const connectivity = useConnectivity();
  const { lastOkAt } = connectivity;
  if (connectivity.status === 'offline') {
    return (
      <Line
        tone="critical"
        name={t('freshness.server')}
        state={t('freshness.serverFailed', { time: formatClock(connectivity.since) })}
        remedy={t('freshness.serverRemedy')}
      />
    );
  }
  const state =
    lastOkAt === null ? t('freshness.serverChecking') : t('freshness.serverOk', { time: formatClock(lastOkAt) });
  return <Line tone="ok" name={t('freshness.server')} state={state} />;
}

function Messaging() {
  const { t } = useTranslation('dashboard');
  const { phase, sinceMs } = useConnection();
  const nowMs = useNow();
  const name = t('freshness.messaging');
  const duration = formatDuration(nowMs - sinceMs);
  switch (phase) {
    case 'connected': {
      const reportMs = positions.lastReportMs;
      const state =
        reportMs === null
          ? t('freshness.connected', { duration })
          : t('freshness.connectedReport', { duration, age: formatAge(nowMs - reportMs) });
      return <Line tone="ok" name={name} state={state} />;
    }
    case 'connecting':
      return (
        <Line
          tone="warning"
          name={name}
          state={t('freshness.connecting', { duration })}
          remedy={t('freshness.connectingRemedy')}
        />
      );
    default:
      return <Line tone="critical" name={name} state={t('freshness.idle')} remedy={t('freshness.idleRemedy')} />;
  }
}

interface LineProps {
  readonly tone: Tone;
  readonly name: string;
  readonly state: string;
  readonly remedy?: string;
}

const Line = ({ tone, name, state, remedy }: LineProps) => (
  <div>
    <dt data-tone={tone}>{name}</dt>
    <dd>
      {state}
      {remedy && <span>{remedy}</span>}
    </dd>
  </div>
);

import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useConnectivity } from '../../base/connectivity.ts';
import { useSession } from '../../base/session/session.ts';
import { formatAge, formatDuration } from '../../format/duration.ts';
import { formatClock } from '../../format/time.ts';
import { useMinutesBehind } from '../../rules/rules-behind.ts';
import { useConnection } from '../connection.ts';
import { positions } from '../live.ts';
import { useGeofenceWatch, useSockets } from '../sockets/socket-store.ts';
import { useNow } from '../view.ts';
import styles from './Connections.module.css';

type Tone = 'ok' | 'warning' | 'critical';

/** A list of the connections, each with its name, its state and what the user can do. */
export function Connections() {
  const { t } = useTranslation('freshness');
  return (
    <>
      <h3>{t('title')}</h3>
      <dl className={styles.list}>
        <Server />
        <Messaging />
        <Events />
        <Geofences />
        <Rules />
      </dl>
    </>
  );
}

function Server() {
  const { t } = useTranslation('freshness');
  const connectivity = useConnectivity();
  const { lastOkAt } = connectivity;
  if (connectivity.status === 'offline') {
    return (
      <Line
        tone="critical"
        name={t('server')}
        state={t('serverFailed', { time: formatClock(connectivity.since) })}
        remedy={t('serverRemedy')}
      />
    );
  }
  const state = lastOkAt === null ? t('serverChecking') : t('serverOk', { time: formatClock(lastOkAt) });
  return <Line tone="ok" name={t('server')} state={state} />;
}

function Messaging() {
  const { t } = useTranslation('freshness');
  const { phase, sinceMs } = useConnection();
  const nowMs = useNow();
  const name = t('messaging');
  const duration = formatDuration(nowMs - sinceMs);
  switch (phase) {
    case 'connected': {
      const reportMs = positions.lastReportMs;
      const state =
        reportMs === null
          ? t('connected', { duration })
          : t('connectedReport', { duration, age: formatAge(nowMs - reportMs) });
      return <Line tone="ok" name={name} state={state} />;
    }
    case 'connecting':
      return <Line tone="warning" name={name} state={t('connecting', { duration })} remedy={t('connectingRemedy')} />;
    default:
      return <Line tone="critical" name={name} state={t('idle')} remedy={t('idleRemedy')} />;
  }
}

/** The socket that brings alerts and commands. */
function Events() {
  const { t } = useTranslation('freshness');
  const { state, sinceMs } = useSockets(all => all['/eld']);
  const duration = formatDuration(useNow() - sinceMs);
  const name = t('sockets');
  if (state === 'connected') return <Line tone="ok" name={name} state={t('socketConnected', { duration })} />;
  if (state === 'connecting') {
    return <Line tone="warning" name={name} state={t('socketConnecting', { duration })} remedy={t('socketRemedy')} />;
  }
  return <Line tone="critical" name={name} state={t('idle')} remedy={t('idleRemedy')} />;
}

/** The geofence watcher, which has no page of its own [R2.24]. */
function Geofences() {
  const { t } = useTranslation('freshness');
  const { state, sinceMs } = useSockets(all => all['/geofence']);
  const count = useGeofenceWatch(watch => watch.registered);
  const duration = formatDuration(useNow() - sinceMs);
  const name = t('geofences');
  if (state === 'connected') {
    const words = count === null ? t('socketConnected', { duration }) : t('socketWatches', { duration, count });
    return <Line tone="ok" name={name} state={words} />;
  }
  if (state === 'connecting') {
    return <Line tone="warning" name={name} state={t('socketConnecting', { duration })} remedy={t('geofenceRemedy')} />;
  }
  return <Line tone="critical" name={name} state={t('idle')} remedy={t('idleRemedy')} />;
}

/** How far what follows from positions has come: visits and the alerts of rules. */
function Rules() {
  const { t } = useTranslation('freshness');
  const mayRead = useSession(({ me }) => me !== null && may(me, 'rules.read'));
  const count = useMinutesBehind();
  if (!mayRead) return null;
  const name = t('rules');
  if (count === 0) return <Line tone="ok" name={name} state={t('rulesUpToDate')} />;
  return <Line tone="warning" name={name} state={t('minutesBehind', { count })} remedy={t('rulesRemedy')} />;
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

import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { useConnectivity } from '../../base/connectivity.ts';
import { formatAge } from '../../format/duration.ts';
import { formatClock } from '../../format/time.ts';
import { useMinutesBehind } from '../../rules/rules-behind.ts';
import { FreshnessPill } from '../../ui/FreshnessPill.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { useConnection } from '../connection.ts';
import { positions } from '../live.ts';
import { useFromNow } from '../view.ts';
import { Connections } from './Connections.tsx';
import styles from './FreshnessStatus.module.css';
import { useFreshness, usePositionsFreshness, useSocketsUp } from './use-freshness.ts';

/** The pill that says how up to date the screen is. Pressing it shows why. */
export function Component() {
  const { t } = useTranslation('freshness');
  const freshness = useFreshness();
  const isPast = useConnection(state => state.pastMs !== null);
  const detail = useDetail(freshness === 'live');
  const connected = usePositionsFreshness();
  useAnnouncements(connected);
  const up = useSocketsUp();
  const behind = useMinutesBehind();
  useAnnouncedDelay(behind);
  // A connection that is lost comes first: then nobody knows how far rules are.
  const isBehind = behind > 0 && up && connected === 'live' && !isPast;
  return (
    <Popover
      label={t('title')}
      trigger={props => (
        <FreshnessPill
          {...props}
          freshness={isPast ? 'past' : freshness}
          word={t(isPast ? 'past' : freshness)}
          detail={isPast ? null : isBehind ? t('rulesBehind', { count: behind }) : detail || null}
        >
          <i
            className={styles.sockets}
            data-up={up || undefined}
            role="img"
            aria-label={t(up ? 'eventsUp' : 'eventsDown')}
          />
        </FreshnessPill>
      )}
    >
      <Connections />
    </Popover>
  );
}

/** The age of the data. Empty while everything is live and the page shows no positions. */
function useDetail(live: boolean): string {
  const { t } = useTranslation('freshness');
  const updatedMs = useConnection(state => state.updatedMs);
  const lastOkAt = useConnectivity(state => state.lastOkAt);
  const shown = useConnection(state => state.shown);
  return useFromNow(nowMs => {
    const reportMs = positions.lastReportMs;
    if (live && !shown) return '';
    if (live) {
      return reportMs === null ? t('noReport') : t('lastReport', { age: formatAge(nowMs - reportMs) });
    }
    const lastMs = Math.max(updatedMs ?? 0, reportMs ?? 0) || lastOkAt;
    return lastMs === null ? '' : t('lastUpdate', { time: formatClock(lastMs) });
  });
}

/**
 * Announces changes to users who can't see the pill. The connection overlay announces a complete loss of connection.
 */
function useAnnouncements(freshness: 'live' | 'slow' | 'offline'): void {
  const { t } = useTranslation('freshness');
  const before = useRef<typeof freshness | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = freshness;
    if (was === 'live' && freshness === 'slow') announce(t('lost'));
    if (was === 'slow' && freshness === 'live') announce(t('back'));
  }, [freshness, t]);
}

/** Tells users who can't see the pill that alerts will be late, and that they no longer are. */
function useAnnouncedDelay(minutes: number): void {
  const { t } = useTranslation('freshness');
  const was = useRef(false);
  useEffect(() => {
    const is = minutes > 0;
    if (is !== was.current) announce(t(is ? 'rulesLate' : 'rulesInTime'));
    was.current = is;
  }, [minutes, t]);
}

import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../app/announce.ts';
import { useConnectivity } from '../../../app/connectivity/connectivity.ts';
import { formatClock } from '../../../format/clock.ts';
import { formatAge } from '../../../format/duration.ts';
import { useConnection } from '../../../live/connection.ts';
import { positions } from '../../../live/live.ts';
import { useFromNow } from '../../../live/use-now.ts';
import { FreshnessPill } from '../../../ui/FreshnessPill.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Connections } from './Connections.tsx';
import { useFreshness } from './use-freshness.ts';

/** How far the screen can be trusted at this moment, and on a press why. */
export function FreshnessStatus() {
  const { t } = useTranslation('dashboard');
  const freshness = useFreshness();
  const detail = useDetail(freshness === 'live');
  useAnnouncements(freshness);
  return (
    <Popover
      label={t('freshness.title')}
      trigger={props => (
        <FreshnessPill {...props} freshness={freshness} word={t(`freshness.${freshness}`)} detail={detail} />
      )}
    >
      <Connections />
    </Popover>
  );
}

function useDetail(live: boolean): string | null {
  const { t } = useTranslation('dashboard');
  const updatedMs = useConnection(state => state.updatedMs);
  const lastOkAt = useConnectivity(state => state.lastOkAt);
  return useFromNow(nowMs => {
    const reportMs = positions.lastReportMs;
    if (live) {
      return reportMs === null
        ? t('freshness.noReport')
        : t('freshness.lastReport', { age: formatAge(nowMs - reportMs) });
    }
    const lastMs = Math.max(updatedMs ?? 0, reportMs ?? 0) || lastOkAt;
    return lastMs === null ? '' : t('freshness.lastUpdate', { time: formatClock(lastMs) });
  });
}

/** Only what someone who cannot see the pill has to know; the loss of all connection is told by the overlay. */
function useAnnouncements(freshness: 'live' | 'slow' | 'offline'): void {
  const { t } = useTranslation('dashboard');
  const before = useRef<typeof freshness | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = freshness;
    if (was === 'live' && freshness === 'slow') announce(t('freshness.lost'));
    if (was === 'slow' && freshness === 'live') announce(t('freshness.back'));
  }, [freshness, t]);
}

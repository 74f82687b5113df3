import { type Alert, listAlerts } from '@milepost/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { acknowledge } from '../../../alerts/acknowledge.ts';
import { ICON_OF_KIND } from '../../../alerts/alert-icons.ts';
import { alertWords } from '../../../alerts/alert-words.ts';
import { DecideLink, isRequest } from '../../../alerts/DecideLink.tsx';
import { useAlerts, useMayAcknowledge } from '../../../alerts/use-alerts.ts';
import { call } from '../../../base/api.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { NotLoaded } from '../../../base/NotLoaded.tsx';
import { formatMoment } from '../../../format/time.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useNow } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { VehicleMutes } from '../../../rules/vehicle-mutes/lazy.ts';
import { Button } from '../../../ui/Button.tsx';
import { replayAt } from '../../../vehicles/day/replay-at.ts';
import styles from './AlertsTab.module.css';

const SHOWN = 30;

/** Alerts of this vehicle, newest first. */
export function Component({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('alerts');
  const { id } = entry.vehicle;
  // Reload whenever the open alerts were reloaded: this vehicle's may have changed.
  const { updatedMs } = useAlerts();
  const past = usePast();
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts-of', id, updatedMs, past?.atMs],
    queryFn: () =>
      call(listAlerts, {
        query: { deviceId: id, limit: SHOWN, ...(past && { to: new Date(past.atMs).toISOString() }) },
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (!data) return <NotLoaded className={styles.tab} error={error} onRetry={() => void refetch()} />;
  const muted = past === undefined && (
    <Part>
      <VehicleMutes of={({ deviceId }) => deviceId === id} />
    </Part>
  );
  if (data.alerts.length === 0) {
    return (
      <div className={styles.tab}>
        {muted}
        <p>{t('none')}</p>
      </div>
    );
  }
  return (
    <div className={styles.tab}>
      {muted}
      <ul className={styles.list}>
        {data.alerts.map(alert => (
          <Row key={alert.id} alert={alert} />
        ))}
      </ul>
      <Link to={paths.alerts()}>{t('title')}</Link>
    </div>
  );
}

function Row({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation('alerts');
  const nowMs = useNow();
  const mayAcknowledge = useMayAcknowledge();
  const { id, kind, severity, count, deviceId, deviceName, openedAt, closedAt, acknowledgedAt, acknowledgedBy, note } =
    alert;
  const waits = isRequest(alert) && acknowledgedAt === null;
  const Icon = ICON_OF_KIND[kind];
  const words = alertWords(alert);
  const moment = (iso: string): string => formatMoment(Date.parse(iso), nowMs);
  return (
    <li className={styles.row} data-severity={severity} data-open={acknowledgedAt === null || undefined}>
      <Icon size={18} stroke={1.75} role="img" aria-label={t(`severity.${severity}`)} />
      <div>
        <b>{words}</b>
        <span>
          {deviceId !== null && (
            <Link to={replayAt(deviceId, Date.parse(openedAt))} title={t('replay')}>
              {moment(openedAt)}
            </Link>
          )}
          {[
            '',
            count > 1 ? t('times', { count }) : null,
            closedAt && t(waits ? 'page.until' : 'page.ended', { time: moment(closedAt) }),
            acknowledgedBy && acknowledgedAt
              ? t('page.by', { name: acknowledgedBy.name, time: moment(acknowledgedAt) })
              : null,
            note && t('page.note', { note }),
          ]
            .filter((part, nth) => nth === 0 || Boolean(part))
            .join(' · ')}
        </span>
      </div>
      {waits && <DecideLink alert={alert} />}
      {acknowledgedAt === null && mayAcknowledge && !waits && (
        <Button
          aria-label={t('acknowledgeOf', { what: words, vehicle: deviceName })}
          onClick={({ currentTarget: button }) => {
            const panel = button.closest<HTMLElement>('[role="tabpanel"]');
            // The button disappears and would take the focus with it.
            void acknowledge([id]).then(done => {
              if (done && [button, document.body].includes(document.activeElement as HTMLElement)) panel?.focus();
            });
          }}
        >
          {t('acknowledge')}
        </Button>
      )}
    </li>
  );
}

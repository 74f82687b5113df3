import { type Alert, alertSubject, SEVERITIES } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ICON_OF_KIND } from '../../alerts/alert-icons.ts';
import { alertConflict, alertFigures, alertGeofence, alertTask, alertWords } from '../../alerts/alert-words.ts';
import { isRequest } from '../../alerts/DecideLink.tsx';
import { listOf } from '../../format/locale.ts';
import { placeWords } from '../../format/place.ts';
import { formatMoment } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import type { RegistryColumn } from '../../registry/columns.ts';
import { Plate } from '../../ui/Plate.tsx';
import { replayAt } from '../../vehicles/day/replay-at.ts';
import styles from './AlertsPage.module.css';

/** Longer than the time between any two alerts. */
const FAR_MS = 1e15;

/** The columns of the alert list, in order. */
export function useAlertColumns(nowMs: number, isOpen: boolean): readonly RegistryColumn<Alert>[] {
  const { t } = useTranslation('alerts');
  const system = useMeasureSystem();
  return useMemo(() => {
    const moment = (iso: string): string => formatMoment(Date.parse(iso), nowMs);
    const state = (alert: Alert): string => {
      const { closedAt, acknowledgedAt, acknowledgedBy } = alert;
      if (isOpen) {
        if (closedAt === null) return t('page.lasts');
        // A request's end is known in advance. Every other alert with an end is over, even within the current minute.
        return t(isRequest(alert) && Date.parse(closedAt) > nowMs ? 'page.until' : 'page.ended', {
          time: moment(closedAt),
        });
      }
      if (acknowledgedBy === null || acknowledgedAt === null)
        return t(isRequest(alert) ? 'page.undecided' : 'page.byNobody');
      return t('page.by', { name: acknowledgedBy.name, time: moment(acknowledgedAt) });
    };
    return [
      {
        id: 'what',
        header: t('page.what'),
        // Within the same severity, newest first.
        sortBy: ({ severity, openedAt }) => SEVERITIES.indexOf(severity) * FAR_MS - Date.parse(openedAt),
        cell: alert => {
          const Icon = ICON_OF_KIND[alert.kind];
          const figures = alertFigures(alert, system) || alertConflict(alert, system);
          const geofence = alertGeofence(alert) || alertTask(alert, Date.parse(alert.updatedAt));
          return (
            <span className={styles.what} data-severity={alert.severity}>
              <Icon size={20} stroke={1.75} role="img" aria-label={t(`severity.${alert.severity}`)} />
              <span>
                <b>{alertWords(alert)}</b>
                {figures && <span>{figures}</span>}
                {geofence && <span>{geofence}</span>}
                {alert.rule?.action && <span>{alert.rule.action}</span>}
                {alert.note && <span>{t('page.note', { note: alert.note })}</span>}
                {alert.escalation && (
                  <span>
                    {t('escalated', { names: listOf(alert.escalation.to), time: moment(alert.escalation.at) })}
                  </span>
                )}
                {alert.muted && <span>{t('page.muted')}</span>}
                {alert.late && <span>{t('late')}</span>}
                {alert.kind === 'secondPerson' && alert.askedBy && (
                  <span>{t('asks', { name: alert.askedBy.name })}</span>
                )}
              </span>
            </span>
          );
        },
      },
      {
        id: 'vehicle',
        header: t('page.vehicle'),
        sortBy: alertSubject,
        cell: alert => <Plate>{alertSubject(alert)}</Plate>,
      },
      {
        id: 'driver',
        header: t('page.driver'),
        from: 1024,
        sortBy: ({ driver }) => driver?.name ?? null,
        cell: ({ driver }) => driver?.name ?? '',
      },
      {
        id: 'where',
        header: t('page.where'),
        from: 1024,
        sortBy: ({ address, near }) => near?.town ?? address,
        cell: alert => <span className={styles.where}>{placeWords(alert, system) || t('page.noPlace')}</span>,
      },
      {
        id: 'since',
        header: t('page.since'),
        sortBy: ({ openedAt }) => Date.parse(openedAt),
        cell: ({ deviceId, openedAt }) =>
          deviceId === null ? (
            moment(openedAt)
          ) : (
            <Link to={replayAt(deviceId, Date.parse(openedAt))} title={t('replay')}>
              {moment(openedAt)}
            </Link>
          ),
      },
      {
        id: 'times',
        header: t('page.times'),
        align: 'end',
        from: 1440,
        sortBy: ({ count }) => count,
        cell: ({ count }) => count,
      },
      { id: 'state', header: t(isOpen ? 'page.state' : 'page.byWhom'), cell: state },
    ];
  }, [t, nowMs, isOpen, system]);
}

import { type Alert, alertSubject } from '@milepost/contract';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatAge } from '../format/duration.ts';
import { placeWords } from '../format/place.ts';
import { formatMoment } from '../format/time.ts';
import { useMeasureSystem } from '../format/use-measure-system.ts';
import { usePast } from '../live/past.ts';
import { useFromNow } from '../live/view.ts';
import { Button } from '../ui/Button.tsx';
import { Plate } from '../ui/Plate.tsx';
import styles from './AlertRow.module.css';
import { ICON_OF_KIND } from './alert-icons.ts';
import { alertConflict, alertFigures, alertGeofence, alertTask, alertWords, taskOf } from './alert-words.ts';
import { DecideLink, isRequest } from './DecideLink.tsx';
import { useMayAcknowledge } from './use-alerts.ts';

interface Props {
  readonly alert: Alert;
  readonly onVehicle: (imei: string) => void;
  readonly onAcknowledge: (id: string) => void;
}

/** One alert in the rail; `a` acknowledges it while it has the focus. */
export function AlertRow({ alert, onVehicle, onAcknowledge }: Props) {
  const { t } = useTranslation('alerts');
  const system = useMeasureSystem();
  const navigate = useNavigate();
  const { askedBy, count, driver, id, imei, kind, severity } = alert;
  const subject = alertSubject(alert);
  const asks = isRequest(alert);
  const mayAcknowledge = useMayAcknowledge() && !asks;
  const past = usePast();
  const age = useFromNow(nowMs =>
    past ? formatMoment(Date.parse(alert.openedAt), nowMs) : formatAge(nowMs - Date.parse(alert.openedAt)),
  );
  const Icon = ICON_OF_KIND[kind];
  const words = alertWords(alert);
  const onKeyDown = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): void => {
    if (key === 'a' && !altKey && !ctrlKey && !metaKey && mayAcknowledge) onAcknowledge(id);
  };
  return (
    <li className={styles.row} data-severity={severity} onKeyDown={onKeyDown}>
      <Icon className={styles.icon} size={20} stroke={1.75} role="img" aria-label={t(`severity.${severity}`)} />
      <button
        type="button"
        className={styles.what}
        data-focus
        aria-keyshortcuts={mayAcknowledge ? 'a' : undefined}
        onClick={() => (imei === null ? void navigate(taskOf(alert)) : onVehicle(imei))}
      >
        <span className={styles.line}>
          <Plate>{subject}</Plate>
          <b>{words}</b>
          {count > 1 && <span className={styles.count}>{t('times', { count })}</span>}
        </span>
        <span className={styles.more}>
          {[
            alertFigures(alert, system),
            alertConflict(alert, system),
            alertGeofence(alert),
            alertTask(alert, Date.parse(alert.updatedAt)),
            age,
            asks && askedBy && t('asks', { name: askedBy.name }),
            placeWords(alert, system),
            driver?.name,
            alert.late && t('late'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      {past && <EndedThen alert={alert} atMs={past.atMs} />}
      {asks && !past && <DecideLink alert={alert} />}
      {mayAcknowledge && (
        <Button
          aria-label={t('acknowledgeOf', { what: words, vehicle: subject })}
          className={styles.acknowledge}
          onClick={() => onAcknowledge(id)}
        >
          {t('acknowledge')}
        </Button>
      )}
    </li>
  );
}

/** How an alert ended that was open at a past moment. */
function EndedThen({ alert, atMs }: { readonly alert: Alert; readonly atMs: number }) {
  const { t } = useTranslation('timeTravel');
  const moment = (iso: string): string => formatMoment(Date.parse(iso), atMs);
  const { acknowledgedAt, acknowledgedBy, closedAt } = alert;
  const words = [
    closedAt && t('ended', { time: moment(closedAt) }),
    acknowledgedAt &&
      acknowledgedBy &&
      t('acknowledgedBy', { time: moment(acknowledgedAt), name: acknowledgedBy.name }),
  ].filter(Boolean);
  return (
    <span className={styles.ended}>
      {words.length > 0
        ? words.join(' · ')
        : acknowledgedAt
          ? t('acknowledged', { time: moment(acknowledgedAt) })
          : t('stillOpen')}
    </span>
  );
}

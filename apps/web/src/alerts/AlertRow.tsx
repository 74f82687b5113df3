import type { Alert } from '@milepost/contract';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatAge } from '../format/duration.ts';
import { useFromNow } from '../live/use-now.ts';
import { paths } from '../paths.ts';
import { Button, buttonLook } from '../ui/Button.tsx';
import { Plate } from '../ui/Plate.tsx';
import styles from './AlertRow.module.css';
import { ICON_OF_KIND } from './alert-icons.ts';
import { alertWords } from './alert-words.ts';
import { useMayAcknowledge } from './use-alerts.ts';

interface Props {
  readonly alert: Alert;
  readonly onVehicle: (imei: string) => void;
  readonly onAcknowledge: (id: string) => void;
}

/** One alert in the rail; `a` acknowledges it while the focus is on it. */
export function AlertRow({ alert, onVehicle, onAcknowledge }: Props) {
  const { t } = useTranslation('alerts');
  const { address, askedBy, count, deviceName, driver, id, imei, kind, severity } = alert;
  const isRequest = kind === 'secondPerson';
  const mayAcknowledge = useMayAcknowledge() && !isRequest;
  const age = useFromNow(nowMs => formatAge(nowMs - Date.parse(alert.openedAt)));
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
        onClick={() => onVehicle(imei)}
      >
        <span className={styles.line}>
          <Plate>{deviceName}</Plate>
          <b>{words}</b>
          {count > 1 && <span className={styles.count}>{t('times', { count })}</span>}
        </span>
        <span className={styles.more}>
          {[
            age,
            isRequest && askedBy && t('asks', { name: askedBy.name }),
            address,
            driver?.name,
            alert.late && t('late'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      {isRequest && (
        <Link
          to={paths.alerts()}
          className={buttonLook({ variant: 'primary' })}
          aria-label={t('decideOf', { what: words, vehicle: deviceName })}
        >
          {t('decide')}
        </Link>
      )}
      {mayAcknowledge && (
        <Button
          aria-label={t('acknowledgeOf', { what: words, vehicle: deviceName })}
          className={styles.acknowledge}
          onClick={() => onAcknowledge(id)}
        >
          {t('acknowledge')}
        </Button>
      )}
    </li>
  );
}

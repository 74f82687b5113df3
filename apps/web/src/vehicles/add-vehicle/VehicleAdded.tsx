import { TRACKERS } from '@milepost/contract';
import { IconCircleCheck, IconCopy, IconHourglass } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts/toast.ts';
import { useVehicle } from '../../live/use-vehicle.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import type { AddedVehicle } from './AddVehicleDialog.tsx';
import styles from './VehicleAdded.module.css';

/** The ports that trackers of each protocol usually report to. */
const PORTS = {
  teltonika: TRACKERS.teltonika.port,
  gt06: TRACKERS.gt06.port,
  osmand: TRACKERS.osmand.port,
  mqtt: TRACKERS.mqtt.port,
} as const;

interface Props {
  readonly vehicle: AddedVehicle;
  readonly onDone: () => void;
  readonly onAnother: () => void;
}

/** What the owner needs now: the key that is shown once, and where the tracker has to report to. */
export function VehicleAdded({ vehicle, onDone, onAnother }: Props) {
  const { t } = useTranslation('addVehicle');
  const hasReported = useVehicle(vehicle.imei)?.heardMs != null;
  const copyKey = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(vehicle.deviceKey);
      toast(t('keyCopied'));
    } catch {
      toast(t('copyFailed', { text: vehicle.deviceKey }), 'info');
    }
  };
  return (
    <div className={styles.added}>
      <h3>{t('setUp')}</h3>
      <p>{t('setUpText', { host: location.hostname })}</p>
      <dl className={styles.ports}>
        <div>
          <dt>{t('teltonika')}</dt>
          <dd>{t('portTcpUdp', { port: PORTS.teltonika })}</dd>
        </div>
        <div>
          <dt>{t('gt06')}</dt>
          <dd>{t('port', { port: PORTS.gt06 })}</dd>
        </div>
        <div>
          <dt>{t('osmand')}</dt>
          <dd>{t('portHttp', { port: PORTS.osmand })}</dd>
        </div>
        <div>
          <dt>{t('mqtt', { imei: vehicle.imei })}</dt>
          <dd>{t('port', { port: PORTS.mqtt })}</dd>
        </div>
      </dl>
      <p className={styles.quiet}>{t('portsNote')}</p>
      <h3>{t('keyTitle')}</h3>
      <p>{t('keyText')}</p>
      <div className={styles.key}>
        <code>{vehicle.deviceKey}</code>
        <IconButton label={t('copyKey')} tooltip="left" onClick={() => void copyKey()}>
          <IconCopy size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      <p className={styles.waiting} data-heard={hasReported || undefined} role="status">
        {hasReported ? (
          <IconCircleCheck size={16} stroke={1.75} aria-hidden />
        ) : (
          <IconHourglass size={16} stroke={1.75} aria-hidden />
        )}
        {t(hasReported ? 'heard' : 'waiting')}
      </p>
      <div className={styles.actions}>
        <Button onClick={onAnother}>{t('another')}</Button>
        <Button variant="primary" onClick={onDone} data-autofocus>
          {t('done')}
        </Button>
      </div>
    </div>
  );
}

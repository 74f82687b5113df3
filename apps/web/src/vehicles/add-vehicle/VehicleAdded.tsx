import { TRACKER_PROTOCOLS, TRACKERS, type TrackerProtocol, trackerSetup } from '@milepost/contract';
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyLine } from '../../forms/CopyLine.tsx';
import { useVehicle } from '../../live/view.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import type { AddedVehicle } from './AddVehicleForm.tsx';
import { useTrackerPorts } from './tracker-ports.ts';
import styles from './VehicleAdded.module.css';

interface Props {
  readonly vehicle: AddedVehicle;
  readonly onDone: () => void;
  readonly onAnother: () => void;
}

/**
 * What the user needs after adding a vehicle: where the tracker must report to, its key, which is shown only once, and
 * whether it has reported.
 */
export function VehicleAdded({ vehicle, onDone, onAnother }: Props) {
  const { t } = useTranslation('addVehicle');
  const heard = useVehicle(vehicle.imei);
  const hasReported = heard?.heardMs != null;
  const [protocol, setProtocol] = useState<TrackerProtocol>(vehicle.protocol ?? 'teltonika');
  const ports = useTrackerPorts();
  const { port: usual, over, title } = TRACKERS[protocol];
  const listening = ports?.find(one => one.protocol === protocol)?.port;
  const port = listening ?? usual;
  const isOff = ports !== undefined && listening === undefined;
  const setup = trackerSetup(protocol, location.hostname, port);
  const needsNumber = setup.ownNumber !== 'never' && vehicle.trackerId === null;
  return (
    <div className={styles.added}>
      <h3>{t('setUp')}</h3>
      <p>{t('setUpText')}</p>
      <SelectField
        label={t('speaks')}
        value={protocol}
        onChange={event => setProtocol(event.currentTarget.value as TrackerProtocol)}
        options={TRACKER_PROTOCOLS.map(one => ({ value: one, label: TRACKERS[one].title }))}
      />
      <dl className={styles.address}>
        <div>
          <dt>{t('host')}</dt>
          <dd>{location.hostname}</dd>
        </div>
        <div>
          <dt>{t('port')}</dt>
          <dd>{isOff ? '–' : port}</dd>
        </div>
        <div>
          <dt>{t('over')}</dt>
          <dd>{t(`transport.${over}`)}</dd>
        </div>
        {over === 'mqtt' && (
          <>
            <div>
              <dt>{t('user')}</dt>
              <dd>{vehicle.imei}</dd>
            </div>
            <div>
              <dt>{t('topic')}</dt>
              <dd>device/{vehicle.imei}</dd>
            </div>
          </>
        )}
      </dl>
      <p className={styles.quiet} role={isOff ? 'alert' : undefined}>
        {isOff ? t('portOff', { protocol: title }) : t('portsNote')}
      </p>
      {setup.sms.length > 0 && (
        <>
          <h3>{t('bySms')}</h3>
          <p>{t('bySmsText')}</p>
          {setup.sms.map(text => (
            <CopyLine key={text} text={text} label={t('copySms', { text })} copied={t('smsCopied')} />
          ))}
        </>
      )}
      {setup.program && (
        <>
          <h3>{t('byProgram', { program: setup.program.name })}</h3>
          <dl className={styles.address}>
            {setup.program.settings.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {needsNumber && (
        <p className={styles.quiet}>{t(setup.ownNumber === 'always' ? 'needsNumber' : 'mayNeedNumber')}</p>
      )}
      <h3>{t('keyTitle')}</h3>
      <p>{t('keyText')}</p>
      <CopyLine text={vehicle.deviceKey} label={t('copyKey')} copied={t('keyCopied')} />
      <p className={styles.waiting} data-heard={hasReported || undefined} role="status">
        {hasReported ? (
          <IconCircleCheck size={16} stroke={1.75} aria-hidden />
        ) : (
          <IconHourglass size={16} stroke={1.75} aria-hidden />
        )}
        {t(hasReported ? 'heard' : 'waiting')}
      </p>
      <DialogActions>
        <Button onClick={onAnother}>{t('another')}</Button>
        <Button variant="primary" onClick={onDone} data-autofocus>
          {t('done')}
        </Button>
      </DialogActions>
    </div>
  );
}

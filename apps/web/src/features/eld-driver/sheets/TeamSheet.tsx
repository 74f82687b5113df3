import type { MyDuty } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatHours } from '../../../format/duration.ts';
import { loggedPlaceWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeMoment, homeTime } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { isReason } from '../reason.ts';
import { useAct } from '../use-act.ts';
import type { SheetProps } from './sheet-props.ts';

/**
 * What a co-driver must agree to: being a co-driver, and driving that was recorded under the other driver
 * (4.3.2.8.2(b)).
 */
export function TeamSheet({ duty, onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  // Nobody is in two vehicles: what the other one does from now on is not theirs.
  async function join(vehicleId: string, name: string): Promise<void> {
    const { row, vehicle } = duty;
    if (vehicle !== null && vehicle.id !== vehicleId) {
      const status = row.status === 'SB' ? 'SB' : row.status === 'OFF' || row.status === 'PC' ? 'OFF' : 'ON';
      const left = t('vehicle.signedOut', { name: vehicle.deviceName });
      if (!(await run({ kind: 'sign-out', status }, left))) return;
    }
    if (await run({ kind: 'sign-in', vehicleId, asCoDriver: true }, t('team.rides', { name }))) onClose();
  }
  if (duty.teamRequests.length + duty.handedOver.length === 0)
    return <p className={styles.form}>{t('team.nothing')}</p>;
  return (
    <div className={styles.form}>
      {duty.teamRequests.map(({ deviceName, driverId, name, vehicleId }) => (
        <section key={driverId} className={styles.item}>
          <p className={styles.asks}>
            <Plate>{deviceName}</Plate>
            <span>{t('team.request', { name })}</span>
          </p>
          <Button size="large" wide variant="primary" busy={busy} onClick={() => void join(vehicleId, name)}>
            {t('team.ride', { name })}
          </Button>
          <Button
            size="large"
            wide
            busy={busy}
            onClick={() => void run({ kind: 'decline-co-driver', driverId }, t('team.declined', { name }))}
          >
            {t('team.decline', { name })}
          </Button>
        </section>
      ))}
      {duty.handedOver.map(one => (
        <HandedOver key={one.record} one={one} zone={duty.dutyLog.timezone} />
      ))}
    </div>
  );
}

interface HandedOverProps {
  readonly one: MyDuty['handedOver'][number];
  readonly zone: string;
}

function HandedOver({ one: { driverId, from, name, place, record, to }, zone }: HandedOverProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const system = useMeasureSystem();
  const { busy, run } = useAct();
  const [reason, setReason] = useState('');
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  return (
    <section className={styles.item}>
      <p>{t('team.handedOver', { name })}</p>
      <p>
        {homeMoment(fromMs, zone)} – {homeTime(toMs, zone)} · {formatHours(toMs - fromMs)}
        {place !== null && ` · ${loggedPlaceWords(place, system)}`}
      </p>
      <TextField
        label={t('edit.reason')}
        hint={t('edit.reasonHint')}
        value={reason}
        maxLength={60}
        onChange={event => setReason(event.target.value)}
      />
      <Button
        size="large"
        wide
        variant="primary"
        busy={busy}
        disabled={!isReason(reason)}
        onClick={() => void run({ kind: 'take-over', driverId, record, reason: reason.trim() }, t('unclaimed.claimed'))}
      >
        {t('unclaimed.mine')}
      </Button>
    </section>
  );
}

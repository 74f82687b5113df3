import type { MyDuty } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';
import type { SheetProps } from './sheet-props.ts';

interface Props extends SheetProps {
  readonly vehicle: NonNullable<MyDuty['vehicle']>;
}

/** The co-driver. The driver asks them, and they accept on their own phone. */
export function Team({ duty, vehicle, onClose }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const [chosen, setChosen] = useState('');
  if (vehicle.coDriver) {
    const { name } = vehicle.coDriver;
    return (
      <div className={styles.form}>
        <p>{t(vehicle.isDriving ? 'team.now' : 'team.riding', { name })}</p>
        <Button
          size="large"
          wide
          busy={busy}
          onClick={async () => {
            if (await run({ kind: 'co-driver', coDriverId: null }, t('team.ended'))) onClose();
          }}
        >
          {t('team.end')}
        </Button>
      </div>
    );
  }
  if (duty.askedCoDriver !== null) {
    return (
      <div className={styles.form}>
        <p role="status">{t('team.asked', { name: duty.askedCoDriver })}</p>
        <Button
          wide
          busy={busy}
          onClick={() => void run({ kind: 'ask-co-driver', coDriverId: null }, t('team.askEnded'))}
        >
          {t('team.askEnd')}
        </Button>
      </div>
    );
  }
  if (duty.coDrivers.length === 0) return null;
  const coDriver = duty.coDrivers.find(({ driverId }) => driverId === chosen);
  return (
    <div className={styles.form}>
      <SelectField
        label={t('team.coDriver')}
        options={[
          { value: '', label: t('team.none') },
          ...duty.coDrivers.map(({ driverId, name }) => ({ value: driverId, label: name })),
        ]}
        value={chosen}
        onChange={event => setChosen(event.target.value)}
      />
      {coDriver && (
        <Button
          size="large"
          wide
          busy={busy}
          onClick={() =>
            void run({ kind: 'ask-co-driver', coDriverId: coDriver.driverId }, t('team.asked', { name: coDriver.name }))
          }
        >
          {t('team.ask', { name: coDriver.name })}
        </Button>
      )}
    </div>
  );
}

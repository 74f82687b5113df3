import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '../../../phone/new-id.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import type { SheetProps } from '../sheets/sheet-props.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { keepPin, keptPin } from '../store/kept.ts';
import { isPin, newPin } from './pin.ts';
import { startRoadside } from './roadside.ts';

/** The first time, the driver chooses a PIN; after that, inspection mode starts right away. */
export function RoadsideStart({ onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const owner = useDriverDuty(state => state.owner);
  const [isAsked, setAsked] = useState(false);
  const [pin, setPin] = useState('');
  const [tried, setTried] = useState(false);

  const begin = useEffectEvent(() => {
    onClose();
    startRoadside('inspection');
  });

  useEffect(() => {
    if (owner === null) return;
    void keptPin(owner).then(kept => {
      if (kept) begin();
      else setAsked(true);
    });
  }, [owner]);

  if (!isAsked || owner === null) return null;
  return (
    <form
      className={styles.form}
      onSubmit={async event => {
        event.preventDefault();
        setTried(true);
        if (!isPin(pin)) return;
        await keepPin(newPin(owner, newId(), pin));
        onClose();
        startRoadside('inspection');
      }}
    >
      <p>{t('roadside.pinNew')}</p>
      <TextField
        label={t('roadside.pin')}
        hint={t('roadside.pinNewText')}
        error={tried && !isPin(pin) ? t('roadside.pinShort') : undefined}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={pin}
        data-autofocus
        onChange={event => setPin(event.target.value)}
      />
      <Button type="submit" variant="primary" size="large" wide>
        {t('roadside.start')}
      </Button>
    </form>
  );
}

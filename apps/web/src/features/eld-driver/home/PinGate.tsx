import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../format/duration.ts';
import { pinWaitMs } from '../../../phone/device-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';
import { openWithPin } from '../store/enrollment.ts';
import { useDutyNow } from '../store/use-duty.ts';

/** An enrolled phone opens with the driver's PIN, with or without a network. */
export function PinGate({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const enrollment = useDriverDuty(state => state.enrollment);
  const now = useDutyNow(1000);
  const [pin, setPin] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const waitMs = enrollment ? pinWaitMs(enrollment.pin, now) : 0;
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (enrollment === null) open();
  }, [enrollment]);
  return (
    <form
      className={styles.page}
      onSubmit={async event => {
        event.preventDefault();
        if (waitMs > 0 || busy) return;
        setBusy(true);
        const right = await openWithPin(pin);
        setBusy(false);
        setPin('');
        setWrong(!right);
        if (right) onOpen();
      }}
    >
      <h1>{t('phone.open')}</h1>
      <TextField
        label={t('roadside.pin')}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={pin}
        error={
          waitMs > 0
            ? t('roadside.pinWait', { duration: formatDuration(waitMs) })
            : isWrong
              ? t('roadside.pinWrong')
              : undefined
        }
        onChange={event => setPin(event.target.value)}
        data-autofocus
      />
      <Button type="submit" variant="primary" size="large" wide busy={busy} disabled={waitMs > 0}>
        {t('phone.unlock')}
      </Button>
    </form>
  );
}

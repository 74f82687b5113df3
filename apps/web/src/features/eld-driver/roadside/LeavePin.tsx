import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../format/duration.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';
import { keepPin, keptPin } from '../store/kept.ts';
import { tryPin, waitMs } from './pin.ts';
import { leaveRoadside } from './roadside.ts';

/** Asks for the PIN, because only the driver may end inspection mode. */
export function LeavePin({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const owner = useDriverDuty(state => state.owner);
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);

  async function leave(): Promise<void> {
    const kept = owner === null ? undefined : await keptPin(owner);
    // Without a stored PIN, the browser's storage was cleared; the driver can sign in again.
    if (!kept) return leaveRoadside();
    const wait = waitMs(kept, Date.now());
    if (wait > 0) return setError(t('roadside.pinWait', { duration: formatDuration(wait) }));
    const tried = tryPin(kept, pin, Date.now());
    await keepPin(tried.kept);
    if (tried.right) leaveRoadside();
    else {
      setPin('');
      setError(t('roadside.pinWrong'));
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('roadside.pinTitle')} closeLabel={t('change.close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          void leave();
        }}
      >
        <TextField
          label={t('roadside.pin')}
          error={error}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          value={pin}
          data-autofocus
          onChange={event => setPin(event.target.value)}
        />
        <Button type="submit" variant="primary" size="large" wide>
          {t('roadside.unlock')}
        </Button>
      </form>
    </Dialog>
  );
}

import type { DutyAction } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { toast } from '../../base/toasts/toast.ts';
import { act } from './store/driver-duty.ts';

/** Felt through a glove: the entry is on the phone. */
const VIBRATION_MS = 60;

/** Records what the driver did, and says so once it is safe. */
export function useAct() {
  const { t } = useTranslation('eldDriver');
  const [busy, setBusy] = useState(false);
  async function run(action: DutyAction, saved: string): Promise<boolean> {
    setBusy(true);
    try {
      await act(action);
      navigator.vibrate?.(VIBRATION_MS);
      toast(saved);
      announce(saved);
      return true;
    } catch {
      toast(t('notRecorded'), 'error');
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { run, busy };
}

import type { DutyAction } from '@milepost/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { toast } from '../../base/toasts/toast.ts';
import { act } from './store/act.ts';

/** Strong enough to feel through a glove that the entry is stored. */
const VIBRATION_MS = 60;

/** Records what the driver did, and confirms it once it is stored. */
export function useAct() {
  const { t } = useTranslation('eldDriverMore');
  const [busy, setBusy] = useState(false);
  // A second tap can come before the button shows that it is busy: it must not make a second entry.
  const isRunning = useRef(false);
  async function run(action: DutyAction, saved: string): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
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
      isRunning.current = false;
      setBusy(false);
    }
  }
  return { run, busy };
}

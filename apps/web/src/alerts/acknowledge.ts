import { ProblemError } from '@milepost/client';
import { acknowledgeAlerts } from '@milepost/contract';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import { useAskedNote } from './asked-note.ts';
import { applyAlert, readAlertsAgain } from './open-alerts.ts';

/**
 * Acknowledges alerts, and asks what was done where a rule wants to know. Shows an error if the server refuses. Returns
 * whether it worked.
 */
export async function acknowledge(ids: readonly string[]): Promise<boolean> {
  try {
    await acknowledgeWith(ids, null);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'alert-needs-note') {
      return new Promise(resolve => {
        const answer = (done: boolean): void => {
          useAskedNote.setState({ asked: null });
          resolve(done);
        };
        useAskedNote.setState({ asked: { ids, answer } });
      });
    }
    toast(describeError(error).message, 'error');
    // The alert may be gone: deleting a vehicle deletes its alerts.
    void readAlertsAgain();
    return false;
  }
}

export async function acknowledgeWith(ids: readonly string[], note: string | null): Promise<void> {
  const { alerts } = await call(acknowledgeAlerts, { body: { ids: [...ids], note } });
  for (const alert of alerts) applyAlert(alert);
}

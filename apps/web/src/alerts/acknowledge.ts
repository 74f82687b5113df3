import { acknowledgeAlerts } from '@milepost/contract';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import { applyAlert, readAlertsAgain } from './open-alerts.ts';

/** Acknowledges alerts and shows an error if the server refuses. Returns whether it worked. */
export async function acknowledge(ids: readonly string[]): Promise<boolean> {
  try {
    const { alerts } = await call(acknowledgeAlerts, { body: { ids: [...ids] } });
    for (const alert of alerts) applyAlert(alert);
    return true;
  } catch (error) {
    toast(describeError(error).message, 'error');
    // The alert may be gone: deleting a vehicle deletes its alerts.
    void readAlertsAgain();
    return false;
  }
}

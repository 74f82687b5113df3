import { renewPush } from '@milepost/contract';
import { call } from '../../base/api.ts';
import { onSessionBegin, useSession } from '../../base/session/session.ts';

/**
 * Ties this browser's push notifications to who is signed in here: theirs end with their session, and another user's end
 * now. One that the server no longer knows is given back to the browser.
 */
export function followPush({ pushManager }: ServiceWorkerRegistration): void {
  // Not in a page without HTTPS, nor in every browser.
  if (!pushManager) return;
  const renew = async (): Promise<void> => {
    const subscription = await pushManager.getSubscription();
    if (!subscription) return;
    const { id } = await call(renewPush, { body: { endpoint: subscription.endpoint } });
    if (id === null) await subscription.unsubscribe();
  };
  const tryToRenew = (): void => {
    // Without a connection, or for a visitor who can only look: at the next start.
    renew().catch(() => {});
  };
  if (useSession.getState().token !== null) tryToRenew();
  onSessionBegin(tryToRenew);
}

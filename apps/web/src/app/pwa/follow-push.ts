import { renewPush } from '@milepost/contract';
import { call } from '../../base/api.ts';
import { onSessionBegin, useSession } from '../../base/session/session.ts';

/**
 * Ties this browser's push notifications to the signed-in user: they end with the session, and another user's end now.
 * If the server no longer knows the subscription, the browser's is removed too.
 */
export function followPush({ pushManager }: ServiceWorkerRegistration): void {
  // Missing in some browsers and on pages without HTTPS.
  if (!pushManager) return;
  const renew = async (): Promise<void> => {
    const subscription = await pushManager.getSubscription();
    if (!subscription) return;
    const { id } = await call(renewPush, { body: { endpoint: subscription.endpoint } });
    if (id === null) await subscription.unsubscribe();
  };
  const tryToRenew = (): void => {
    // Fails without a connection and for read-only visitors. It is tried again at the next start.
    renew().catch(() => {});
  };
  if (useSession.getState().token !== null) tryToRenew();
  onSessionBegin(tryToRenew);
}

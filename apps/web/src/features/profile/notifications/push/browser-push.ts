import { type PushSubscriptionItem, renewPush, type Severity, subscribePush } from '@milepost/contract';
import { call } from '../../../../base/api.ts';

/** What this browser supports and its current state. */
export type BrowserPush =
  | { readonly state: 'unsupported' | 'blocked' | 'off' }
  /** `id` is the ID of its subscription. */
  | { readonly state: 'on'; readonly id: string };

async function registration(): Promise<ServiceWorkerRegistration | null> {
  const isAble = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  return isAble ? ((await navigator.serviceWorker.getRegistration()) ?? null) : null;
}

export async function readBrowserPush(): Promise<BrowserPush> {
  const found = await registration();
  if (!found) return { state: 'unsupported' };
  if (Notification.permission === 'denied') return { state: 'blocked' };
  const subscription = await found.pushManager.getSubscription();
  if (!subscription) return { state: 'off' };
  const { id } = await call(renewPush, { body: { endpoint: subscription.endpoint } });
  return id === null ? { state: 'off' } : { state: 'on', id };
}

/** Asks the user, then subscribes at the browser's push service; null if the user declined. */
export async function turnOn(publicKey: string, severities: readonly Severity[]): Promise<PushSubscriptionItem | null> {
  const found = await registration();
  if (!found || (await Notification.requestPermission()) !== 'granted') return null;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  // A subscription made with another installation's key at this address can't be used.
  const existing = await found.pushManager.getSubscription();
  if (existing && keyOf(existing) !== publicKey) await existing.unsubscribe();
  const subscription = await found.pushManager.subscribe(options);
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error('The browser gave no address for push notifications.');
  const { auth, p256dh } = keys;
  return call(subscribePush, { body: { endpoint, p256dh, auth, severities: [...severities] } });
}

const keyOf = ({ options }: PushSubscription): string =>
  btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Call after the server has removed the subscription. */
export async function turnOffHere(): Promise<void> {
  const subscription = await (await registration())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

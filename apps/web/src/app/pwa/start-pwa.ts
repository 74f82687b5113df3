import { i18n } from '../../base/i18n.ts';
import { toast } from '../../base/toasts/toast.ts';
import { paths } from '../../paths.ts';
import { followPush } from './follow-push.ts';
import { registerServiceWorker, watchForUpdate } from './service-worker.ts';

/**
 * Starts offline use and updates, after the page has loaded so as not to slow it down. Visitors of a share link don't
 * get a service worker.
 */
export async function startPwa(): Promise<void> {
  if (location.pathname === paths.shared()) return;
  if (document.readyState !== 'complete') {
    await new Promise(resolve => window.addEventListener('load', resolve, { once: true }));
  }
  const registration = await registerServiceWorker();
  if (!registration) return;
  followPush(registration);
  watchForUpdate(registration, changeOver => {
    toast(i18n.t('install:newVersion'), 'info', { label: i18n.t('install:reload'), run: changeOver });
  });
}

import { i18n } from '../../base/i18n.ts';
import { toast } from '../../base/toasts/toast.ts';
import { paths } from '../../paths.ts';
import { followPush } from './follow-push.ts';
import { registerServiceWorker, watchForUpdate } from './service-worker.ts';

/**
 * Offline shell and updates. It waits for the page to have loaded, so as not to compete with it. Anyone who only follows a
 * share link gets nothing installed.
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

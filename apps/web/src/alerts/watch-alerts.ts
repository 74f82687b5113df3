import type { Alert } from '@milepost/contract';
import { announce } from '../base/announce.ts';
import { i18n } from '../base/i18n.ts';
import { addPageTexts } from '../base/language/language.ts';
import { queryClient } from '../base/queries.ts';
import { onSessionBegin, onSessionEnd } from '../base/session/session.ts';
import { useSockets } from '../live/sockets/socket-store.ts';
import { onVehicleEvent } from '../live/sockets/vehicle-events.ts';
import texts from '../locales/en-US/alerts.json';
import { alertWords } from './alert-words.ts';
import { applyAlert, openAlertsQuery, readAlertsAgain } from './open-alerts.ts';

/** While the socket is not there, alerts are read instead this often. */
const ASK_AGAIN_MS = 15_000;
/** Alerts that began longer ago are not announced, whenever they arrive. */
const NEWS_MS = 5 * 60_000;

/** Keeps the open alerts fresh, announces critical ones, and counts these on the app's icon. */
export function watchAlerts(): void {
  void addPageTexts('alerts', texts);
  onVehicleEvent('alert_changed', alert => {
    applyAlert(alert);
    // Rules count their alerts.
    if (alert.kind === 'rule') void queryClient.invalidateQueries({ queryKey: ['rules'] });
    announceNews([alert]);
  });

  let timer: ReturnType<typeof setInterval> | undefined;
  const ask = (): void => {
    clearInterval(timer);
    timer = setInterval(() => void readAlertsAgain(), ASK_AGAIN_MS);
  };
  const isUp = (all = useSockets.getState()): boolean => all['/eld'].state === 'connected';
  useSockets.subscribe((now, before) => {
    if (isUp(now) === isUp(before)) return;
    // Events in the meantime were missed.
    void readAlertsAgain();
    if (isUp(now)) clearInterval(timer);
    else ask();
  });
  if (!isUp()) ask();
  onSessionBegin(ask);

  const [key, open] = openAlertsQuery.queryKey;
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== key || query.queryKey[1] !== open) return;
    showOnIcon();
    // A reading may be ahead of the socket.
    announceNews(queryClient.getQueryData(openAlertsQuery.queryKey)?.alerts ?? []);
  });
  onSessionEnd(() => {
    clearInterval(timer);
    announced.clear();
    void navigator.clearAppBadge?.();
  });
}

/** Ids of critical alerts already announced to the signed-in user. */
const announced = new Set<string>();

function announceNews(alerts: readonly Alert[]): void {
  for (const alert of alerts) {
    if (!isNews(alert) || announced.has(alert.id)) continue;
    announced.add(alert.id);
    announce(i18n.t('alerts:announced', { what: alertWords(alert), vehicle: alert.deviceName }));
  }
}

const isNews = ({ severity, acknowledgedAt, late, openedAt }: Alert): boolean =>
  severity === 'critical' && acknowledgedAt === null && !late && Date.now() - Date.parse(openedAt) < NEWS_MS;

let shown = 0;

/** How many critical alerts wait, on the icon of the installed app. */
function showOnIcon(): void {
  const critical = queryClient.getQueryData(openAlertsQuery.queryKey)?.unacknowledged.critical ?? 0;
  if (critical === shown) return;
  shown = critical;
  // Where there is no icon, or no leave, nothing is lost.
  const done = critical === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(critical);
  done?.catch(() => {});
}

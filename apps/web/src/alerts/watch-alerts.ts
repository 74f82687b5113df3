import { type Alert, alertSubject } from '@milepost/contract';
import texts from '@milepost/contract/texts/en-US/alerts.json';
import { announce } from '../base/announce.ts';
import { i18n } from '../base/i18n.ts';
import { addPageTexts } from '../base/language/language.ts';
import { queryClient, readSoon } from '../base/queries.ts';
import { onSessionBegin, onSessionEnd } from '../base/session/session.ts';
import { useSockets } from '../live/sockets/socket-store.ts';
import { onVehicleEvent } from '../live/sockets/vehicle-events.ts';
import { alertWords } from './alert-words.ts';
import { applyAlert, openAlertsQuery, readAlertsAgain } from './open-alerts.ts';

/** How often alerts are loaded while the socket is down. */
const ASK_AGAIN_MS = 15_000;
/** Alerts that began longer ago than this are not announced, even if they arrive late. */
const NEWS_MS = 5 * 60_000;

/** Keeps the open alerts up to date, announces critical ones, and shows their number on the app's icon. */
export function watchAlerts(): void {
  void addPageTexts('alerts', texts);
  onVehicleEvent('alert_changed', alert => {
    applyAlert(alert);
    // Rules show the number of their alerts.
    if (alert.kind === 'rule') void readSoon(['rules']);
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
    // Events in between were missed.
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
    // Loaded alerts may arrive before the socket's event.
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
    announce(i18n.t('alerts:announced', { what: alertWords(alert), vehicle: alertSubject(alert) }));
  }
}

const isNews = ({ severity, acknowledgedAt, late, muted, openedAt }: Alert): boolean =>
  severity === 'critical' && acknowledgedAt === null && !late && !muted && Date.now() - Date.parse(openedAt) < NEWS_MS;

let shown = 0;

/** Shows the number of open critical alerts on the installed app's icon. */
function showOnIcon(): void {
  const critical = queryClient.getQueryData(openAlertsQuery.queryKey)?.unacknowledged.critical ?? 0;
  if (critical === shown) return;
  shown = critical;
  // It doesn't matter if there is no icon or permission.
  const done = critical === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(critical);
  done?.catch(() => {});
}

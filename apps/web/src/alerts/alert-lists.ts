import { type Alert, type listAlerts, type RouteAnswer, SEVERITIES } from '@milepost/contract';

export type OpenAlerts = RouteAnswer<typeof listAlerts>;
export type Counts = OpenAlerts['unacknowledged'];

/** The open alerts after one has changed; null if we can't tell whether the counts include it. */
export function withAlert(open: OpenAlerts, alert: Alert): OpenAlerts | null {
  const known = open.alerts.find(({ id }) => id === alert.id);
  const isOpen = alert.acknowledgedAt === null;
  if (!known && open.alerts.length < totalOf(open.unacknowledged)) return null;
  const others = open.alerts.filter(({ id }) => id !== alert.id);
  const counts = { ...open.unacknowledged };
  if (known) counts[known.severity]--;
  if (isOpen) counts[alert.severity]++;
  return { alerts: isOpen ? [alert, ...others] : others, unacknowledged: counts };
}

export const totalOf = (counts: Counts): number => counts.critical + counts.warning + counts.info;

/** The most urgent first; within the same severity, the newest. */
export const byUrgency = (a: Alert, b: Alert): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.openedAt.localeCompare(a.openedAt);

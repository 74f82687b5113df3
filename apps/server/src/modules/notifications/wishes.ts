import type { Alert, NotificationChoice, Severity } from '@milepost/contract';
import type { EpochMs } from '@milepost/units';
import { type QuietHours, quietUntil } from './quiet-hours.ts';
import type { Recipient } from './recipients.ts';

/** Why somebody hears of an alert: it came up, or nobody has acknowledged it for long. */
export type Reason = 'opened' | 'escalated';

type Chooser = Pick<Recipient, 'choice' | 'organisation' | 'hearsEscalations' | 'timeZone'>;

/** Whether somebody wants a mail of such an alert. */
export function isWanted({ choice, hearsEscalations, organisation }: Chooser, kind: Alert['kind'], reason: Reason) {
  if (!organisation.settings.mail) return false;
  if (reason === 'escalated') return hearsEscalations && choice.escalations;
  return (choice.kinds ?? organisation.settings.kinds).includes(kind);
}

/** When the quiet hours end for which an alert waits; null where it need not. */
export function waitsUntil(chooser: Chooser, severity: Severity, at: EpochMs): EpochMs | null {
  const hours = hoursOf(chooser);
  if (hours === null || (severity === 'critical' && hours.criticalBreaks)) return null;
  return quietUntil(hours, at);
}

/** One's own are on one's own clock, the organisation's on its. */
function hoursOf({ choice, organisation, timeZone }: Chooser): (QuietHours & Breaks) | null {
  if (choice.quiet === 'none') return null;
  const isOwn = choice.quiet === 'own';
  const { quietFrom, quietTo, criticalBreaks } = isOwn ? choice : organisation.settings;
  if (quietFrom === null || quietTo === null) return null;
  return { from: quietFrom, to: quietTo, criticalBreaks, timeZone: isOwn ? timeZone : organisation.timeZone };
}

type Breaks = Pick<NotificationChoice, 'criticalBreaks'>;

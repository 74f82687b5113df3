import type { Alert, NotificationChoice, Severity } from '@milepost/contract';
import type { EpochMs } from '@milepost/units';
import { type QuietHours, quietUntil } from './quiet-hours.ts';
import type { Recipient } from './recipients.ts';

/**
 * Why someone gets an email about an alert: it is new, or nobody has acknowledged it for as long as the account's
 * settings, or its rule, say.
 */
export type Reason = 'opened' | 'escalated' | 'ruleEscalated';

type Chooser = Pick<Recipient, 'choice' | 'organisation' | 'getsEscalations' | 'timeZone'>;

/** Whether someone wants emails about such alerts. */
export function isWanted(
  { choice, getsEscalations, organisation }: Chooser,
  kind: Alert['kind'],
  reason: 'opened' | 'escalated',
) {
  if (!organisation.settings.mail) return false;
  if (reason === 'escalated') return getsEscalations && choice.escalations;
  return (choice.kinds ?? organisation.settings.kinds).includes(kind);
}

/** When the quiet hours end that an alert has to wait for; null if it does not have to. */
export function waitsUntil(chooser: Chooser, severity: Severity, at: EpochMs): EpochMs | null {
  const hours = hoursOf(chooser);
  if (hours === null || (severity === 'critical' && hours.criticalBreaks)) return null;
  return quietUntil(hours, at);
}

/** A user's own quiet hours are in their time zone, the organization's in its own. */
function hoursOf({ choice, organisation, timeZone }: Chooser): (QuietHours & Breaks) | null {
  if (choice.quiet === 'none') return null;
  const isOwn = choice.quiet === 'own';
  const { quietFrom, quietTo, criticalBreaks } = isOwn ? choice : organisation.settings;
  if (quietFrom === null || quietTo === null) return null;
  return { from: quietFrom, to: quietTo, criticalBreaks, timeZone: isOwn ? timeZone : organisation.timeZone };
}

type Breaks = Pick<NotificationChoice, 'criticalBreaks'>;

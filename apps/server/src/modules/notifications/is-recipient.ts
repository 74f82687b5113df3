import { sql } from 'kysely';
import type { Organisation } from '../../fleet/organisation.ts';
import { type AboutAlert, seesAlert } from '../alerts/audience.ts';
import { isWanted, type Reason } from './mail-preferences.ts';
import type { Recipient } from './recipients.ts';

export interface About extends AboutAlert {
  /** The users whom its rule names; null: everyone as they chose. */
  readonly mailTo: readonly string[] | null;
  /** The users whom its rule names for when nobody acknowledges it. */
  readonly escalateTo: readonly string[] | null;
  /** Its rule is muted for everyone or for its vehicle, or for these users. */
  readonly isMuted: boolean;
  readonly mutedBy: readonly string[];
}

export type RecipientParts = Pick<Organisation, 'directory' | 'roster' | 'visibility'>;

/** Whether someone gets an email about an alert right now: they want it, may know it, and can see the vehicle. */
export function isRecipient(recipient: Recipient, about: About, reason: Reason, parts: RecipientParts): boolean {
  const { escalateTo, kind, mailTo } = about;
  if (isMutedFor(recipient, about)) return false;
  const named = reason === 'ruleEscalated' ? (escalateTo ?? []) : reason === 'opened' ? mailTo : null;
  const isNamed = (named?.includes(recipient.viewer.userId) ?? false) && recipient.organisation.settings.mail;
  const wants = named === null && reason !== 'ruleEscalated' ? isWanted(recipient, kind, reason) : isNamed;
  return wants && seesAlert(recipient.viewer, about, parts);
}

export const isMutedFor = (
  { viewer }: Pick<Recipient, 'viewer'>,
  { isMuted, mutedBy }: Pick<About, 'isMuted' | 'mutedBy'>,
): boolean => isMuted || mutedBy.includes(viewer.userId);

/** Whether the rule of an alert in a query, or its vehicle, is muted right now, and by whom for themselves. */
export const MUTED = {
  isMuted: sql<boolean>`(rule_is_muted(alert.account_id, alert.rule_id, alert.kind, now())
    or vehicle_is_muted(alert.account_id, alert.vehicle_id, alert.rule_id, alert.kind, now()))`,
  mutedBy: sql<string[]>`rule_muted_by(alert.account_id, alert.rule_id, alert.kind, now())`,
};

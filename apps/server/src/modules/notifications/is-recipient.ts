import type { Organisation } from '../../fleet/organisation.ts';
import { type AboutAlert, seesAlert } from '../alerts/audience.ts';
import { isWanted, type Reason } from './mail-preferences.ts';
import type { Recipient } from './recipients.ts';

export interface About extends AboutAlert {
  /** The users whom its rule names; null: everyone as they chose. */
  readonly mailTo: readonly string[] | null;
  /** The users whom its rule names for when nobody acknowledges it. */
  readonly escalateTo: readonly string[] | null;
}

export type RecipientParts = Pick<Organisation, 'directory' | 'roster' | 'visibility'>;

/** Whether someone gets an email about an alert right now: they want it, may know it, and can see the vehicle. */
export function isRecipient(recipient: Recipient, about: About, reason: Reason, parts: RecipientParts): boolean {
  const { escalateTo, kind, mailTo } = about;
  const named = reason === 'ruleEscalated' ? (escalateTo ?? []) : reason === 'opened' ? mailTo : null;
  const isNamed = (named?.includes(recipient.viewer.userId) ?? false) && recipient.organisation.settings.mail;
  const wants = named === null && reason !== 'ruleEscalated' ? isWanted(recipient, kind, reason) : isNamed;
  return wants && seesAlert(recipient.viewer, about, parts);
}

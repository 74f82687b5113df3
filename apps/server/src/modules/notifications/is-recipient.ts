import type { AlertKind } from '@milepost/contract';
import type { Organisation } from '../../fleet/organisation.ts';
import { isFor } from '../alerts/audience.ts';
import { isWanted, type Reason } from './mail-preferences.ts';
import type { Recipient } from './recipients.ts';

export interface About {
  readonly kind: AlertKind;
  readonly vehicleId: number;
  /** Who drove it then. */
  readonly driverId: number | null;
  /** The user who requested the command it is about. */
  readonly askedBy: string | null;
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
  return wants && mayKnow(recipient, about, parts);
}

/** Whether someone may know of an alert right now, and can see the vehicle. */
export function mayKnow(
  { viewer }: Pick<Recipient, 'viewer'>,
  { askedBy, driverId, kind, vehicleId }: Omit<About, 'mailTo' | 'escalateTo'>,
  { directory, visibility }: Pick<RecipientParts, 'directory' | 'visibility'>,
): boolean {
  const vehicle = directory.findById(vehicleId);
  return (
    isFor(viewer, { kind, askedBy: askedBy === null ? null : { id: askedBy } }) &&
    visibility.sees(viewer, vehicle) &&
    visibility.seesDrivenBy(viewer, vehicle, driverId)
  );
}

import type { AlertKind } from '@milepost/contract';
import { isFor } from '../alerts/audience.ts';
import type { Organisation } from '../organisation/organisation.ts';
import { isWanted, type Reason } from './mail-preferences.ts';
import type { Recipient } from './recipients.ts';

export interface About {
  readonly kind: AlertKind;
  readonly vehicleId: number;
  /** Who asked for the command that it is about. */
  readonly askedBy: string | null;
}

export type RecipientParts = Pick<Organisation, 'directory' | 'visibility'>;

/** Whether someone gets an email about an alert right now: they want it, may know it, and can see the vehicle. */
export const isRecipient = (
  recipient: Recipient,
  { askedBy, kind, vehicleId }: About,
  reason: Reason,
  { directory, visibility }: RecipientParts,
): boolean =>
  isWanted(recipient, kind, reason) &&
  isFor(recipient.viewer, { kind, askedBy: askedBy === null ? null : { id: askedBy } }) &&
  visibility.sees(recipient.viewer, directory.findById(vehicleId));

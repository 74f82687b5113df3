import type { AlertKind } from '@milepost/contract';
import { isFor } from '../alerts/audience.ts';
import type { Organisation } from '../organisation/organisation.ts';
import type { Recipient } from './recipients.ts';
import { isWanted, type Reason } from './wishes.ts';

export interface About {
  readonly kind: AlertKind;
  readonly vehicleId: number;
  /** Who asked for the command that it is about. */
  readonly askedBy: string | null;
}

export type HearsParts = Pick<Organisation, 'directory' | 'visibility'>;

/** Whether an alert is for somebody at this moment: wanted, theirs to know, and of a vehicle that they see. */
export const hears = (
  recipient: Recipient,
  { askedBy, kind, vehicleId }: About,
  reason: Reason,
  { directory, visibility }: HearsParts,
): boolean =>
  isWanted(recipient, kind, reason) &&
  isFor(recipient.viewer, { kind, askedBy: askedBy === null ? null : { id: askedBy } }) &&
  visibility.sees(recipient.viewer, directory.findById(vehicleId));

import { may, parseTopic } from '@milepost/contract';
import type { Session } from '../http/session.ts';
import type { DirectoryEntry } from '../modules/vehicles/directory.ts';

/** Who speaks on an MQTT connection. */
export type Identity =
  | {
      readonly kind: 'device';
      readonly vehicle: DirectoryEntry;
      /** As presented: it is checked again when the vehicle changes. */
      readonly key: string;
    }
  | { readonly kind: 'browser'; readonly session: Session };

/** Why something is refused: goes into the log, for MQTT 3.1.1 has no words for it. */
export type Refusal = string;

/**
 * What may be done on which topic; everything else is refused, `$SYS`, wildcards and shared subscriptions with it,
 * because `parseTopic` knows no such topic. Answers null when it is allowed.
 *
 * | | `device/{imei}` | `user/{imei}` |
 * |---|---|---|
 * | device publishes | its own | no |
 * | device subscribes | no | its own |
 * | browser publishes | no | no: commands are not taken over this topic |
 * | browser subscribes | of a vehicle that it may see, with `vehicles.read` | no |
 */
export function refusePublish(identity: Identity, topic: string): Refusal | null {
  const parsed = parseTopic(topic);
  if (!parsed) return 'no such topic';
  if (identity.kind === 'browser') {
    return parsed.kind === 'user' ? 'commands are not taken over messaging' : 'only a tracker reports';
  }
  if (parsed.kind !== 'device') return 'a tracker does not command';
  return parsed.imei === identity.vehicle.imei ? null : "another tracker's topic";
}

/** Whether a session may see the vehicle with this IMEI. */
export type Sees = (session: Session, imei: string) => boolean;

export function refuseSubscribe(identity: Identity, topic: string, sees: Sees): Refusal | null {
  const parsed = parseTopic(topic);
  if (!parsed) return 'no such topic';
  if (identity.kind === 'device') {
    if (parsed.kind !== 'user') return 'a tracker does not listen to reports';
    return parsed.imei === identity.vehicle.imei ? null : "another tracker's topic";
  }
  if (parsed.kind !== 'device') return 'only a tracker listens to commands';
  const { session } = identity;
  if (!may(session, 'vehicles.read')) return 'the role does not allow it';
  // The same answer for a vehicle of another account, one out of sight and none: existence is not told.
  return sees(session, parsed.imei) ? null : 'no vehicle that it may see';
}

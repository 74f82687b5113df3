import { may, type Permission, parseTopic } from '@milepost/contract';
import type { DirectoryEntry } from '../fleet/directory.ts';
import type { Session } from '../http/session.ts';

/** Who speaks on an MQTT connection. */
export type Identity =
  | {
      readonly kind: 'device';
      readonly vehicle: DirectoryEntry;
      /** The key as presented: it is checked again when the vehicle changes. */
      readonly key: string;
    }
  | { readonly kind: 'browser'; readonly session: Session };

/** The reason for a refusal, for the log: MQTT 3.1.1 can't transmit one. */
export type Refusal = string;

/**
 * What may be done on which topic; everything else is refused, `$SYS`, wildcards and shared subscriptions with it,
 * because `parseTopic` knows no such topic. Answers null when it is allowed.
 *
 * | | `device/{imei}` | `user/{imei}` |
 * |---|---|---|
 * | device publishes | its own | no |
 * | device subscribes | no | its own |
 * | browser publishes | no | of a vehicle that it may see, with `commands.read`: an intent, which the commands judge [R7.34] |
 * | browser subscribes | of a vehicle that it may see, with `vehicles.read` | no |
 * | API token subscribes | the same, with that scope | no |
 * | API token publishes | no | no |
 */
export function refusePublish(identity: Identity, topic: string, sees: Sees): Refusal | null {
  const parsed = parseTopic(topic);
  if (!parsed) return 'no such topic';
  if (identity.kind === 'browser') {
    if (parsed.kind !== 'user') return 'only a tracker reports';
    // Commands of programs go over HTTP, where each can be refused with a reason.
    if (identity.session.kind === 'api-token') return 'an API token only listens';
    return refuseUnseen(identity.session, 'commands.read', parsed.imei, sees);
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
  return refuseUnseen(identity.session, 'vehicles.read', parsed.imei, sees);
}

function refuseUnseen(session: Session, permission: Permission, imei: string, sees: Sees): Refusal | null {
  if (!may(session, permission)) return 'the role does not allow it';
  // The same answer for another account's vehicle, one out of sight and none, so existence isn't revealed.
  return sees(session, imei) ? null : 'no vehicle that it may see';
}

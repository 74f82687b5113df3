import { CHANGE_KINDS, type ChangeKind, type ChangeRule, type Change as ToldChange } from '@milepost/contract';
import type { Change } from '../../feed/change-feed.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { holds } from './socket-clients.ts';

/** Who receives a change, and which parts of it. */
export interface Audience {
  /** By rights and visibility, as they are in memory now; null: nothing. */
  told(session: Session, change: Change): ToldChange | null;
  /** Whether a user may know of this kind at all. */
  mayKnow(session: Session, kind: ChangeKind): boolean;
}

/** One for all recipients: there may be hundreds. */
const wholes = new WeakMap<Change, ToldChange>();

function wholeOf(change: Change): ToldChange {
  const known = wholes.get(change) ?? { kind: change.kind, id: change.id, gone: change.how === 'gone' };
  wholes.set(change, known);
  return known;
}

/**
 * Who is limited to a scope hears of vehicles and drivers in their sight with their ids, and of everything else only that
 * something of the kind was changed: its id may not be for them.
 */
export function createAudience({
  directory,
  roster,
  visibility,
}: Pick<Organisation, 'directory' | 'roster' | 'visibility'>): Audience {
  /** API tokens have no personal things. */
  const isOwn = (session: Session, { driverId, userId }: Change): boolean =>
    (userId === session.userId ||
      (driverId !== null && roster.driver(session.accountId, driverId)?.userId === session.userId)) &&
    holds(session, 'profile.read');

  const mayKnow: Audience['mayKnow'] = (session, kind) => {
    const { access } = CHANGE_KINDS[kind] as ChangeRule;
    return access !== 'own' && holds(session, access);
  };

  const isAllowed = (session: Session, { kind, driverId, userId }: Change): boolean =>
    mayKnow(session, kind) &&
    (driverId === null || holds(session, 'drivers.read')) &&
    (userId === null || !(CHANGE_KINDS[kind] as ChangeRule).isPrivate);

  return {
    mayKnow,
    told: (session, change) => {
      if (change.accountId !== session.accountId) return null;
      const { kind, vehicleId, driverId } = change;
      const whole = wholeOf(change);
      if (isOwn(session, change)) return whole;
      if (!isAllowed(session, change)) return null;
      if (visibility.seesAll(session)) return whole;
      if (vehicleId !== null) return visibility.sees(session, directory.findById(vehicleId)) ? whole : null;
      const driver = driverId === null ? null : roster.driver(session.accountId, driverId);
      // Archived drivers aren't in memory.
      if (driver === null) return { kind, id: null, gone: false };
      return visibility.seesDriver(session, driver) ? whole : null;
    },
  };
}

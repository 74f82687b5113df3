import { mayGrant, type Permission, type Role } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { ScopedUser, Visibility } from '../../fleet/visibility.ts';
import type { Session } from '../../http/session.ts';

/** What a user may do, and where. */
export interface Rights extends ScopedUser {
  readonly role: Role;
  /** The permissions of a custom role, which replace the built-in role's; null without one. */
  readonly permissions: readonly Permission[] | null;
}

/** Whether users hold rights themselves: only then may they grant them, or change users who have them. */
export interface Holding {
  /** Whether a user is in the caller's scope; for the caller, users out of scope don't exist. */
  sees(caller: Session, user: ScopedUser): boolean;
  holds(caller: Session, rights: Rights): boolean;
  /** Throws `more-than-you-hold`. */
  refuseMore(caller: Session, rights: Rights): void;
}

export function createHolding(visibility: Pick<Visibility, 'holdsUser'>): Holding {
  const sees: Holding['sees'] = (caller, user) => visibility.holdsUser(caller, user);
  const holds: Holding['holds'] = (caller, rights) => mayGrant(caller, rights) && sees(caller, rights);
  return {
    sees,
    holds,
    refuseMore: (caller, rights) => {
      if (!holds(caller, rights)) throw new AppError('more-than-you-hold');
    },
  };
}

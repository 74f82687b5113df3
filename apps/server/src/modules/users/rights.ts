import { mayGrant, type Permission, type Role } from '@milepost/contract';
import { AppError } from '../../http/app-error.ts';
import type { Session } from '../../http/session.ts';
import type { ScopedUser, Visibility } from '../organisation/visibility.ts';

/** What a user may do, and where. */
export interface Rights extends ScopedUser {
  readonly role: Role;
  /** Of a custom role, instead of the role's own. */
  readonly permissions: readonly Permission[] | null;
}

/** Whether somebody holds rights themselves: only then may they give them, or change whoever has them. */
export interface Holding {
  /** Whether a user is in the caller's scope; else there is no such user for them. */
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

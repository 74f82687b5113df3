import { mayGrant, type Permission, type Role } from '@milepost/contract';
import { AppError } from '../../http/app-error.ts';
import type { Session } from '../../http/session.ts';
import type { Roster } from '../organisation/roster.ts';

/** What a user may do, and where. */
export interface Rights {
  readonly role: Role;
  /** Of a custom role, instead of the role's own. */
  readonly permissions: readonly Permission[] | null;
  readonly scope: Session['scope'];
}

/** Whether somebody holds rights themselves: only then may they give them, or change whoever has them. */
export interface Holding {
  holds(caller: Session, rights: Rights): boolean;
  /** Throws `more-than-you-hold`. */
  refuseMore(caller: Session, rights: Rights): void;
}

export function createHolding(roster: Pick<Roster, 'isInside'>): Holding {
  const covers = ({ accountId, scope: own }: Session, given: Session['scope']): boolean => {
    if (own === null) return true;
    if (given === null) return false;
    const within = (kind: 'folder' | 'department', ids: readonly number[], limits: readonly number[]) =>
      ids.every(id => roster.isInside(kind, accountId, id, new Set(limits)));
    return (
      within('folder', given.folderIds, own.folderIds) && within('department', given.departmentIds, own.departmentIds)
    );
  };
  const holds: Holding['holds'] = (caller, rights) => mayGrant(caller, rights) && covers(caller, rights.scope);
  return {
    holds,
    refuseMore: (caller, rights) => {
      if (!holds(caller, rights)) throw new AppError('more-than-you-hold');
    },
  };
}

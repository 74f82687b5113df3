import type { User } from '@milepost/contract';
import { RoleChip, SecondFactor, Seen, StateChip } from './UserFacts.tsx';

/** What a phone shows of a user below the name. */
export function UserCard({ user, nowMs }: { readonly user: User; readonly nowMs: number }) {
  return (
    <>
      <RoleChip user={user} />
      <StateChip user={user} nowMs={nowMs} />
      <SecondFactor user={user} />
      <Seen user={user} nowMs={nowMs} />
    </>
  );
}

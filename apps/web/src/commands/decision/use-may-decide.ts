import { type Command, may } from '@milepost/contract';
import { useSession } from '../../app/session/session.ts';

/** Whether this user could be the second person of a command: not the requester, and allowed to control. */
export function useMayDecide({ state, createdBy }: Command): boolean {
  const me = useSession(session => session.me);
  return state === 'awaiting-second' && me !== null && createdBy?.id !== me.id && may(me, 'commands.control');
}

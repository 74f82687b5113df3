import { useSession } from '../../app/session/session.ts';

/** For what of our own server the map reads by itself; nobody else is told the token. */
export function authorization(): Record<string, string> {
  const { token } = useSession.getState();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

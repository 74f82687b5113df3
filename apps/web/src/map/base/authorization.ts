import { useSession } from '../../base/session/session.ts';

/** For the map's requests to our server only; the token goes to no other host. */
export function authorization(): Record<string, string> {
  const { token } = useSession.getState();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

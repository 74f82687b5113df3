import { useSession } from '../../base/session/session.ts';

/** Headers for the map's requests to our own server. Never send the token to another host. */
export function authorization(): Record<string, string> {
  const { token } = useSession.getState();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

import type { Directory } from '../fleet/directory.ts';
import type { MessagingSignIn } from '../http/session.ts';
import type { Identity } from './rights.ts';

export interface Credentials {
  readonly clientId: string;
  readonly userName: string | undefined;
  readonly password: string | undefined;
}

const IMEI = /^\d{15}$/;
/** The user ID, then a suffix that differs per tab [R6.02]. */
const BROWSER = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\w.:-]{0,64}$/;

export const isImei = (clientId: string): boolean => IMEI.test(clientId);

/** Who the client is (operations.md): a tracker by its device key, or a browser by its session's messaging credential. */
export async function identify(
  { clientId, userName, password }: Credentials,
  directory: Directory,
  sessions: MessagingSignIn,
): Promise<Identity | null> {
  if (userName === undefined || password === undefined) return null;
  if (isImei(clientId)) {
    const vehicle = userName === clientId ? directory.findByImei(clientId) : null;
    return vehicle && directory.verifyDeviceKey(clientId, password) ? { kind: 'device', vehicle, key: password } : null;
  }
  const userId = BROWSER.exec(clientId)?.[1];
  const session = userId ? await sessions.findByMessaging(userId, userName, password) : null;
  return session && { kind: 'browser', session };
}

import type { Directory } from '../fleet/directory.ts';
import { API_TOKEN_PREFIX, type MessagingSignIn, type SessionFinder } from '../http/session.ts';
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

/**
 * Who the client is (operations.md): a tracker by its device key, a browser by its session's messaging credential, or a
 * program, with any other client ID, by an API token as the password and the name of its user.
 */
export async function identify(
  { clientId, userName, password }: Credentials,
  directory: Directory,
  sessions: MessagingSignIn & SessionFinder,
): Promise<Identity | null> {
  if (userName === undefined || password === undefined) return null;
  if (isImei(clientId)) {
    const vehicle = userName === clientId ? directory.findByImei(clientId) : null;
    return vehicle && directory.verifyDeviceKey(clientId, password) ? { kind: 'device', vehicle, key: password } : null;
  }
  const userId = BROWSER.exec(clientId)?.[1];
  if (userId === undefined) {
    const program = password.startsWith(API_TOKEN_PREFIX) ? await sessions.findByToken(password) : null;
    return program?.kind === 'api-token' && program.userName === userName
      ? { kind: 'browser', session: program }
      : null;
  }
  const session = await sessions.findByMessaging(userId, userName, password);
  return session && { kind: 'browser', session };
}

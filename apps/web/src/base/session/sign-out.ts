import { signOut as signOutRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { beginSession, endSession, useSession } from './session.ts';

/**
 * Ends the session here at once and on the server too [R4.03]. Without a connection the server's part cannot be done;
 * the session then ends there by its own expiry, and nothing of it is left in this browser.
 */
export function signOut(): void {
  call(signOutRoute).catch(() => {});
  endSession('signed-out');
}

/** Starts another user's session; the previous user is signed out. */
export function replaceSession(token: string): void {
  if (useSession.getState().token !== null) signOut();
  beginSession(token);
}

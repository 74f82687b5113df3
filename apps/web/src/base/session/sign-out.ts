import { signOut as signOutRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { beginSession, endSession, useSession } from './session.ts';

/**
 * Ends the session here at once, and on the server [R4.03]. If the server can't be reached, the session expires there
 * later, but nothing of it stays in this browser.
 */
export function signOut(): void {
  call(signOutRoute).catch(() => {});
  endSession('signed-out');
}

/** Starts another user's session. The previous user is signed out. */
export function replaceSession(token: string): void {
  if (useSession.getState().token !== null) signOut();
  beginSession(token);
}

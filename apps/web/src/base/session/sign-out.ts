import { signOut as signOutRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { beginSession, endSession, useSession } from './session.ts';

/**
 * Ends the session here at once, and on the server [R4.03]. If the server can't be reached, the session expires there
 * later, but nothing of it stays in this browser.
 */
export function signOut(): void {
  const answered = call(signOutRoute);
  endSession('signed-out');
  // The provider of single sign-on ends its session, too, if the account wants that.
  answered.then(({ next }) => next !== null && location.assign(next)).catch(() => {});
}

/** Starts another user's session. The previous user is signed out. */
export function replaceSession(token: string): void {
  if (useSession.getState().token !== null) {
    call(signOutRoute).catch(() => {});
    endSession('signed-out');
  }
  beginSession(token);
}

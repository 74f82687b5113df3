import { signOut as signOutRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { endSession } from './session.ts';

/**
 * Ends the session here at once and on the server too [R4.03]. Without a connection the server's part cannot be done;
 * the session then ends there by its own expiry, and nothing of it is left in this browser.
 */
export function signOut(): void {
  call(signOutRoute).catch(() => {});
  endSession('signed-out');
}

import type { Me, MessagingCredential } from '@milepost/contract';
import { create } from 'zustand';
import {
  clearStoredSession,
  onStoredTokenChange,
  readStoredMe,
  readStoredToken,
  storeMe,
  storeToken,
} from './storage.ts';
import type { StoredMe } from './stored-me.ts';

/** Why the session ended: the user signed out, or the server ended it. */
export type SessionEnd = 'signed-out' | 'expired';

interface Session {
  /** The bearer token. The user is signed in if there is one [R4.01]. */
  readonly token: string | null;
  /** The user, from the last visit at first, then from the server. */
  readonly me: StoredMe | null;
  /** Opens live messaging [R4.06]. Null until the server has answered in this tab. */
  readonly messaging: MessagingCredential | null;
  readonly end: SessionEnd | null;
}

const SIGNED_OUT = { token: null, me: null, messaging: null };

/** Restores a stored token at startup [R4.02]. */
export const useSession = create<Session>(() => {
  const token = readStoredToken();
  return token === null ? { ...SIGNED_OUT, end: null } : { token, me: readStoredMe(), messaging: null, end: null };
});

export function beginSession(token: string): void {
  storeToken(token);
  useSession.setState({ token, me: null, messaging: null, end: null });
}

/** Replaces the token of the running session: after a password change the server refuses the old one. */
export function renewSession(token: string): void {
  storeToken(token);
  useSession.setState({ token });
}

export function setMe({ messaging, ...me }: Me): void {
  storeMe(me);
  useSession.setState({ me, messaging });
}

/** Ends the session in this browser only. `signOut` also ends it on the server. */
export function endSession(end: SessionEnd): void {
  clearStoredSession();
  useSession.setState({ ...SIGNED_OUT, end });
}

/** Calls back at every sign-in. */
export function onSessionBegin(callback: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.token !== null && before.token === null) callback();
  });
}

/**
 * Calls back whenever a session ends, for any reason, so that live connections close and cached data is dropped
 * [R4.10].
 */
export function onSessionEnd(callback: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.token === null && before.token !== null) callback();
  });
}

onStoredTokenChange(token => {
  if (token === useSession.getState().token) return;
  if (token === null) return endSession('signed-out');
  const me = readStoredMe();
  // Another tab signed in another user, or one not known yet. This tab drops its user's data, but not the stored data,
  // which belongs to the other user.
  if (me === null || me.id !== useSession.getState().me?.id) useSession.setState({ ...SIGNED_OUT, end: 'signed-out' });
  useSession.setState({ token, me, messaging: null, end: null });
});

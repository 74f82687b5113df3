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

/** Why there is no session: never signed in, signed out, or the server ended it. */
export type SessionEnd = 'signed-out' | 'expired';

interface Session {
  /** Bearer token; its presence is what "signed in" means [R4.01]. */
  readonly token: string | null;
  /** Known at once from the last visit, then read from the server. */
  readonly me: StoredMe | null;
  /** Only once the server has been asked in this tab; opens live messaging [R4.06]. */
  readonly messaging: MessagingCredential | null;
  readonly end: SessionEnd | null;
}

const SIGNED_OUT = { token: null, me: null, messaging: null };

/** A stored token is restored at start-up [R4.02]. */
export const useSession = create<Session>(() => {
  const token = readStoredToken();
  return token === null ? { ...SIGNED_OUT, end: null } : { token, me: readStoredMe(), messaging: null, end: null };
});

export function beginSession(token: string): void {
  storeToken(token);
  useSession.setState({ token, me: null, messaging: null, end: null });
}

/** The same session under another token: a password was changed, and the old token is refused from now on. */
export function renewSession(token: string): void {
  storeToken(token);
  useSession.setState({ token });
}

export function setMe({ messaging, ...me }: Me): void {
  storeMe(me);
  useSession.setState({ me, messaging });
}

/** Ends the session in this browser; telling the server is the caller's part (`signOut`). */
export function endSession(end: SessionEnd): void {
  clearStoredSession();
  useSession.setState({ ...SIGNED_OUT, end });
}

/** Runs at every sign-in. */
export function onSessionBegin(callback: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.token !== null && before.token === null) callback();
  });
}

/** Runs whenever a session ends, however it ended: live connections and cached data go with it [R4.10]. */
export function onSessionEnd(callback: () => void): () => void {
  return useSession.subscribe((now, before) => {
    if (now.token === null && before.token !== null) callback();
  });
}

onStoredTokenChange(token => {
  if (token === useSession.getState().token) return;
  if (token === null) return endSession('signed-out');
  const me = readStoredMe();
  // Someone else, or not known yet: what this tab knows of the one before ends with them. What is stored is the other's.
  if (me === null || me.id !== useSession.getState().me?.id) useSession.setState({ ...SIGNED_OUT, end: 'signed-out' });
  useSession.setState({ token, me, messaging: null, end: null });
});

import { readKept } from './kept.ts';
import { type StoredMe, storedMe } from './stored-me.ts';

/** Keys of the session's data in localStorage, as specified [R3.09]. */
const TOKEN_KEY = 'token';
const ME_KEY = 'ncfMe';
/** Listed here so that sign-out clears them even if the code of `organisation/` never loaded. */
export const USERS_KEY = 'users';
export const FOLDERS_KEY = 'folders';
export const DEPARTMENTS_KEY = 'departments';
export const EXPANDED_KEY = 'folderExpandState';
/** Which tiles of the overview take longer to load. */
export const OUTCOMES_KEY = 'overviewOutcomes';
/** The tenant's branding, stored by `tenant/` [R3.09]. */
export const TENANT_KEY = 'tenant';
const OF_THE_USER = [
  TOKEN_KEY,
  ME_KEY,
  USERS_KEY,
  FOLDERS_KEY,
  DEPARTMENTS_KEY,
  EXPANDED_KEY,
  OUTCOMES_KEY,
  TENANT_KEY,
];
/** In sessionStorage: the sign-in message has been shown in this browser session [R4.05]. */
const LOGIN_NOTIFIED_KEY = 'loginNotified';

export function readStoredToken(): string | null {
  return localStorage.getItem(TOKEN_KEY);
}

export const readStoredMe = (): StoredMe | null => readKept(ME_KEY, storedMe);

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN_KEY, token);
}

export function storeMe(me: StoredMe): void {
  localStorage.setItem(ME_KEY, JSON.stringify(storedMe(me)));
}

/** True the first time in a browser session. Signing out resets this. */
export function takeLoginNotice(): boolean {
  if (sessionStorage.getItem(LOGIN_NOTIFIED_KEY) !== null) return false;
  sessionStorage.setItem(LOGIN_NOTIFIED_KEY, '1');
  return true;
}

/** Removes all data of the user. Device settings such as the appearance stay [R4.03]. */
export function clearStoredSession(): void {
  for (const key of OF_THE_USER) localStorage.removeItem(key);
  sessionStorage.removeItem(LOGIN_NOTIFIED_KEY);
}

/** Calls back when another tab signs in or out. */
export function onStoredTokenChange(callback: (token: string | null) => void): void {
  window.addEventListener('storage', event => {
    // The key is null when all of localStorage was cleared.
    if (event.key === TOKEN_KEY || event.key === null) callback(readStoredToken());
  });
}

import type { User } from '@milepost/contract';
import { USERS_KEY } from '../base/session/storage.ts';

/** The minimum shown before the list has loaded: names. No email addresses or rights. */
const FIELDS = ['id', 'userName', 'displayName'] as const;
export type StoredUser = Pick<User, (typeof FIELDS)[number]>;

export function readStoredUsers(): readonly StoredUser[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(USERS_KEY) ?? '[]');
    return Array.isArray(stored) && stored.every(isStoredUser) ? stored : [];
  } catch {
    // Stored by another version of the app. The server is asked in any case.
    return [];
  }
}

const isStoredUser = (one: Partial<Record<keyof StoredUser, unknown>> | null): one is StoredUser =>
  FIELDS.every(field => typeof one?.[field] === 'string');

/** Stores the users. An empty list removes the stored data. */
export function storeUsers(users: readonly User[]): readonly StoredUser[] {
  const stored = users.map(({ id, userName, displayName }) => ({ id, userName, displayName }));
  if (stored.length === 0) localStorage.removeItem(USERS_KEY);
  else localStorage.setItem(USERS_KEY, JSON.stringify(stored));
  return stored;
}

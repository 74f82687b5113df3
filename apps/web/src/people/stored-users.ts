import { type User, userSchema } from '@milepost/contract';
import { z } from 'zod';
import { USERS_KEY } from '../base/session/storage.ts';

/** The minimum shown before the list has loaded: names. No email addresses or rights. */
const storedUserSchema = userSchema.pick({ id: true, userName: true, displayName: true });
export type StoredUser = z.infer<typeof storedUserSchema>;

export function readStoredUsers(): readonly StoredUser[] {
  try {
    return z.array(storedUserSchema).parse(JSON.parse(localStorage.getItem(USERS_KEY) ?? '[]'));
  } catch {
    // Stored by another version of the app. The server is asked in any case.
    return [];
  }
}

/** Stores the users. An empty list removes the stored data. */
export function storeUsers(users: readonly User[]): readonly StoredUser[] {
  const stored = users.map(user => storedUserSchema.parse(user));
  if (stored.length === 0) localStorage.removeItem(USERS_KEY);
  else localStorage.setItem(USERS_KEY, JSON.stringify(stored));
  return stored;
}

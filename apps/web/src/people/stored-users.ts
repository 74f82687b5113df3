import { type User, userSchema } from '@milepost/contract';
import { z } from 'zod';
import { USERS_KEY } from '../base/session/storage.ts';

/** The minimum a screen needs before the list has loaded: names. No addresses, no rights. */
const storedUserSchema = userSchema.pick({ id: true, userName: true, displayName: true });
export type StoredUser = z.infer<typeof storedUserSchema>;

export function readStoredUsers(): readonly StoredUser[] {
  try {
    return z.array(storedUserSchema).parse(JSON.parse(localStorage.getItem(USERS_KEY) ?? '[]'));
  } catch {
    // Written by another version: the server is asked anyway.
    return [];
  }
}

/** Nobody to keep leaves nothing behind. */
export function storeUsers(users: readonly User[]): readonly StoredUser[] {
  const stored = users.map(user => storedUserSchema.parse(user));
  if (stored.length === 0) localStorage.removeItem(USERS_KEY);
  else localStorage.setItem(USERS_KEY, JSON.stringify(stored));
  return stored;
}

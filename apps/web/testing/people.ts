import type { Driver, User } from '@milepost/contract';

/** A user of the account, as the server answers. */
export function user(displayName: string, changes: Partial<User> = {}): User {
  const [first = '', last = ''] = displayName.toLowerCase().split(' ');
  return {
    id: crypto.randomUUID(),
    userName: `${first.slice(0, 1)}.${last}`,
    displayName,
    email: null,
    pendingEmail: null,
    phone: null,
    gender: 0,
    image: null,
    role: 'viewer',
    customRole: null,
    scope: null,
    state: 'active',
    expiresAt: null,
    lastSeenAt: null,
    sessions: 0,
    secondFactor: { totp: false, passkeys: 0 },
    createdAt: '2026-11-20T15:00:00Z',
    createdBy: 'Nora Kessler',
    editable: true,
    ...changes,
  };
}

let nextDriver = 1;

/** A driver of the account, as the server answers. */
export const driver = (name: string, changes: Partial<Driver> = {}): Driver => ({
  id: String(nextDriver++),
  name,
  phone: null,
  email: null,
  licenceNumber: null,
  licenceRegion: null,
  licenceClass: null,
  licenceExpiresOn: null,
  card: null,
  departmentId: null,
  userId: null,
  notes: null,
  archived: false,
  createdAt: '2026-11-20T15:00:00Z',
  vehicle: null,
  documentsExpireOn: null,
  ...changes,
});

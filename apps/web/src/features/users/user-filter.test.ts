import type { User } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { lastSeen, shownState } from './describe-user.ts';
import { matchesUser } from './user-filter.ts';

const NOW = Date.parse('2026-11-19T14:02:11Z');
const USER: User = {
  id: '6f1d3a34-0c47-4c7c-9b53-3d2f0c8b1a01',
  userName: 'o.haddad',
  displayName: 'Omar Haddad',
  email: 'omar@rockfish.example',
  phone: null,
  gender: 0,
  image: null,
  role: 'dispatcher',
  customRole: null,
  scope: { folderIds: ['4'], departmentIds: [] },
  state: 'active',
  expiresAt: null,
  pendingEmail: null,
  lastSeenAt: null,
  sessions: 0,
  secondFactor: { totp: false, passkeys: 0 },
  createdAt: '2026-03-12T08:00:00Z',
  createdBy: null,
  editable: true,
};
const matches = (filters: Record<string, string[]>, query = '') => matchesUser(USER, { query, filters }, NOW);

describe('the filters of the users', () => {
  it.each([
    [{}, true],
    [{ role: ['dispatcher', 'viewer'] }, true],
    [{ role: ['admin'] }, false],
    [{ scope: ['folder-4'] }, true],
    [{ scope: ['everything'] }, false],
    [{ scope: ['department-4'] }, false],
    [{ factor: ['off'] }, true],
    [{ seen: ['never'] }, true],
    [{ state: ['active'], factor: ['passkey'] }, false],
  ])('%j: %j', (filters, found) => {
    expect(matches(filters as Record<string, string[]>)).toBe(found);
  });

  it('the search reads names and addresses', () => {
    expect(['omar', 'haddad o.had', 'rockfish', 'lena'].map(query => matches({}, query))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('a user in words', () => {
  it.each([
    [null, 'never'],
    [NOW - 30_000, 'now'],
    [NOW - 12 * 60_000, 'ago'],
    [NOW - 5 * 3_600_000, 'at'],
    [NOW - 41 * 86_400_000, 'long-ago'],
  ])('last seen %s: %s', (at, kind) => {
    expect(lastSeen(at === null ? null : new Date(at).toISOString(), NOW).kind).toBe(kind);
  });

  it('an access with an end in sight is ending', () => {
    const inTenDays = new Date(NOW + 10 * 86_400_000).toISOString();
    expect(shownState({ state: 'active', expiresAt: inTenDays }, NOW)).toBe('ending');
    expect(shownState({ state: 'invited', expiresAt: inTenDays }, NOW)).toBe('invited');
    expect(shownState({ state: 'active', expiresAt: null }, NOW)).toBe('active');
  });
});

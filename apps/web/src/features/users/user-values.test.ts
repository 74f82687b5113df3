import type { User } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { bodyOf, changesOf, NEW_USER, type RoleChoice, valuesOf } from './user-values.ts';

const ROLES: readonly RoleChoice[] = [
  { id: 'viewer', name: 'viewer', builtIn: true, basedOn: 'viewer', permissions: [], users: 1, grantable: true },
  { id: '12', name: 'Night desk', builtIn: false, basedOn: 'dispatcher', permissions: [], users: 0, grantable: true },
];
const USER = {
  ...{ displayName: 'Lena Frye', userName: 'l.frye', email: 'lena@rockfish.example', phone: null },
  ...{ role: 'viewer', customRole: null, scope: null, expiresAt: null },
} as User;

describe('the form of a user', () => {
  it('sends nothing that was not changed', () => {
    expect(changesOf(USER, valuesOf(USER), ROLES)).toEqual({});
    expect(changesOf(USER, { ...valuesOf(USER), displayName: 'Lena Frye-Ortiz' }, ROLES)).toEqual({
      displayName: 'Lena Frye-Ortiz',
    });
  });

  it('a custom role goes with the role that it is based on', () => {
    expect(changesOf(USER, { ...valuesOf(USER), roleId: '12' }, ROLES)).toEqual({
      role: 'dispatcher',
      customRoleId: '12',
    });
    expect(bodyOf({ ...NEW_USER, roleId: 'viewer' }, ROLES)).toMatchObject({ role: 'viewer', customRoleId: null });
  });

  it('an access ends with the end of its last day', () => {
    const { expiresAt } = bodyOf({ ...NEW_USER, lastDay: '2026-11-30' }, ROLES);
    expect(new Date(expiresAt ?? '')).toEqual(new Date('2026-11-30T23:59:59'));
    expect(valuesOf({ ...USER, expiresAt } as User).lastDay).toBe('2026-11-30');
  });
});

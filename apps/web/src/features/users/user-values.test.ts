import type { User } from '@milepost/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { isoDateOf } from '../../format/date.ts';
import { setFormatTimeZone } from '../../format/locale.ts';
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

  it.each([
    ['Pacific/Auckland', '2026-11-30', '2026-11-30T10:59:59.000Z'],
    ['America/Chicago', '2026-11-30', '2026-12-01T05:59:59.000Z'],
    ['America/Chicago', '2026-11-01', '2026-11-02T05:59:59.000Z'],
    ['America/Chicago', '2026-03-08', '2026-03-09T04:59:59.000Z'],
  ])('an access ends with the end of its last day in the zone of the profile: %s, %s', (zone, lastDay, expiresAt) => {
    setFormatTimeZone(zone);
    expect(bodyOf({ ...NEW_USER, lastDay }, ROLES).expiresAt).toBe(expiresAt);
    expect(valuesOf({ ...USER, expiresAt } as User).lastDay).toBe(lastDay);
    expect(isoDateOf(Date.parse(expiresAt))).toBe(lastDay);
  });

  it('leaves what is no day to the schema', () => {
    expect(bodyOf({ ...NEW_USER, lastDay: '120266-11-30' }, ROLES).expiresAt).toBe('120266-11-30');
  });

  afterEach(() => setFormatTimeZone(undefined));
});

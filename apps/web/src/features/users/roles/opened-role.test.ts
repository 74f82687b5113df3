import { expect, it } from 'vitest';
import type { RoleChoice } from '../user-values.ts';
import { isOfRoles, NEW_ROLE, openedRole, ROLES, roleOf } from './opened-role.ts';

const builtIn: RoleChoice = {
  id: 'viewer',
  name: 'viewer',
  builtIn: true,
  basedOn: 'viewer',
  permissions: [],
  users: 2,
  grantable: true,
};
const own: RoleChoice = { ...builtIn, id: '7', name: 'Safety', builtIn: false };

it('tells what of the roles is open from the users of the list', () => {
  expect([ROLES, NEW_ROLE, openedRole(own)].every(isOfRoles)).toBe(true);
  expect([null, 'new', '7', ''].some(isOfRoles)).toBe(false);
});

it('finds the role that is changed in the list as it is now', () => {
  expect(roleOf(openedRole(own), [builtIn, own])).toBe(own);
  expect(roleOf(openedRole(own), [builtIn, { ...own, name: 'Compliance' }])?.name).toBe('Compliance');
});

it('finds none that is built in, gone or new', () => {
  expect(roleOf(openedRole(builtIn), [builtIn, own])).toBeUndefined();
  expect(roleOf(openedRole(own), [builtIn])).toBeUndefined();
  expect(roleOf(NEW_ROLE, [builtIn, own])).toBeUndefined();
});

import type { RoleChoice } from '../user-values.ts';

/** What the address opens beside the list of users: all roles, a new role, or a custom role. */
export const ROLES = 'roles';
const ROLE = 'role-';
export const NEW_ROLE = `${ROLE}new`;
export const openedRole = ({ id }: Pick<RoleChoice, 'id'>): string => ROLE + id;

export const isOfRoles = (open: string | null): open is string => open === ROLES || (open?.startsWith(ROLE) ?? false);

/** The role being edited, as in the current list. Built-in roles can't be changed. */
export const roleOf = (open: string, roles: readonly RoleChoice[]): RoleChoice | undefined =>
  roles.find(role => !role.builtIn && openedRole(role) === open);

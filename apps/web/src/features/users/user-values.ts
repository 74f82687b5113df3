import type { listRoles, RouteAnswer, Scope, User } from '@milepost/contract';
import { dayAfter, isDay, isoDateOf } from '../../format/date.ts';
import { midnightOf } from '../../format/time.ts';
import { roleIdOf } from './describe-user.ts';

export type RoleChoice = RouteAnswer<typeof listRoles>[number];

/** Values of a user's form. */
export interface UserValues {
  readonly displayName: string;
  readonly userName: string;
  readonly email: string;
  readonly phone: string;
  readonly roleId: string;
  readonly scope: Scope | null;
  /** Last day of access, `2026-11-30`; empty if access doesn't end. */
  readonly lastDay: string;
}

export const NEW_USER: UserValues = {
  displayName: '',
  userName: '',
  email: '',
  phone: '',
  roleId: 'dispatcher',
  scope: null,
  lastDay: '',
};

export function valuesOf(user: User): UserValues {
  return {
    displayName: user.displayName,
    userName: user.userName,
    email: user.email ?? '',
    phone: user.phone ?? '',
    roleId: roleIdOf(user),
    scope: user.scope,
    lastDay: user.expiresAt === null ? '' : isoDateOf(Date.parse(user.expiresAt)),
  };
}

/** The request body for these values. A custom role also sends the role that it is based on. */
export function bodyOf(values: UserValues, roles: readonly RoleChoice[]) {
  const role = roles.find(({ id }) => id === values.roleId);
  return {
    displayName: values.displayName,
    userName: values.userName,
    email: values.email,
    phone: values.phone,
    role: role?.basedOn ?? values.roleId,
    customRoleId: role === undefined || role.builtIn ? null : role.id,
    scope: values.scope,
    expiresAt: values.lastDay === '' ? null : endOf(values.lastDay),
  };
}

/** Only the changed fields, so that another user's change of a different field is kept. */
export function changesOf(
  user: User,
  values: UserValues,
  roles: readonly RoleChoice[],
): Partial<ReturnType<typeof bodyOf>> {
  const [before, after] = [bodyOf(valuesOf(user), roles), bodyOf(values, roles)];
  const isRoleChanged = before.role !== after.role || before.customRoleId !== after.customRoleId;
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(name =>
    name === 'role' || name === 'customRoleId'
      ? isRoleChanged
      : JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map(name => [name, after[name]]));
}

/**
 * The last second of a day in the user's time zone. Invalid text is returned unchanged, so that the schema can report
 * it.
 */
const endOf = (day: string): string => (isDay(day) ? new Date(midnightOf(dayAfter(day)) - 1000).toISOString() : day);

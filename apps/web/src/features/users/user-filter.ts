import type { User } from '@milepost/contract';
import type { RegistryView } from '../../registry/registry-url.ts';
import { matchesSearch } from '../../registry/search.ts';
import { factorOf, roleIdOf, shownState } from './describe-user.ts';

/** The filters of the page, as its address names them. */
export const USER_FILTERS = ['state', 'role', 'scope', 'factor', 'seen'] as const;

/** A user's values for each filter; they match a filter if one of the chosen values is among them. */
function answers(user: User, nowMs: number): Readonly<Record<(typeof USER_FILTERS)[number], readonly string[]>> {
  const { scope } = user;
  return {
    state: [shownState(user, nowMs)],
    role: [roleIdOf(user)],
    scope:
      scope === null
        ? ['everything']
        : [...scope.folderIds.map(id => `folder-${id}`), ...scope.departmentIds.map(id => `department-${id}`)],
    factor: [factorOf(user)],
    seen: [user.lastSeenAt === null ? 'never' : 'seen'],
  };
}

export function matchesUser(user: User, { query, filters }: Pick<RegistryView, 'query' | 'filters'>, nowMs: number) {
  const given = answers(user, nowMs);
  const fits = USER_FILTERS.every(filter => filters[filter]?.some(value => given[filter].includes(value)) ?? true);
  return fits && matchesSearch(query, [user.displayName, user.userName, user.email, user.phone]);
}

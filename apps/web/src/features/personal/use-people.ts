import { type Driver, listDrivers } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../base/api.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';

/** Drivers insert and remove cards while the page is open. */
const ASK_EVERY_MS = 60_000;
const NONE: readonly Driver[] = [];

/** All current and former drivers, and each by id. */
export function usePeople() {
  const { data, error, refetch } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    refetchInterval: ASK_EVERY_MS,
  });
  const people = data ?? NONE;
  const byId = useMemo(() => new Map(people.map(person => [person.id, person])), [people]);
  // Archived people don't count in a department.
  const members = useMemo(
    () => people.filter(({ archived }) => !archived).map(({ id, departmentId }) => ({ id, groupId: departmentId })),
    [people],
  );
  return { people, byId, members, loaded: data !== undefined, error, refetch };
}

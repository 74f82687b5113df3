import { type Driver, listDrivers } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../app/api.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';

/** Cards go in and come out of vehicles while somebody looks. */
const ASK_EVERY_MS = 60_000;
const NONE: readonly Driver[] = [];

/** Everybody who drives or has driven, and each by their id. */
export function usePeople() {
  const { data, error, refetch } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    refetchInterval: ASK_EVERY_MS,
  });
  const people = data ?? NONE;
  const byId = useMemo(() => new Map(people.map(person => [person.id, person])), [people]);
  // Who has left is in no department's count.
  const members = useMemo(
    () => people.filter(({ archived }) => !archived).map(({ id, departmentId }) => ({ id, groupId: departmentId })),
    [people],
  );
  return { people, byId, members, loaded: data !== undefined, error, refetch };
}

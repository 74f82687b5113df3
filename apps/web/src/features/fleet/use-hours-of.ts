import { may, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../../base/session/session.ts';
import { boardQuery } from '../../changes/keep-board.ts';
import { usePast } from '../../live/past.ts';
import type { FleetFacts } from './facts.ts';

/** The hours of who is signed in to each vehicle, if the page shows them. The clocks are those of now. */
export function useHoursOf(isShown: boolean): Pick<FleetFacts, 'hoursOf'> {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  const isPast = usePast() !== undefined;
  const { data } = useQuery({ ...boardQuery, enabled: mayRead && isShown && !isPast });
  return useMemo(() => {
    if (!data || isPast) return {};
    const byVehicle = new Map(data.rows.flatMap(row => (row.vehicle ? [[row.vehicle.id, row] as const] : [])));
    return { hoursOf: ({ id }: Vehicle) => byVehicle.get(id) ?? null };
  }, [data, isPast]);
}

import { type RouteAnswer, readVehicleDay, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { endOfDay, startOfDay } from '../../format/time.ts';
import { useFromNow } from '../../live/view.ts';

/** The day goes on while one looks at it. */
const READ_EVERY_MS = 60_000;

export type DayFigures = RouteAnswer<typeof readVehicleDay>;

/** The day that begins at this midnight of the reader's zone, or today. */
export function useDay(vehicle: Vehicle, dayMs?: number) {
  const todayMs = useFromNow(startOfDay);
  const fromMs = dayMs ?? todayMs;
  const toMs = endOfDay(fromMs);
  const { data, error, isPending } = useQuery({
    queryKey: ['day', vehicle.id, fromMs],
    queryFn: () =>
      call(readVehicleDay, {
        params: { id: vehicle.id },
        query: { from: new Date(fromMs).toISOString(), to: new Date(Math.min(Date.now(), toMs)).toISOString() },
      }),
    refetchInterval: fromMs === todayMs && READ_EVERY_MS,
  });
  return { day: data, error, isPending, fromMs, toMs, isToday: fromMs === todayMs };
}

import { type Leg, listLegs, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { endOfDay, startOfDay } from '../../format/time.ts';
import { usePast } from '../../live/past.ts';
import { useClock, useFromNow } from '../../live/view.ts';

/** The day goes on while one looks at it. */
const READ_EVERY_MS = 60_000;
const SECOND_MS = 1000;
/** While reports are still being counted. */
const BEHIND_EVERY_MS = 5000;

/** The vehicle's trips and stops of the day that begins at this midnight, newest first; in the past those begun by then. */
export function useTrips(vehicle: Vehicle, fromMs: number) {
  const todayMs = useFromNow(startOfDay);
  const clock = useClock();
  const past = usePast();
  const { data, error } = useQuery({
    queryKey: ['trips', vehicle.id, fromMs, past?.atMs],
    queryFn: () =>
      call(listLegs, {
        params: { id: vehicle.id },
        query: {
          from: new Date(fromMs).toISOString(),
          to: new Date(Math.max(fromMs + SECOND_MS, Math.min(clock.now(), endOfDay(fromMs)))).toISOString(),
        },
      }),
    refetchInterval: ({ state }) =>
      state.data?.isBehind ? BEHIND_EVERY_MS : fromMs === todayMs && !past && READ_EVERY_MS,
  });
  return { trips: data && { ...data, legs: newestFirst(data.legs) }, error };
}

/** Without a gap at either end: of the time before its first report, or after its last, there is nothing to say. */
function newestFirst(legs: readonly Leg[]): Leg[] {
  const first = legs.findIndex(({ kind }) => kind !== 'gap');
  return first < 0 ? [] : legs.slice(first).toReversed();
}

import { type Leg, listLegs, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useAccountZone } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { endOfDay, startOfDay } from '../../format/time.ts';
import { usePast } from '../../live/past.ts';
import { useClock, useFromNow } from '../../live/view.ts';

/** Today's trips change while the user looks at them. */
const READ_EVERY_MS = 60_000;
const SECOND_MS = 1000;
/** Refetch interval while the server is still processing reports. */
const BEHIND_EVERY_MS = 5000;

/**
 * The vehicle's trips and stops of the account's day that starts at `fromMs`, newest first. On a page that shows the past, only
 * those that had started by then.
 */
export function useTrips(vehicle: Vehicle, fromMs: number) {
  const zone = useAccountZone();
  const todayMs = useFromNow(ms => startOfDay(ms, zone));
  const clock = useClock();
  const past = usePast();
  const { data, error } = useQuery({
    queryKey: ['trips', vehicle.id, fromMs, past?.atMs],
    queryFn: () =>
      call(listLegs, {
        params: { id: vehicle.id },
        query: {
          from: new Date(fromMs).toISOString(),
          to: new Date(Math.max(fromMs + SECOND_MS, Math.min(clock.now(), endOfDay(fromMs, zone)))).toISOString(),
        },
      }),
    enabled: zone !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.isBehind ? BEHIND_EVERY_MS : fromMs === todayMs && !past && READ_EVERY_MS,
  });
  return { trips: data && { ...data, legs: newestFirst(data.legs) }, error };
}

/** Newest first, without a gap before the first trip or stop, where nothing is known. */
function newestFirst(legs: readonly Leg[]): Leg[] {
  const first = legs.findIndex(({ kind }) => kind !== 'gap');
  return first < 0 ? [] : legs.slice(first).toReversed();
}

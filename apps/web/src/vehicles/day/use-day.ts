import { type RouteAnswer, readVehicleDay, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useAccountZone } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { endOfDay, startOfDay } from '../../format/time.ts';
import { usePast } from '../../live/past.ts';
import { useClock, useFromNow } from '../../live/view.ts';

/** Today's figures change while the user looks at them. */
const READ_EVERY_MS = 60_000;
const SECOND_MS = 1000;

export type DayFigures = RouteAnswer<typeof readVehicleDay>;

/**
 * A vehicle's figures for the account's day that starts at `dayMs`, or for today: those of the fleet's table and the
 * reports. On a page that shows the past, only up to that moment.
 */
export function useDay(vehicle: Vehicle, dayMs?: number) {
  const zone = useAccountZone();
  const todayMs = useFromNow(ms => startOfDay(ms, zone));
  const fromMs = dayMs ?? todayMs;
  const toMs = endOfDay(fromMs, zone);
  const clock = useClock();
  const past = usePast();
  const { data, error, isPending } = useQuery({
    queryKey: ['day', vehicle.id, fromMs, past?.atMs],
    queryFn: () =>
      call(readVehicleDay, {
        params: { id: vehicle.id },
        query: {
          from: new Date(fromMs).toISOString(),
          // A day that hadn't started by then is empty.
          to: new Date(Math.max(fromMs + SECOND_MS, Math.min(clock.now(), toMs))).toISOString(),
        },
      }),
    enabled: zone !== undefined,
    refetchInterval: fromMs === todayMs && !past && READ_EVERY_MS,
  });
  return { day: data, error, isPending, zone, fromMs, toMs, isToday: fromMs === todayMs };
}

import { type FleetPeriod, may, readFleetDay, readFleetPeriod } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useAccountSettings } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { type Days, daysOf } from '../../figures/period.ts';
import { isoDateOf } from '../../format/date.ts';
import { usePast } from '../../live/past.ts';
import { useClock } from '../../live/view.ts';
import type { FleetPeriodChoice } from './state/fleet-url.ts';

/** Today's figures keep changing while they are on screen. */
const READ_EVERY_MS = 60_000;

/**
 * What the vehicles did over a period. Users who see only part of it, such as drivers, get today. Nothing for a past
 * moment, because a day's figures are those at its end.
 */
export function useFleetPeriod({ name, days }: FleetPeriodChoice) {
  const clock = useClock();
  const isPast = usePast() !== undefined;
  const settings = useAccountSettings();
  const me = useSession(session => session.me);
  const mayChoose = me !== null && me.role !== 'driver' && may(me, 'organisation.read');
  const asked = mayChoose ? daysOf(name, days, isoDateOf(clock.now(), settings.timeZone)) : null;
  const query = useQuery({
    queryKey: ['fleet-period', asked?.from, asked?.to],
    queryFn: () => (asked ? call(readFleetPeriod, { query: { ...asked } }) : readToday()),
    refetchInterval: READ_EVERY_MS,
    enabled: !isPast,
  });
  return { ...query, ...(isPast && { data: undefined, isError: false }), mayChoose: mayChoose && !isPast };
}

/** Only the part that the user may see. */
async function readToday(): Promise<Pick<FleetPeriod, 'vehicles' | 'daySeconds'> & { readonly period: Days }> {
  const { date, from, until, vehicles } = await call(readFleetDay);
  return {
    period: { from: date, to: date },
    daySeconds: [(Date.parse(until) - Date.parse(from)) / 1000],
    vehicles: vehicles.map(day => ({ ...day, since: date, inUse: day.isInUse ? 1 : 0, alerts: null })),
  };
}

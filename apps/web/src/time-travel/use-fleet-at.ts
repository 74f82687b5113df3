import { listAlerts, may, readFleetAt, type Vehicle } from '@milepost/contract';
import { agedBy } from '@milepost/geo';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountSettingsQuery } from '../base/account-settings.ts';
import { call } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';
import { useConnection } from '../live/connection.ts';
import type { FleetAt } from '../live/past.ts';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { pastPositions, setPastClock, usePicture } from './past-view.ts';

/** The slider shows at most this many of the day's alerts. */
const ALERTS = 500;

/** Reads the fleet at a moment and shows it in the past view. Returns the moment that is shown, null until one is. */
export function useFleetAt(atMs: number) {
  const at = new Date(atMs).toISOString();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['fleet-at', at],
    queryFn: () => call(readFleetAt, { query: { at } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const { data: vehicles } = useQuery(vehicleListQuery);
  const { data: settings } = useQuery(accountSettingsQuery);
  useEffect(() => {
    if (settings) pastPositions.judgeBy(agedBy(settings.settings));
  }, [settings]);
  useEffect(() => {
    if (data && vehicles) show(data, vehicles);
  }, [data, vehicles]);
  useEffect(() => {
    useConnection.setState({ pastMs: atMs });
  }, [atMs]);
  // The next user must not see this user's past view.
  useEffect(
    () => () => {
      useConnection.setState({ pastMs: null });
      usePicture.setState({ picture: null });
      pastPositions.clear();
    },
    [],
  );
  return { shownMs: data && vehicles ? Date.parse(data.at) : null, error, isReading: isPlaceholderData, refetch };
}

function show(picture: FleetAt, vehicles: readonly Vehicle[]): void {
  const atMs = Date.parse(picture.at);
  const then = new Map(picture.vehicles.map(one => [one.deviceId, one]));
  setPastClock(atMs);
  pastPositions.rewind();
  pastPositions.applyVehicles(
    vehicles.flatMap(vehicle => {
      const known = then.get(vehicle.id);
      // A vehicle without a report by then that was added later wasn't part of the fleet yet.
      if (!known || (known.report === null && Date.parse(vehicle.createdAt) > atMs)) return [];
      return [{ ...vehicle, live: known.live, driver: known.driver }];
    }),
  );
  // A report that arrived late gets the time at which the vehicle was last heard from, as seen at that moment.
  pastPositions.applySnapshot(
    picture.vehicles.flatMap(({ arrivedLater, live, report }) => {
      if (!report) return [];
      const { driver: _, ...rest } = report;
      return [arrivedLater && live.heardAt !== null ? { ...rest, receivedAt: live.heardAt } : rest];
    }),
  );
  usePicture.setState({ picture });
}

/** When alerts began on a day, oldest first. Empty for users who may not see alerts. */
export function useAlertTimes(fromMs: number, toMs: number): readonly number[] {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'alerts.read'));
  const { data } = useQuery({
    queryKey: ['alert-times', fromMs, toMs],
    queryFn: () =>
      call(listAlerts, {
        query: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), limit: ALERTS },
      }),
    enabled: mayRead,
    staleTime: 60_000,
  });
  return (data?.alerts ?? []).map(({ openedAt }) => Date.parse(openedAt)).toReversed();
}

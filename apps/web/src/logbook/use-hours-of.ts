import { type BoardRow, may } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../base/session/session.ts';
import { boardQuery } from '../changes/keep-board.ts';
import { usePast } from '../live/past.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { driverOf } from '../vehicles/vehicle-words.ts';

export type HoursOf = (entry: VehicleEntry) => BoardRow | null;

/**
 * The duty status and clocks of who is signed in to each vehicle: of its driver, or else of the one who drives, or is
 * first on the board. Undefined if the account keeps no logs, the user may not see them, or the page shows the past,
 * because the clocks are those of now.
 */
export function useHoursOf(): HoursOf | undefined {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  const isPast = usePast() !== undefined;
  const { data } = useQuery({ ...boardQuery, enabled: mayRead && !isPast });
  return useMemo(() => {
    if (!data || data.rows.length === 0 || isPast) return undefined;
    const byVehicle = Map.groupBy(
      data.rows.filter(({ vehicle }) => vehicle !== null),
      ({ vehicle }) => vehicle?.id,
    );
    return entry => {
      const rows = byVehicle.get(entry.vehicle.id) ?? [];
      const driverId = driverOf(entry)?.id;
      return (
        rows.find(row => row.driverId === driverId) ?? rows.find(({ status }) => status === 'D') ?? rows[0] ?? null
      );
    };
  }, [data, isPast]);
}

/** The board's row of each driver who keeps a log; undefined if nobody does, or the user may not see logs. */
export function useBoardOf(): ((driverId: string) => BoardRow | null) | undefined {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  const { data } = useQuery({ ...boardQuery, enabled: mayRead });
  return useMemo(() => {
    if (!data || data.rows.length === 0) return undefined;
    const byDriver = new Map(data.rows.map(row => [row.driverId, row]));
    return driverId => byDriver.get(driverId) ?? null;
  }, [data]);
}

import { type LogDay, may } from '@milepost/contract';
import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSession } from '../../../base/session/session.ts';
import { readVehicleTrack } from '../../../tracks/read-track.ts';
import type { Track } from '../../../tracks/unpack.ts';

interface Found {
  readonly data: Track | undefined;
}

/**
 * The tracks of the vehicles in a day's log, in order, each while the driver was in it. One that is still loading, or
 * that the reader may not see, is missing.
 */
export function useDayTracks(day: LogDay | undefined): readonly Track[] {
  const maySee = useSession(({ me }) => me !== null && may(me, 'vehicles.read'));
  return useQueries({
    queries: (maySee ? (day?.drives ?? []) : []).map(({ deviceId, from, to }) => ({
      queryKey: ['log-track', deviceId, from, to],
      queryFn: () => readVehicleTrack(deviceId, Date.parse(from), Date.parse(to) - 1),
      retry: false,
    })),
    combine: useCallback((found: readonly Found[]) => found.flatMap(({ data }) => data ?? []), []),
  });
}

import type { PositionReport, Vehicle } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useAccountZone } from '../../base/account-settings.ts';
import { startOfDay } from '../../format/time.ts';
import { useConnection } from '../../live/connection.ts';
import { usePast } from '../../live/past.ts';
import { useClock, usePositions } from '../../live/view.ts';
import { type TrackPoint, trackPoint, trackPoints } from '../../map/trail/trail.ts';
import { readVehicleTrack } from '../../tracks/read-track.ts';
import type { TrailWindow } from './state/dashboard-state.ts';

const MINUTE_MS = 60_000;

/** When the drawn trail starts: today's at the account's midnight. */
export function windowStart(window: Exclude<TrailWindow, 'off'>, nowMs: number, zone: string | undefined): number {
  if (window === 'today') return startOfDay(nowMs, zone);
  return nowMs - (window === '10m' ? 10 : 60) * MINUTE_MS;
}

interface VehicleTrack {
  /** In order of arrival: loaded points first, then live ones. */
  readonly points: readonly TrackPoint[];
  readonly error: unknown;
}

const NONE: readonly TrackPoint[] = [];

const pointsOf = (reports: readonly PositionReport[], imei: string | undefined): TrackPoint[] =>
  reports.flatMap(report => (report.imei === imei ? (trackPoint(report) ?? []) : []));

/**
 * The track of one vehicle in a window that ends now: loaded once, continued live, and reloaded after a gap in the
 * connection.
 */
export function useTrack(vehicle: Vehicle | undefined, window: TrailWindow): VehicleTrack {
  const clock = useClock();
  const positions = usePositions();
  const past = usePast();
  const zone = useAccountZone();
  const queryClient = useQueryClient();
  const id = vehicle?.id;
  const imei = vehicle?.imei;
  const { data = NONE, error } = useQuery({
    queryKey: ['track', id, window, zone, past?.atMs],
    queryFn: async () => {
      const nowMs = clock.now();
      const fromMs = window === 'off' ? nowMs : windowStart(window, nowMs, zone);
      return trackPoints(await readVehicleTrack(id ?? '', fromMs, past ? nowMs : nowMs + MINUTE_MS));
    },
    enabled: id !== undefined && window !== 'off',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  // Right after a change of vehicle, the live points may still be those of the previous one.
  const [live, setLive] = useState<{ readonly imei: string | undefined; readonly points: readonly TrackPoint[] }>();
  useEffect(() => {
    setLive({ imei, points: NONE });
    return positions.subscribeToReports(reports => {
      const own = pointsOf(reports, imei);
      if (own.length > 0) setLive(before => ({ imei, points: [...(before?.points ?? NONE), ...own] }));
    });
  }, [imei, positions]);

  // Points reported while the connection was down are only on the server.
  const phase = useConnection(state => state.phase);
  useEffect(() => {
    if (phase !== 'connected') return;
    return () => void queryClient.invalidateQueries({ queryKey: ['track'] });
  }, [phase, queryClient]);

  const more = live?.imei === imei ? (live?.points ?? NONE) : NONE;
  return useMemo(() => ({ points: more.length === 0 ? data : [...data, ...more], error }), [data, more, error]);
}

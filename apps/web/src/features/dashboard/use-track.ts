import { listPositions, type PositionReport, type Vehicle } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { call } from '../../app/api.ts';
import { startOfDay } from '../../format/time.ts';
import { useConnection } from '../../live/connection.ts';
import { positions, serverClock } from '../../live/live.ts';
import type { TrailWindow } from './state/dashboard-state.ts';

const MINUTE_MS = 60_000;

/** The moment from which on a trail is drawn. */
export function windowStart(window: Exclude<TrailWindow, 'off'>, nowMs: number): number {
  if (window === 'today') return startOfDay(nowMs);
  return nowMs - (window === '10m' ? 10 : 60) * MINUTE_MS;
}

interface Track {
  /** In the order of arrival: what was read, then what came live. */
  readonly reports: readonly PositionReport[];
  readonly error: unknown;
}

const NONE: readonly PositionReport[] = [];

/** The reports of one vehicle in a window that ends now: read once, continued live, read again after a hole. */
export function useTrack(vehicle: Vehicle | undefined, window: TrailWindow): Track {
  const queryClient = useQueryClient();
  const id = vehicle?.id;
  const imei = vehicle?.imei;
  const { data = NONE, error } = useQuery({
    queryKey: ['track', id, window],
    queryFn: () => {
      const nowMs = serverClock.now();
      const from = new Date(window === 'off' ? nowMs : windowStart(window, nowMs)).toISOString();
      return call(listPositions, {
        query: { deviceId: id ?? '', from, to: new Date(nowMs + MINUTE_MS).toISOString() },
      });
    },
    enabled: id !== undefined && window !== 'off',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

  const [live, setLive] = useState(NONE);
  useEffect(() => {
    setLive(NONE);
    return positions.subscribeToReports(reports => {
      const own = reports.filter(report => report.imei === imei);
      if (own.length > 0) setLive(before => [...before, ...own]);
    });
  }, [imei]);

  // What was reported while nothing was heard is only on the server.
  const phase = useConnection(state => state.phase);
  useEffect(() => {
    if (phase !== 'connected') return;
    return () => void queryClient.invalidateQueries({ queryKey: ['track'] });
  }, [phase, queryClient]);

  return useMemo(() => ({ reports: live.length === 0 ? data : [...data, ...live], error }), [data, live, error]);
}

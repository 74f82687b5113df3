import { useEffect, useMemo } from 'react';
import { serverClock } from '../../../live/live.ts';
import { useVehicle } from '../../../live/use-vehicle.ts';
import { mergeTrail, type TrailPoint, trailPoint } from '../../../map/trail/trail.ts';
import type { Overlays } from '../../../map/use-overlays.ts';
import { useDashboard } from '../state/dashboard-state.ts';
import { useTrack, windowStart } from '../use-track.ts';

/** Draws the track of one vehicle, up to where its marker is drawn at each moment, and answers it. */
export function useTrail({ vehicles, trail }: Overlays, current: string | null): readonly TrailPoint[] {
  const window = useDashboard(state => state.trail);
  const entry = useVehicle(current);
  const { reports } = useTrack(entry?.vehicle, window);
  const imei = entry?.vehicle.imei;

  const points = useMemo(() => {
    if (window === 'off') return [];
    return mergeTrail(
      [],
      // For a moment after a change of vehicle what came live is still the other's.
      reports.flatMap(report => (report.imei === imei ? (trailPoint(report) ?? []) : [])),
      windowStart(window, serverClock.now()),
    );
  }, [reports, imei, window]);

  useEffect(() => {
    trail.setPoints(points);
    trail.setHead(current !== null && points.length > 0 ? (vehicles.drawnPose(current) ?? null) : null);
  }, [trail, vehicles, points, current]);

  useEffect(() => {
    if (current === null || window === 'off') return;
    return vehicles.onMove(current, pose => trail.setHead(pose));
  }, [vehicles, trail, current, window]);
  return points;
}

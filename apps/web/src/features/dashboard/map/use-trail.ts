import { useEffect, useMemo } from 'react';
import { serverClock } from '../../../live/live.ts';
import { useVehicle } from '../../../live/use-vehicle.ts';
import { mergeTrail, trailPoint } from '../../../map/trail/trail.ts';
import type { Overlays } from '../../../map/use-overlays.ts';
import { useDashboard } from '../state/dashboard-state.ts';
import { useTrack, windowStart } from '../use-track.ts';

/** The track of one vehicle, up to where its marker is drawn at each moment. */
export function useTrail({ vehicles, trail }: Overlays, current: string | null): void {
  const window = useDashboard(state => state.trail);
  const entry = useVehicle(current);
  const { reports } = useTrack(entry?.vehicle, window);

  const points = useMemo(() => {
    if (window === 'off') return [];
    return mergeTrail(
      [],
      reports.flatMap(report => trailPoint(report) ?? []),
      windowStart(window, serverClock.now()),
    );
  }, [reports, window]);

  useEffect(() => {
    trail.setPoints(points);
    trail.setHead(current !== null && points.length > 0 ? (vehicles.drawnPose(current) ?? null) : null);
  }, [trail, vehicles, points, current]);

  useEffect(() => {
    if (current === null || window === 'off') return;
    return vehicles.onMove(current, pose => trail.setHead(pose));
  }, [vehicles, trail, current, window]);
}

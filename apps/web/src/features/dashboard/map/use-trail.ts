import { useEffect, useMemo } from 'react';
import { useAccountZone } from '../../../base/account-settings.ts';
import { useClock, useVehicle } from '../../../live/view.ts';
import { mergeTrail, type TrailPoint } from '../../../map/trail/trail.ts';
import type { Overlays } from '../../../map/use-overlays.ts';
import { useDashboard } from '../state/dashboard-state.ts';
import { useTrack, windowStart } from '../use-track.ts';

/** Draws one vehicle's trail up to where its marker is at each moment, and returns the trail's points. */
export function useTrail({ vehicles, trail }: Overlays, current: string | null): readonly TrailPoint[] {
  const clock = useClock();
  const window = useDashboard(state => state.trail);
  const entry = useVehicle(current);
  const zone = useAccountZone();
  const { points: known } = useTrack(entry?.vehicle, window);

  const points = useMemo(() => {
    if (window === 'off') return [];
    return mergeTrail([], known, windowStart(window, clock.now(), zone));
  }, [clock, known, window, zone]);

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

import { useEffect, useState } from 'react';
import { useMap } from './map-context.ts';
import { themeInk } from './theme-ink.ts';
import { TrailOverlay } from './trail/trail-overlay.ts';
import { VehicleOverlay } from './vehicles/vehicle-overlay.ts';

export interface Overlays {
  readonly vehicles: VehicleOverlay;
  readonly trail: TrailOverlay;
}

/** Vehicles and trail on the surrounding map. They are added again whenever the base style changes. */
export function useOverlays(): Overlays {
  const { map, styleEpoch } = useMap();
  const [overlays] = useState<Overlays>(() => {
    const ink = (token: string): string => themeInk()(token);
    return { vehicles: new VehicleOverlay(map, ink), trail: new TrailOverlay(map, ink) };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another style has no layers of ours.
  useEffect(() => {
    overlays.trail.attach();
    overlays.vehicles.attach();
    return () => {
      overlays.vehicles.detach();
      overlays.trail.detach();
    };
  }, [overlays, styleEpoch]);
  return overlays;
}

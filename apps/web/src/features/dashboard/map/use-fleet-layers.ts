import { useEffect } from 'react';
import { useMedia } from '../../../base/use-media.ts';
import { useClock, usePositions } from '../../../live/view.ts';
import type { Overlays } from '../../../map/use-overlays.ts';
import { mapVehicle } from '../../../vehicles/map-vehicle.ts';
import { isOld } from '../../../vehicles/vehicle-shape.ts';
import { useDashboard } from '../state/dashboard-state.ts';

/** Ages written next to old vehicles change by the minute. */
const AGES_EVERY_MS = 20_000;

/**
 * Keeps the map's vehicles in sync with the store without going through React: a report changes one marker and renders
 * no component. `shown` limits the map to the vehicles in the list; null means all.
 */
export function useVehiclesOnMap({ vehicles }: Overlays, shown: ReadonlySet<string> | null): void {
  const clock = useClock();
  const positions = usePositions();
  const only = useDashboard(state => state.only);
  const current = useDashboard(state => state.current);
  const selected = useDashboard(state => state.selected);
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    const isShown = (imei: string): boolean => imei === current || (!only && (shown === null || shown.has(imei)));
    const put = (imei: string): void => {
      const entry = isShown(imei) ? positions.get(imei) : undefined;
      vehicles.set(imei, entry ? mapVehicle(entry, clock.now()) : null);
    };
    for (const imei of positions.entries.keys()) put(imei);
    const end = positions.subscribe(changed => changed.forEach(put));
    const timer = setInterval(() => {
      for (const [imei, entry] of positions.entries) if (isOld(entry)) put(imei);
    }, AGES_EVERY_MS);
    return () => {
      clearInterval(timer);
      end();
    };
  }, [vehicles, shown, only, current, clock, positions]);

  useEffect(() => vehicles.emphasise({ current, selected: new Set(selected) }), [vehicles, current, selected]);
  useEffect(() => vehicles.allowGliding(!reducedMotion), [vehicles, reducedMotion]);
}

import { useEffect } from 'react';
import { useMap } from '../map-context.ts';
import { themeInk } from '../theme-ink.ts';
import { showFleetRoads } from './fleet-roads.ts';

/** Shows the roads that the fleet drives on the surrounding map. */
export function useFleetRoads(shown: boolean): void {
  const { map, styleEpoch } = useMap();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another style has no layers of ours.
  useEffect(() => {
    if (shown) return showFleetRoads(map, token => themeInk()(token));
  }, [map, styleEpoch, shown]);
}

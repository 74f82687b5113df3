import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect } from 'react';
import { fitSpots, type Insets } from '../../../map/camera.ts';
import { useMap } from '../../../map/map-context.ts';
import type { MapVehicle } from '../../../map/scene/nodes.ts';
import type { Overlays } from '../../../map/use-overlays.ts';
import { PICKABLE } from '../../../map/vehicles/vehicle-layers.ts';
import { setCurrentVehicle, useDashboard } from '../state/dashboard-state.ts';

/** Vehicles at one spot to choose from, and where that spot is on the screen. */
export interface MarkerStack {
  readonly vehicles: readonly MapVehicle[];
  readonly x: number;
  readonly y: number;
}

/** Clicking a vehicle makes it current, clicking a cluster zooms in, and clicking several vehicles asks which one. */
export function usePick({ vehicles }: Overlays, insets: Insets, onStack: (stack: MarkerStack | null) => void): void {
  const { map } = useMap();
  useEffect(() => {
    const onClick = ({ point }: MapMouseEvent): void => {
      // An open tool takes the clicks.
      if (useDashboard.getState().tool !== null) return;
      const nodes = vehicles.at(point.x, point.y);
      const [top] = nodes;
      const singles = nodes.flatMap(node => (node.kind === 'vehicle' ? [node.vehicle] : []));
      if (top?.kind === 'cluster') {
        fitSpots(map, top.members, insets, true, map.getMaxZoom());
        onStack(null);
      } else if (singles.length > 1) onStack({ vehicles: singles, x: point.x, y: point.y });
      else {
        onStack(null);
        if (singles[0]) setCurrentVehicle(singles[0].id);
      }
    };
    const pointAt = (cursor: string) => (): void => {
      map.getCanvas().style.cursor = cursor;
    };
    const onOver = pointAt('pointer');
    const onOut = pointAt('');
    const close = (): void => onStack(null);
    const layers = [...PICKABLE];
    map.on('click', onClick);
    map.on('movestart', close);
    map.on('mouseenter', layers, onOver);
    map.on('mouseleave', layers, onOut);
    return () => {
      map.off('click', onClick);
      map.off('movestart', close);
      map.off('mouseenter', layers, onOver);
      map.off('mouseleave', layers, onOut);
    };
  }, [map, vehicles, insets, onStack]);
}

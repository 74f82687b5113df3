import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import { useMedia } from '../base/use-media.ts';
import { useClock, usePositions } from '../live/view.ts';
import { fitSpots, type Spot } from '../map/camera.ts';
import { useMap } from '../map/map-context.ts';
import { useOverlays } from '../map/use-overlays.ts';
import { mapVehicle } from './map-vehicle.ts';

const INSETS = { top: 48, right: 64, bottom: 40, left: 40 };
const NONE: ReadonlySet<string> = new Set();

/**
 * Shows the vehicles with these trackers on the surrounding map. A click on a cluster zooms in, one on a vehicle calls
 * `onPick`. Returns where they are, by IMEI, without those whose position was never known.
 */
export function useVehiclesOnMap(
  imeis: ReadonlySet<string>,
  { current = null, selected = NONE }: { readonly current?: string | null; readonly selected?: ReadonlySet<string> },
  onPick: (imei: string) => void,
): ReadonlyMap<string, Spot> {
  const { map } = useMap();
  const { vehicles } = useOverlays();
  const positions = usePositions();
  const clock = useClock();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const [places, setPlaces] = useState<ReadonlyMap<string, Spot>>(new Map());
  useEffect(() => {
    const put = (changed: Iterable<string>): void => {
      let moved = false;
      for (const imei of changed) {
        if (!imeis.has(imei)) continue;
        const entry = positions.get(imei);
        vehicles.set(imei, entry ? mapVehicle(entry, clock.now()) : null);
        moved = true;
      }
      if (!moved) return;
      setPlaces(
        new Map(
          [...imeis].flatMap(imei => {
            const place = positions.get(imei)?.place;
            return place ? [[imei, { lat: place.lat, lon: place.lon }] as const] : [];
          }),
        ),
      );
    };
    put(imeis);
    const end = positions.subscribe(put);
    return () => {
      end();
      for (const imei of imeis) vehicles.set(imei, null);
    };
  }, [vehicles, positions, clock, imeis]);
  useEffect(() => vehicles.emphasise({ current, selected }), [vehicles, current, selected]);
  useEffect(() => vehicles.allowGliding(!reducedMotion), [vehicles, reducedMotion]);
  const pick = useRef<(event: MapMouseEvent) => void>(() => {});
  pick.current = ({ point }) => {
    const [top] = vehicles.at(point.x, point.y);
    if (top?.kind === 'cluster') fitSpots(map, top.members, INSETS, true, map.getMaxZoom());
    if (top?.kind === 'vehicle') onPick(top.id);
  };
  useEffect(() => {
    const onClick = (event: MapMouseEvent): void => pick.current(event);
    map.on('click', onClick);
    return () => void map.off('click', onClick);
  }, [map]);
  return places;
}

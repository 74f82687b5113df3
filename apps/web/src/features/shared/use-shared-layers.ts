import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect, useRef } from 'react';
import { useMedia } from '../../base/use-media.ts';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots, followSpot, type Insets, showSpot } from '../../map/camera.ts';
import { useMap } from '../../map/map-context.ts';
import type { TrailPoint } from '../../map/trail/trail.ts';
import type { Overlays } from '../../map/use-overlays.ts';
import { mapVehicleOf, type VehicleNow } from './vehicle-now.ts';

export const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');

export function useMarkers(
  { vehicles: markers }: Overlays,
  vehicles: readonly VehicleNow[],
  nowMs: number,
  chosen: string | null,
): void {
  const reducedMotion = useReducedMotion();
  const drawn = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const keys = new Set(vehicles.map(({ vehicle }) => vehicle.key));
    for (const key of drawn.current) if (!keys.has(key)) markers.set(key, null);
    for (const now of vehicles) markers.set(now.vehicle.key, mapVehicleOf(now, nowMs));
    drawn.current = keys;
  }, [markers, vehicles, nowMs]);
  useEffect(() => markers.emphasise({ current: chosen, selected: new Set() }), [markers, chosen]);
  useEffect(() => markers.allowGliding(!reducedMotion), [markers, reducedMotion]);
}

/** The trail of the chosen vehicle, up to where its marker is at each moment. */
export function useTrail({ vehicles: markers, trail }: Overlays, chosen: string | null, points: readonly TrailPoint[]) {
  useEffect(() => {
    trail.setPoints(points);
    trail.setHead(chosen !== null && points.length > 0 ? (markers.drawnPose(chosen) ?? null) : null);
    if (chosen === null || points.length === 0) return;
    return markers.onMove(chosen, pose => trail.setHead(pose));
  }, [trail, markers, points, chosen]);
}

/** Shows all vehicles at first, then follows the chosen one until the user drags the map. */
export function useView(vehicles: readonly VehicleNow[], chosen: string | null, fitAll: (animate: boolean) => void) {
  const { map, streets } = useMap();
  const reducedMotion = useReducedMotion();
  const view = useRef<{ readonly of: string | null; follows: boolean } | null>(null);
  const fit = useRef(fitAll);
  fit.current = fitAll;
  const place = vehicles.find(({ vehicle }) => vehicle.key === chosen)?.place ?? null;
  const lat = place?.lat;
  const lon = place?.lon;
  const isSomewhere = vehicles.some(now => now.place !== null);

  useEffect(() => {
    const release = (): void => {
      if (view.current) view.current.follows = false;
    };
    map.on('dragstart', release);
    return () => void map.off('dragstart', release);
  }, [map]);

  useEffect(() => {
    if (!isSomewhere) return;
    if (view.current === null) {
      view.current = { of: chosen, follows: true };
      fit.current(false);
      return;
    }
    if (lat === undefined || lon === undefined) return;
    if (view.current.of !== chosen) {
      view.current = { of: chosen, follows: true };
      showSpot(map, { lat, lon }, NO_INSETS, deepestZoom(streets, { lat, lon }), !reducedMotion);
    } else if (view.current.follows) {
      if (reducedMotion) map.jumpTo({ center: [lon, lat] });
      else followSpot(map, { lat, lon }, NO_INSETS);
    }
  }, [map, streets, chosen, lat, lon, isSomewhere, reducedMotion]);
}

/** Clicking a vehicle chooses it; clicking a cluster zooms in. */
export function usePick({ vehicles: markers }: Overlays, onChoose: (key: string) => void): void {
  const { map } = useMap();
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    const pick = ({ point }: MapMouseEvent): void => {
      const [top] = markers.at(point.x, point.y);
      if (top?.kind === 'vehicle') choose.current(top.id);
      else if (top) fitSpots(map, top.members, NO_INSETS, true, map.getMaxZoom());
    };
    map.on('click', pick);
    return () => void map.off('click', pick);
  }, [map, markers]);
}

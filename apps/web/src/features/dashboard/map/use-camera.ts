import { useCallback, useEffect, useRef } from 'react';
import { usePositions } from '../../../live/view.ts';
import { askForView, onViewAsked, takeView } from '../../../map/asked-view.ts';
import { deepestZoom } from '../../../map/base/street-cover.ts';
import { fitSpots, followSpot, type Insets, isSeen, mainSpots, showSpot } from '../../../map/camera.ts';
import { useMap } from '../../../map/map-context.ts';
import type { TrailPoint } from '../../../map/trail/trail.ts';
import { follow, useDashboard } from '../state/dashboard-state.ts';

/** How far the zoom may exceed the deepest zoom the map has data for; closer than that, the map looks empty. */
const TOO_CLOSE = 1;

/**
 * Moves the map: first to where most of the fleet is, then to the chosen vehicle with its trail, and along with a
 * followed vehicle. With `zooms`, the map always zooms in on the chosen vehicle, as on a phone, where it would be lost
 * among the others. Returns a function that shows a vehicle.
 */
export function useCamera(insets: Insets, trail: readonly TrailPoint[], zooms: boolean): (imei: string) => void {
  const { map, streets } = useMap();
  const positions = usePositions();
  const latestStreets = useRef(streets);
  latestStreets.current = streets;
  const current = useDashboard(state => state.current);
  const follows = useDashboard(state => state.follows);
  const latestInsets = useRef(insets);
  latestInsets.current = insets;

  /** The vehicle whose trail will be shown once loaded, unless the user moves the map first. */
  const awaited = useRef<string | null>(null);
  /** The vehicle that the map was centered on, until the user moves the map. */
  const shown = useRef<string | null>(null);
  const latestTrail = useRef(trail);
  latestTrail.current = trail;
  const fitTrail = useCallback(
    (imei: string, animate = true): void => {
      const place = positions.get(imei)?.place;
      if (!place) return;
      shown.current = imei;
      const deepest = deepestZoom(latestStreets.current, place);
      const track = imei === useDashboard.getState().current ? latestTrail.current : [];
      awaited.current = track.length > 1 ? null : imei;
      if (track.length > 1) fitSpots(map, [...track, place], latestInsets.current, animate, deepest);
      else showSpot(map, place, latestInsets.current, deepest, animate);
    },
    [map, positions],
  );
  useEffect(() => {
    if (trail.length > 1 && awaited.current === current && current !== null) fitTrail(current);
  }, [trail, current, fitTrail]);
  useEffect(() => {
    const letGo = ({ originalEvent }: { readonly originalEvent?: unknown }): void => {
      if (!originalEvent) return;
      awaited.current = null;
      shown.current = null;
    };
    map.on('movestart', letGo);
    return () => void map.off('movestart', letGo);
  }, [map]);

  // The opening view, once there is a vehicle to show.
  const opened = useRef(false);
  useEffect(() => {
    const left = takeView();
    if (left) map.jumpTo(left);
    opened.current ||= left !== null;
    const end = onViewAsked(() => {
      const view = takeView();
      if (view === null) return;
      [awaited.current, shown.current, opened.current] = [null, null, true];
      follow(false);
      map.easeTo(view);
    });
    return () => {
      end();
      // The comparison replaces the map, so save its view.
      if (!useDashboard.getState().compares) return;
      askForView({ center: map.getCenter(), zoom: map.getZoom(), bearing: map.getBearing() });
    };
  }, [map]);
  useEffect(() => {
    const open = (): boolean => {
      if (opened.current || !positions.loaded) return opened.current;
      const places = [...positions.entries.values()].flatMap(({ place }) => place ?? []);
      if (places.length === 0) return false;
      opened.current = true;
      const chosen = useDashboard.getState().current;
      if (chosen !== null && positions.get(chosen)?.place) fitTrail(chosen, false);
      else {
        const main = mainSpots(places);
        fitSpots(map, main, latestInsets.current, false, deepestZoom(latestStreets.current, ...main));
      }
      return true;
    };
    if (open()) return;
    const end = positions.subscribe(() => {
      if (open()) end();
    });
    return end;
  }, [map, positions, fitTrail]);

  // A vehicle chosen in the list comes into view; one chosen on the map already is.
  useEffect(() => {
    // Keep the opening view if it was made for this vehicle.
    if (awaited.current !== current) awaited.current = null;
    if (shown.current !== current) shown.current = null;
    if (current === null || !opened.current) return;
    const place = positions.get(current)?.place;
    if (!place) return;
    const tooClose = map.getZoom() > deepestZoom(latestStreets.current, place) + TOO_CLOSE;
    if (zooms || tooClose || !isSeen(map, place, latestInsets.current)) fitTrail(current);
  }, [map, positions, current, fitTrail, zooms]);

  // The covered part of the map has grown or shrunk: show the vehicle in the part that is free now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the free part moves the map.
  useEffect(() => {
    if (shown.current !== null && shown.current === useDashboard.getState().current) fitTrail(shown.current);
  }, [insets]);

  useEffect(() => {
    if (current === null || !follows) return;
    const move = (): void => {
      const place = positions.get(current)?.place;
      if (place) followSpot(map, place, latestInsets.current);
    };
    const place = positions.get(current)?.place;
    if (place) {
      const deepest = deepestZoom(latestStreets.current, place);
      showSpot(map, place, latestInsets.current, Math.min(Math.max(map.getZoom(), deepest), deepest + TOO_CLOSE));
    }
    const end = positions.subscribeTo(current, move);
    // A user who drags the map wants to look elsewhere.
    const release = (): void => follow(false);
    map.on('dragstart', release);
    return () => {
      end();
      map.off('dragstart', release);
    };
  }, [map, positions, current, follows]);
  return fitTrail;
}

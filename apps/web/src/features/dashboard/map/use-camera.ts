import { useEffect, useRef } from 'react';
import { positions } from '../../../live/live.ts';
import { fitSpots, followSpot, type Insets, isSeen, mainSpots, showSpot } from '../../../map/camera.ts';
import { useMap } from '../../../map/map-context.ts';
import { follow, useDashboard } from '../state/dashboard-state.ts';
import { leaveView, takeView } from './left-view.ts';

/** Where the map looks: at most of the fleet to begin with, at what is chosen, and along with what is followed. */
export function useCamera(insets: Insets): void {
  const { map } = useMap();
  const current = useDashboard(state => state.current);
  const follows = useDashboard(state => state.follows);
  const latestInsets = useRef(insets);
  latestInsets.current = insets;

  // The opening view, as soon as there is something to look at.
  const opened = useRef(false);
  useEffect(() => {
    const left = takeView();
    if (left) map.jumpTo(left);
    opened.current ||= left !== null;
    return () => {
      // The comparison takes the map's place.
      if (!useDashboard.getState().compares) return;
      leaveView({ center: map.getCenter(), zoom: map.getZoom(), bearing: map.getBearing() });
    };
  }, [map]);
  useEffect(() => {
    const open = (): boolean => {
      if (opened.current || !positions.loaded) return opened.current;
      const places = [...positions.entries.values()].flatMap(({ place }) => place ?? []);
      if (places.length === 0) return false;
      opened.current = true;
      const chosen = useDashboard.getState().current;
      const place = chosen === null ? null : positions.get(chosen)?.place;
      if (place) showSpot(map, place, latestInsets.current, false);
      else fitSpots(map, mainSpots(places), latestInsets.current, false);
      return true;
    };
    if (open()) return;
    const end = positions.subscribe(() => {
      if (open()) end();
    });
    return end;
  }, [map]);

  // A vehicle chosen in the list comes into view; one chosen on the map is there already.
  useEffect(() => {
    if (current === null || !opened.current) return;
    const place = positions.get(current)?.place;
    if (place && !isSeen(map, place, latestInsets.current)) showSpot(map, place, latestInsets.current);
  }, [map, current]);

  useEffect(() => {
    if (current === null || !follows) return;
    const move = (): void => {
      const place = positions.get(current)?.place;
      if (place) followSpot(map, place, latestInsets.current);
    };
    const place = positions.get(current)?.place;
    if (place) showSpot(map, place, latestInsets.current);
    const end = positions.subscribeTo(current, move);
    // Who drags the map away wants to look elsewhere.
    const release = (): void => follow(false);
    map.on('dragstart', release);
    return () => {
      end();
      map.off('dragstart', release);
    };
  }, [map, current, follows]);
}

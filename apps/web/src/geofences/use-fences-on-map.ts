import { type Geofence, may } from '@milepost/contract';
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { useSession } from '../base/session/session.ts';
import { useMap } from '../map/map-context.ts';
import { themeInk } from '../map/theme-ink.ts';
import { FenceOverlay } from './fence-overlay.ts';
import { useGeofences } from './use-geofences.ts';

const useShown = create(() => ({ isShown: true }));

export const useMaySeeFences = (): boolean => useSession(({ me }) => me !== null && may(me, 'geofences.read'));
/** Whether maps with vehicles also show geofences. */
export const useShowsFences = (): boolean => useShown(state => state.isShown);
export const showFences = (isShown: boolean): void => useShown.setState({ isShown });

/** Shows the account's geofences on the surrounding map, below its place names and vehicles. */
export function useFencesOnMap(): void {
  const maySee = useMaySeeFences();
  const isShown = useShowsFences() && maySee;
  const { data } = useGeofences({ enabled: isShown });
  useDrawnFences(isShown ? (data ?? NONE) : null);
}

type Drawn = Pick<Geofence, 'name' | 'color' | 'isRestricted' | 'shape'> & Partial<Pick<Geofence, 'id' | 'isOn'>>;
const NONE: readonly Drawn[] = [];

/** Draws these on the surrounding map; null: nothing. */
export function useDrawnFences(fences: readonly Drawn[] | null): void {
  const { map, styleEpoch } = useMap();
  const isShown = fences !== null;
  const [overlay] = useState(() => new FenceOverlay(map, token => themeInk()(token)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a style change, our layers are gone.
  useEffect(() => {
    if (!isShown) return;
    overlay.attach();
    return () => overlay.detach();
  }, [overlay, styleEpoch, isShown]);

  useEffect(() => {
    if (fences) overlay.draw(fences.map(one => ({ id: one.name, isOn: true, ...one, bufferM: 0, isDraft: false })));
  }, [overlay, fences]);
}

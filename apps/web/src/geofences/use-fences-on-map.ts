import { may } from '@milepost/contract';
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

/** Shows the geofences on the surrounding map, below its place names and vehicles. */
export function useFencesOnMap(): void {
  const { map, styleEpoch } = useMap();
  const maySee = useMaySeeFences();
  const isShown = useShowsFences() && maySee;
  const { data: geofences } = useGeofences({ enabled: isShown });
  const [overlay] = useState(() => new FenceOverlay(map, token => themeInk()(token)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a style change, our layers are gone.
  useEffect(() => {
    if (!isShown) return;
    overlay.attach();
    return () => overlay.detach();
  }, [overlay, styleEpoch, isShown]);

  useEffect(() => {
    overlay.draw((geofences ?? []).map(geofence => ({ ...geofence, bufferM: 0, isDraft: false })));
  }, [overlay, geofences]);
}

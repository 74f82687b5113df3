import type { MapLibreEvent } from 'maplibre-gl';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../base/announce.ts';
import { spokenCourse } from '../../../format/place.ts';
import { useMap } from '../../../map/map-context.ts';
import type { VehicleOverlay } from '../../../map/vehicles/vehicle-overlay.ts';

/** Degrees clockwise from the top of the map. */
const ARROWS: Readonly<Record<string, number>> = { ArrowUp: 0, ArrowRight: 90, ArrowDown: 180, ArrowLeft: 270 };

/** Moving the map by arrow keys announces the place and the number of vehicles in view. */
export function useSpokenMap(vehicles: VehicleOverlay): void {
  const { t } = useTranslation('dashboardMap');
  const { map } = useMap();
  useEffect(() => {
    const onMoveEnd = ({ originalEvent }: MapLibreEvent<unknown>): void => {
      if (!(originalEvent instanceof KeyboardEvent)) return;
      const arrow = ARROWS[originalEvent.key];
      const count = vehicles.inView().length;
      announce(
        arrow === undefined || originalEvent.shiftKey
          ? t('spoken.inView', { count })
          : t('spoken.moved', { direction: spokenCourse(arrow + map.getBearing()), count }),
      );
    };
    map.on('moveend', onMoveEnd);
    return () => void map.off('moveend', onMoveEnd);
  }, [map, vehicles, t]);
}

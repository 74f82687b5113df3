import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../../../base/base-map.ts';
import { useMapKind } from '../../../base/map-kind.ts';
import { useMedia } from '../../../base/use-media.ts';
import { useFencesOnMap } from '../../../geofences/use-fences-on-map.ts';
import { useClock, usePositions } from '../../../live/view.ts';
import { hasStreets } from '../../../map/base/street-cover.ts';
import { MapPane } from '../../../map/MapPane.tsx';
import { useMap } from '../../../map/map-context.ts';
import { useOverlays } from '../../../map/use-overlays.ts';
import { mapVehicle } from '../../../vehicles/map-vehicle.ts';

/** Zoom that shows the town, not the street. If the offline map has no town there, zoom out to the towns around it. */
const TOWN_ZOOM = 11;
const COUNTRY_ZOOM = 9;

/** A small map centered on one vehicle, following it. */
export function LocatorMapView({ imei }: { readonly imei: string }) {
  const { t } = useTranslation('assets');
  const base = useBaseMap();
  const outline = useMapKind() === 'outline';
  return (
    <MapPane base={base} outline={outline} label={t('locator.label')} noMap={t('locator.noMap')}>
      <Here imei={imei} />
    </MapPane>
  );
}

function Here({ imei }: { readonly imei: string }) {
  useFencesOnMap();
  const { map, streets } = useMap();
  const clock = useClock();
  const positions = usePositions();
  const { vehicles } = useOverlays();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    const put = (animate: boolean): void => {
      const entry = positions.get(imei);
      vehicles.set(imei, entry ? mapVehicle(entry, clock.now()) : null);
      if (entry?.place) map.easeTo({ center: [entry.place.lon, entry.place.lat], ...(animate ? {} : { duration: 0 }) });
    };
    vehicles.emphasise({ current: imei, selected: new Set() });
    vehicles.allowGliding(!reducedMotion);
    const place = positions.get(imei)?.place;
    map.setZoom(place && !hasStreets(streets, place) ? COUNTRY_ZOOM : TOWN_ZOOM);
    put(false);
    return positions.subscribeTo(imei, () => put(!reducedMotion));
  }, [map, streets, vehicles, imei, reducedMotion, clock, positions]);

  return null;
}

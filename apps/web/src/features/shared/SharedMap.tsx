import { type BaseMap, readPublicBaseMap, type Shared } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { FencesButton } from '../../geofences/FencesOnMap.tsx';
import { useDrawnFences, useShowsFences } from '../../geofences/use-fences-on-map.ts';
import { BUILT_IN } from '../../map/base/base-style.ts';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots } from '../../map/camera.ts';
import { ZoomTools } from '../../map/controls/ZoomTools.tsx';
import { MapPane } from '../../map/MapPane.tsx';
import { useMap } from '../../map/map-context.ts';
import type { TrailPoint } from '../../map/trail/trail.ts';
import { useOverlays } from '../../map/use-overlays.ts';
import { NO_INSETS, useMarkers, usePick, useTrail, useView } from './use-shared-layers.ts';
import type { VehicleNow } from './vehicle-now.ts';

interface Props {
  readonly vehicles: readonly VehicleNow[];
  readonly nowMs: number;
  /** Key of the vehicle shown with its trail. */
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
  readonly trail: readonly TrailPoint[];
  /** Those that the link shows, as vehicles are inside. */
  readonly geofences: Shared['geofences'];
  readonly showsGeofences: boolean;
}

/** The vehicles of the link, live. */
export function SharedMap(props: Props) {
  const { t } = useTranslation('shared');
  return (
    <MapPane base={usePublicBaseMap()} label={t('map')} noMap={t('noMap')}>
      <Vehicles {...props} />
    </MapPane>
  );
}

function Vehicles({ vehicles, nowMs, chosen, onChoose, trail, geofences, showsGeofences }: Props) {
  const { t } = useTranslation('shared');
  const { map, streets } = useMap();
  const overlays = useOverlays();
  const fitAll = (animate = true): void => {
    const places = vehicles.flatMap(({ place }) => place ?? []);
    fitSpots(map, places, NO_INSETS, animate, deepestZoom(streets, ...places));
  };

  useMarkers(overlays, vehicles, nowMs, chosen);
  useTrail(overlays, chosen, trail);
  useView(vehicles, chosen, fitAll);
  usePick(overlays, onChoose);
  useDrawnFences(useShowsFences() ? geofences : null);

  return (
    <ZoomTools fitLabel={t('fitAll')} onFit={() => fitAll()}>
      {showsGeofences && <FencesButton />}
    </ZoomTools>
  );
}

/** The base map for visitors: the chosen one if it contains no key and no file. Null until known. */
function usePublicBaseMap(): BaseMap | null {
  const { data, isError } = useQuery({
    queryKey: ['public-base-map'],
    queryFn: () => call(readPublicBaseMap),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.map ?? (isError ? BUILT_IN : null);
}

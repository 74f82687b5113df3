import { type BaseMap, readPublicBaseMap } from '@milepost/contract';
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { BUILT_IN } from '../../map/base/base-style.ts';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots } from '../../map/camera.ts';
import { Attribution } from '../../map/controls/Attribution.tsx';
import { Graticule } from '../../map/controls/Graticule.tsx';
import { type MapTrouble, MapView } from '../../map/MapView.tsx';
import { useMap } from '../../map/map-context.ts';
import type { TrailPoint } from '../../map/trail/trail.ts';
import { useOverlays } from '../../map/use-overlays.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import styles from './SharedMap.module.css';
import { NO_INSETS, useMarkers, usePick, useTrail, useView } from './use-shared-layers.ts';
import type { VehicleNow } from './vehicle-now.ts';

interface Props {
  readonly vehicles: readonly VehicleNow[];
  readonly nowMs: number;
  /** Key of the vehicle shown with its trail. */
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
  readonly trail: readonly TrailPoint[];
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** The vehicles of the link, live. */
export function SharedMap(props: Props) {
  const { t } = useTranslation('shared');
  const [trouble, setTrouble] = useState<MapTrouble | null>(null);
  const map = usePublicBaseMap();
  if (!map) return null;
  if (trouble === 'no-webgl') return <p className={styles.message}>{t('noMap')}</p>;
  return (
    <MapView settings={map} label={t('map')} onTrouble={setTrouble}>
      <Vehicles {...props} />
      {trouble === 'no-tiles' && <Graticule />}
      <div className={styles.attribution}>
        <Attribution compact />
      </div>
    </MapView>
  );
}

function Vehicles({ vehicles, nowMs, chosen, onChoose, trail }: Props) {
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

  return (
    <div className={styles.tools}>
      <IconButton label={t('zoomIn')} tooltip="left" className={styles.zoom} onClick={() => map.zoomIn()}>
        <IconPlus {...ICON} />
      </IconButton>
      <IconButton label={t('zoomOut')} tooltip="left" className={styles.zoom} onClick={() => map.zoomOut()}>
        <IconMinus {...ICON} />
      </IconButton>
      <IconButton label={t('fitAll')} tooltip="left" onClick={() => fitAll()}>
        <IconArrowsMaximize {...ICON} />
      </IconButton>
    </div>
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

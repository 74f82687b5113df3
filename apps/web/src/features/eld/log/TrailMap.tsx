import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../../../base/base-map.ts';
import { useFencesOnMap } from '../../../geofences/use-fences-on-map.ts';
import { deepestZoom } from '../../../map/base/street-cover.ts';
import { fitSpots } from '../../../map/camera.ts';
import { MapPane } from '../../../map/MapPane.tsx';
import { useMap } from '../../../map/map-context.ts';
import { type TrailPoint, trackPoints } from '../../../map/trail/trail.ts';
import { useOverlays } from '../../../map/use-overlays.ts';
import type { Track } from '../../../tracks/unpack.ts';
import styles from './TrailMap.module.css';

const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 };

/** Where the driver's vehicles were on the day of the log, each while the driver was in it. */
export function TrailMap({ tracks }: { readonly tracks: readonly Track[] }) {
  const { t } = useTranslation('eld');
  const base = useBaseMap();
  const points = useMemo(
    () =>
      tracks.flatMap(track => {
        const [first, ...others] = trackPoints(track);
        return first ? [{ ...first, begins: true as const }, ...others] : [];
      }),
    [tracks],
  );
  if (points.length === 0) return <p className={styles.message}>{t('log.noTrack')}</p>;
  return (
    <div className={styles.map}>
      <MapPane base={base} label={t('log.map')} noMap={t('log.noMap')}>
        <Trail points={points} />
      </MapPane>
    </div>
  );
}

function Trail({ points }: { readonly points: readonly TrailPoint[] }) {
  useFencesOnMap();
  const { map, streets } = useMap();
  const { trail } = useOverlays();
  useEffect(() => {
    // The overlay expects the vehicle's marker at the end, so repeat the last point.
    trail.setPoints([...points, ...points.slice(-1)]);
    fitSpots(map, points, NO_INSETS, false, deepestZoom(streets, ...points.slice(-1)));
  }, [trail, map, streets, points]);
  return null;
}

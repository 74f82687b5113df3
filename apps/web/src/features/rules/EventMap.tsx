import type { BacktestAlert, Geofence } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../../base/base-map.ts';
import { useMapKind } from '../../base/map-kind.ts';
import { boundsOf } from '../../geofences/shapes.ts';
import { useFencesOnMap } from '../../geofences/use-fences-on-map.ts';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots } from '../../map/camera.ts';
import { MapPane } from '../../map/MapPane.tsx';
import { useMap } from '../../map/map-context.ts';
import { Pinned } from '../../map/Pinned.tsx';
import { type TrailPoint, trackPoints } from '../../map/trail/trail.ts';
import { useOverlays } from '../../map/use-overlays.ts';
import { readVehicleTrack } from '../../tracks/read-track.ts';
import styles from './Backtest.module.css';

const AROUND_MS = 15 * 60_000;
const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 };
const NONE: readonly TrailPoint[] = [];

interface Props {
  readonly alert: BacktestAlert;
  readonly geofence: Geofence | undefined;
}

/** Where the vehicle was around an alert, and the geofences there. */
export function EventMap({ alert, geofence }: Props) {
  const { t } = useTranslation('rules');
  const base = useBaseMap();
  const outline = useMapKind() === 'outline';
  const atMs = Date.parse(alert.at);
  const beganMs = Date.parse(alert.beganAt);
  const { data: track, isError } = useQuery({
    queryKey: ['rule-event', alert.deviceId, alert.at],
    queryFn: () =>
      readVehicleTrack(alert.deviceId, Math.max(beganMs, atMs - 4 * AROUND_MS) - AROUND_MS, atMs + AROUND_MS),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const points = useMemo(() => (track ? trackPoints(track) : NONE), [track]);
  return (
    <figure className={styles.event}>
      <div className={styles.eventMap}>
        <MapPane base={base} outline={outline} label={t('sample.map')} noMap={t('sample.noMap')}>
          <Event alert={alert} geofence={geofence} points={points} />
        </MapPane>
      </div>
      {isError && <figcaption>{t('sample.noTrack')}</figcaption>}
    </figure>
  );
}

function Event({ alert: { lat, lon }, geofence, points }: Props & { readonly points: readonly TrailPoint[] }) {
  const { map, streets } = useMap();
  const { trail } = useOverlays();
  useFencesOnMap();
  useEffect(() => {
    // The overlay expects the vehicle's marker at the end, so repeat the last point.
    trail.setPoints([...points, ...points.slice(-1)]);
  }, [trail, points]);
  const isKnown = points.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each alert, and once its track is there.
  useEffect(() => {
    const place = { lat, lon };
    const [west, south, east, north] = geofence ? boundsOf(geofence.shape) : [lon, lat, lon, lat];
    const corners = [place, { lat: south, lon: west }, { lat: north, lon: east }];
    // A corridor is too long to show whatever happened at one place of it.
    const isNear = geofence !== undefined && geofence.shape.kind !== 'corridor';
    fitSpots(map, isNear ? corners : [place, ...points], NO_INSETS, false, Math.min(16, deepestZoom(streets, place)));
  }, [map, streets, lat, lon, geofence, isKnown]);
  return (
    <Pinned lat={lat} lon={lon}>
      <span className={styles.place} />
    </Pinned>
  );
}

import type { BacktestAlert, Geofence } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { geometryOf } from '../../geofences/shapes.ts';
import { readVehicleTrack } from '../../tracks/read-track.ts';
import styles from './Backtest.module.css';

const WIDTH = 320;
const HEIGHT = 180;
const MARGIN = 14;
const AROUND_MS = 15 * 60_000;

type Point = readonly [x: number, y: number];

/** A drawing, to scale, of the vehicle's track around an alert and its geofence. */
export function EventSketch({
  alert,
  geofence,
}: {
  readonly alert: BacktestAlert;
  readonly geofence: Geofence | undefined;
}) {
  const { t } = useTranslation('rules');
  const atMs = Date.parse(alert.at);
  const beganMs = Date.parse(alert.beganAt);
  const { data: track, isError } = useQuery({
    queryKey: ['rule-event', alert.deviceId, alert.at],
    queryFn: () =>
      readVehicleTrack(alert.deviceId, Math.max(beganMs, atMs - 4 * AROUND_MS) - AROUND_MS, atMs + AROUND_MS),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const way: Point[] = [];
  for (let i = 0; track && i < track.timeMs.length; i++) way.push([track.lon[i] ?? 0, track.lat[i] ?? 0]);
  const shape = geofence && geometryOf(geofence.shape);
  const outlines: Point[][] =
    shape?.type === 'Polygon'
      ? shape.coordinates.map(ring => ring.map(([lon = 0, lat = 0]): Point => [lon, lat]))
      : shape?.type === 'LineString'
        ? [shape.coordinates.map(([lon = 0, lat = 0]): Point => [lon, lat])]
        : [];
  const place: Point = [alert.lon, alert.lat];
  // Shows the geofence and as much again around it; without a geofence, the whole track.
  const draw = projection(outlines.length > 0 ? [place, ...widened(outlines.flat())] : [place, ...way]);
  const line = (points: readonly Point[]): string =>
    points
      .map(
        (point, nth) =>
          `${nth === 0 ? 'M' : 'L'}${draw(point)
            .map(value => value.toFixed(1))
            .join(' ')}`,
      )
      .join('');
  const [x, y] = draw(place);
  return (
    <figure className={styles.sketch}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t(isError ? 'sample.noTrack' : 'sample.map')}>
        {outlines.map((ring, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rings of one shape keep their order.
          <path key={nth} d={line(ring)} data-part={shape?.type === 'Polygon' ? 'fence' : 'corridor'} />
        ))}
        <path d={line(way)} data-part="track" />
        <circle cx={x} cy={y} r={6} data-part="place" />
      </svg>
      {isError && <figcaption>{t('sample.noTrack')}</figcaption>}
    </figure>
  );
}

/** The corners of a box around these points, twice as wide. */
function widened(points: readonly Point[]): Point[] {
  const [lons, lats] = [points.map(([lon]) => lon), points.map(([, lat]) => lat)];
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)];
  const [wide, high] = [(east - west) / 2, (north - south) / 2];
  return [
    [west - wide, south - high],
    [east + wide, north + high],
  ];
}

/** Projects degrees into the drawing. A degree of longitude is as wide as it is at that latitude. */
function projection(points: readonly Point[]): (point: Point) => Point {
  const lats = points.map(([, lat]) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const lons = points.map(([lon]) => lon * narrow);
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  /** Limits the scale, so that a parked vehicle is not enlarged. */
  const least = 0.002;
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(east - west, least),
    (HEIGHT - 2 * MARGIN) / Math.max(north - south, least),
  );
  return ([lon, lat]) => [
    WIDTH / 2 + (lon * narrow - (west + east) / 2) * scale,
    HEIGHT / 2 - (lat - (south + north) / 2) * scale,
  ];
}

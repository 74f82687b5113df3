import { ARRIVAL_RADIUS_M, isUnderWay, type Task, type TaskStop } from '@milepost/contract';
import { destination, distanceMetres } from '@milepost/geo';
import { degrees, metres } from '@milepost/units';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../base/base-map.ts';
import { useMapKind } from '../base/map-kind.ts';
import { distanceFigure, joined } from '../format/measure.ts';
import { useMeasureSystem } from '../format/use-measure-system.ts';
import { useDrawnFences } from '../geofences/use-fences-on-map.ts';
import { showLivePositions } from '../live/live.ts';
import { usePositions, useVehicle } from '../live/view.ts';
import { deepestZoom } from '../map/base/street-cover.ts';
import { fitSpots, type Spot } from '../map/camera.ts';
import { MapPane } from '../map/MapPane.tsx';
import { useMap } from '../map/map-context.ts';
import { Pinned } from '../map/Pinned.tsx';
import { useVehiclesOnMap } from '../vehicles/use-vehicles-on-map.ts';
import styles from './TaskMap.module.css';
import { isThere } from './task-times.ts';

/** For the pins, whose upper half is above their place, and for the line at the foot. */
const INSETS = { top: 6, right: 4, bottom: 30, left: 4 };

/** The task's stops and the driver's vehicle, drawn only: a finger on it scrolls the page. */
export function TaskMapView({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const base = useBaseMap();
  const outline = useMapKind() === 'outline';
  useEffect(showLivePositions, []);
  const imei = useImeiOf(task);
  return (
    <MapPane
      base={base}
      outline={outline}
      isStill
      label={t('mine.map', { title: task.title })}
      noMap={t('mine.noMapHere')}
      foot={<Away task={task} imei={imei} />}
    >
      <Places task={task} imei={imei} />
    </MapPane>
  );
}

/** The task's vehicle, or the one that its driver has; null while none is known. */
function useImeiOf({ driver, vehicle }: Task): string | null {
  const positions = usePositions();
  const driven = useSyncExternalStore(
    useCallback(onChange => positions.subscribe(onChange), [positions]),
    () => {
      for (const { vehicle: one } of positions.entries.values()) {
        if (driver && one.driver?.id === driver.id) return one.imei;
      }
      return null;
    },
  );
  return vehicle?.imei ?? driven;
}

interface Shown {
  readonly task: Task;
  readonly imei: string | null;
}

function Places({ task, imei }: Shown) {
  const { map, streets } = useMap();
  const { stops } = task;
  const imeis = useMemo(() => new Set(imei === null ? [] : [imei]), [imei]);
  const places = useVehiclesOnMap(imeis, { current: imei }, () => {});
  const areas = useMemo(() => stops.map(areaOf), [stops]);
  useDrawnFences(areas);
  const vehicle = imei === null ? undefined : places.get(imei);
  const wanted = useRef<readonly Spot[]>([]);
  // Who is there looks for the dock, who is on the way for the way.
  wanted.current = [...stops.flatMap(cornersOf), ...(vehicle && !isThere(task) ? [vehicle] : [])];
  const isKnown = vehicle !== undefined;
  const whichWay = `${isThere(task)} ${isKnown} ${JSON.stringify(stops)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a vehicle that moves doesn't move the map.
  useEffect(() => {
    const fit = () => fitSpots(map, wanted.current, INSETS, false, deepestZoom(streets, ...wanted.current) + 2);
    fit();
    map.on('resize', fit);
    return () => void map.off('resize', fit);
  }, [map, streets, whichWay]);
  return stops.map(({ lat, lon, name }, nth) => (
    <Pinned key={`${name} ${lat} ${lon}`} lat={lat} lon={lon}>
      <span className={styles.pin} data-only={stops.length === 1 || undefined} aria-hidden>
        {stops.length > 1 && nth + 1}
      </span>
    </Pinned>
  ));
}

/** How far the vehicle still is from the first stop. */
function Away({ task, imei }: Shown) {
  const { t } = useTranslation('tasks');
  const system = useMeasureSystem();
  const entry = useVehicle(imei);
  const [stop] = task.stops;
  if (!entry?.place || !stop || !isUnderWay(task.state) || isThere(task)) return null;
  const distance = joined(distanceFigure(distanceMetres(latLonOf(entry.place), latLonOf(stop)), system));
  return <p className={styles.away}>{t('mine.away', { distance, name: entry.vehicle.deviceName })}</p>;
}

const latLonOf = ({ lat, lon }: Spot) => ({ lat: degrees(lat), lon: degrees(lon) });
const radiusOf = ({ radiusM }: TaskStop): number => Math.max(radiusM ?? ARRIVAL_RADIUS_M, 1);

/** Where a vehicle that stands has arrived. */
const areaOf = (stop: TaskStop) => ({
  ...{ name: stop.name, color: 'teal' as const, isRestricted: false },
  shape: { kind: 'circle' as const, center: [stop.lon, stop.lat] as [number, number], radiusM: radiusOf(stop) },
});

const cornersOf = (stop: TaskStop): Spot[] =>
  [0, 90, 180, 270].map(course => destination(latLonOf(stop), degrees(course), metres(radiusOf(stop))));

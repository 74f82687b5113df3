import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAge } from '../../../../format/duration.ts';
import { joined, lengthFigure } from '../../../../format/measure.ts';
import { compassPoint, spokenCourse } from '../../../../format/place.ts';
import { useMeasureSystem } from '../../../../format/use-measure-system.ts';
import { useNow, usePositions, useVehicle } from '../../../../live/view.ts';
import type { Insets, Spot } from '../../../../map/camera.ts';
import { useMap } from '../../../../map/map-context.ts';
import { useSketch } from '../../../../map/sketch/use-sketch.ts';
import hidden from '../../../../ui/hidden.module.css';
import { Plate } from '../../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../../ui/StatusGlyph.tsx';
import { toldMs } from '../../../../vehicles/shown.ts';
import { courseOf, isOld, shapeOfEntry } from '../../../../vehicles/vehicle-shape.ts';
import { openTool, setCurrentVehicle, useDashboard } from '../../state/dashboard-state.ts';
import { ToolPanel } from '../tools/ToolPanel.tsx';
import { useMapKeys } from '../tools/use-map-keys.ts';
import styles from './NearestTool.module.css';
import { type Neighbour, nearestTo } from './nearest.ts';

/** Ten distances that change faster are unreadable. */
const EVERY_MS = 2000;

/** The vehicles closest to the vehicle that was current, or to a clicked spot. */
export function NearestTool({ insets }: { readonly insets: Insets }) {
  const { t } = useTranslation(['dashboardMap', 'vehicle']);
  const { map } = useMap();
  const [subject] = useState(() => useDashboard.getState().current);
  const [clicked, setClicked] = useState<Spot | null>(null);
  const about = useVehicle(clicked ? null : subject);
  const spot = clicked ?? about?.place ?? null;
  const found = useNearest(spot, clicked ? null : subject);
  const [pointedAt, setPointedAt] = useState<string | null>(null);
  const pointed = found.find(({ imei }) => imei === pointedAt);
  useSketch(useMemo(() => (spot ? [pointed ? [spot, pointed.spot] : [spot]] : []), [spot, pointed]));

  useEffect(() => {
    const onClick = ({ lngLat }: MapMouseEvent): void => setClicked({ lat: lngLat.lat, lon: lngLat.lng });
    map.on('click', onClick);
    return () => void map.off('click', onClick);
  }, [map]);
  useMapKeys({
    Enter: () => setClicked({ lat: map.getCenter().lat, lon: map.getCenter().lng }),
    Escape: () => openTool(null),
  });

  return (
    <ToolPanel title={t('nearest.title')} insets={insets} onClose={() => openTool(null)}>
      <p className={styles.about}>
        {clicked
          ? t('nearest.aroundSpot')
          : about
            ? t('nearest.aroundVehicle', { name: about.vehicle.deviceName })
            : t('nearest.choose')}
      </p>
      {spot && found.length === 0 && <p className={styles.about}>{t('nearest.none')}</p>}
      <ol className={styles.list}>
        {found.map(neighbour => (
          <Row key={neighbour.imei} neighbour={neighbour} onPoint={setPointedAt} />
        ))}
      </ol>
      {about && <p className={styles.hint}>{t('nearest.hint')}</p>}
    </ToolPanel>
  );
}

function useNearest(spot: Spot | null, except: string | null): readonly Neighbour[] {
  const positions = usePositions();
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick(before => before + 1), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick stands for the vehicles' new positions.
  return useMemo(
    () => (spot ? nearestTo(spot, positions.entries.values(), except) : []),
    [spot, positions, except, tick],
  );
}

interface RowProps {
  readonly neighbour: Neighbour;
  readonly onPoint: (imei: string | null) => void;
}

function Row({ neighbour: { imei, distance, direction }, onPoint }: RowProps) {
  const { t } = useTranslation(['dashboardMap', 'vehicle']);
  const system = useMeasureSystem();
  const entry = useVehicle(imei);
  const nowMs = useNow();
  if (!entry) return null;
  const { vehicle, now } = entry;
  const told = toldMs(entry);
  const away = joined(lengthFigure(distance, system));
  const status = t(`vehicle:status.${now.status}`);
  const age = told === null ? '' : formatAge(nowMs - told);
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        onPointerEnter={() => onPoint(imei)}
        onPointerLeave={() => onPoint(null)}
        onFocus={() => onPoint(imei)}
        onBlur={() => onPoint(null)}
        onClick={() => setCurrentVehicle(imei)}
      >
        {/* Short on screen, a full sentence for screen readers. */}
        <span className={hidden.hidden}>
          {[vehicle.deviceName, away, spokenCourse(direction), status, age].filter(Boolean).join(', ')}
        </span>
        <span className={styles.line} aria-hidden="true">
          <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />
          <Plate>{vehicle.deviceName}</Plate>
          <span className={styles.status}>{status}</span>
          <span className={styles.age} data-old={isOld(entry) || undefined}>
            {age}
          </span>
          <b className={styles.away}>
            {away} <span>{compassPoint(direction)}</span>
          </b>
        </span>
      </button>
    </li>
  );
}

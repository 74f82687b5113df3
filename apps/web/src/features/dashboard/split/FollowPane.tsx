import type { BaseMap } from '@milepost/contract';
import { IconMaximize, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMapKind } from '../../../base/map-kind.ts';
import { useMedia } from '../../../base/use-media.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useFencesOnMap } from '../../../geofences/use-fences-on-map.ts';
import { useClock, useNow, usePositions, useVehicle } from '../../../live/view.ts';
import { deepestZoom } from '../../../map/base/street-cover.ts';
import { followSpot, showSpot } from '../../../map/camera.ts';
import { Graticule } from '../../../map/controls/Graticule.tsx';
import { ScaleBar } from '../../../map/controls/ScaleBar.tsx';
import { type MapTrouble, MapView } from '../../../map/MapView.tsx';
import { useMap } from '../../../map/map-context.ts';
import { useOverlays } from '../../../map/use-overlays.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { mapVehicle } from '../../../vehicles/map-vehicle.ts';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { driverOf } from '../../../vehicles/vehicle-words.ts';
import { describeVehicle } from '../describe-vehicle.ts';
import { useTrail } from '../map/use-trail.ts';
import { compare, setCurrentVehicle, unselectVehicle } from '../state/dashboard-state.ts';
import styles from './SplitView.module.css';

interface Props {
  readonly imei: string;
  /** All compared vehicles: each map also shows the others nearby. */
  readonly others: readonly string[];
  readonly settings: BaseMap;
}

/** One compared vehicle: its status, and a map that follows it. */
export function FollowPane({ imei, others, settings }: Props) {
  const { t } = useTranslation(['dashboard', 'dashboardMap', 'vehicle']);
  const system = useMeasureSystem();
  const nowMs = useNow();
  const entry = useVehicle(imei);
  const outline = useMapKind() === 'outline';
  const [trouble, setTrouble] = useState<MapTrouble | null>(null);
  if (!entry) return null;
  const name = entry.vehicle.deviceName;
  const words = describeVehicle(entry, nowMs, system, t);
  return (
    <article className={styles.pane} aria-label={name}>
      <header className={styles.head}>
        <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />
        <Plate>{name}</Plate>
        <span className={styles.who}>{driverOf(entry)?.name ?? t(`vehicle:status.${entry.now.status}`)}</span>
        <b>{words.figure}</b>
        <span className={styles.age} data-old={words.asOf !== null || undefined}>
          {words.asOf ?? words.age}
        </span>
        <IconButton
          label={t('dashboardMap:compare.open', { name })}
          tooltip="bottom-end"
          onClick={() => {
            setCurrentVehicle(imei);
            compare(false);
          }}
        >
          <IconMaximize size={16} stroke={1.75} aria-hidden />
        </IconButton>
        <IconButton
          label={t('dashboardMap:compare.remove', { name })}
          tooltip="bottom-end"
          onClick={() => unselectVehicle(imei)}
        >
          <IconX size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      <div className={styles.map}>
        {!entry.place ? (
          <p className={styles.message}>{t('dashboardMap:compare.noPlace')}</p>
        ) : trouble === 'no-webgl' ? (
          <p className={styles.message}>{t('dashboardMap:noWebgl')}</p>
        ) : (
          <MapView
            settings={settings}
            outline={outline}
            label={t('dashboardMap:compare.map', { name })}
            onTrouble={setTrouble}
          >
            <Followed imei={imei} others={others} />
            {trouble === 'no-tiles' && <Graticule />}
            <div className={styles.scale}>
              <ScaleBar />
            </div>
          </MapView>
        )}
      </div>
    </article>
  );
}

const FREE = { top: 0, right: 0, bottom: 0, left: 0 };

/** These maps show only the compared vehicles, so four of them cost no more than one map with the whole fleet. */
function Followed({ imei, others }: Omit<Props, 'settings'>) {
  const { map, streets } = useMap();
  const clock = useClock();
  const positions = usePositions();
  const overlays = useOverlays();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  useFencesOnMap();
  useTrail(overlays, imei);

  useEffect(() => {
    const { vehicles } = overlays;
    const put = (one: string): void => {
      const entry = positions.get(one);
      vehicles.set(one, entry ? mapVehicle(entry, clock.now()) : null);
    };
    for (const one of others) put(one);
    const ends = others.map(one => positions.subscribeTo(one, () => put(one)));
    return () => {
      for (const end of ends) end();
      for (const one of others) vehicles.set(one, null);
    };
  }, [overlays, others, clock, positions]);
  useEffect(() => overlays.vehicles.emphasise({ current: imei, selected: new Set() }), [overlays, imei]);
  useEffect(() => overlays.vehicles.allowGliding(!reducedMotion), [overlays, reducedMotion]);

  useEffect(() => {
    const place = positions.get(imei)?.place;
    if (place) showSpot(map, place, FREE, deepestZoom(streets, place), false);
    return positions.subscribeTo(imei, () => {
      const to = positions.get(imei)?.place;
      if (to) followSpot(map, to, FREE);
    });
  }, [map, streets, imei, positions]);
  return null;
}

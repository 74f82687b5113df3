import { isOver, type Task } from '@milepost/contract';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../../base/base-map.ts';
import { FencesOnMap } from '../../geofences/FencesOnMap.tsx';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots, type Spot } from '../../map/camera.ts';
import { ZoomTools } from '../../map/controls/ZoomTools.tsx';
import { MapPane } from '../../map/MapPane.tsx';
import { useMap } from '../../map/map-context.ts';
import { Pinned } from '../../map/Pinned.tsx';
import { useSketch } from '../../map/sketch/use-sketch.ts';
import { useVehiclesOnMap } from '../../vehicles/use-vehicles-on-map.ts';
import styles from './TaskMap.module.css';
import { marksOf, type StopMark, waysOf } from './task-marks.ts';

const NO_INSETS = { top: 48, right: 64, bottom: 40, left: 40 };

interface Props {
  readonly tasks: readonly Task[];
  /** Trackers of further vehicles to show. */
  readonly others: readonly string[];
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** The tasks as numbered stops, the vehicles that drive to them, and the order as straight lines. */
export function TaskMap(props: Props) {
  const { t } = useTranslation('dispatch');
  const base = useBaseMap();
  return (
    <div className={styles.map}>
      <MapPane
        base={base}
        label={t('map.label')}
        noMap={t('map.none')}
        foot={<p className={styles.note}>{t('map.lines')}</p>}
      >
        <Layers {...props} />
      </MapPane>
    </div>
  );
}

function Layers({ tasks, others, open, onOpen }: Props) {
  const { t } = useTranslation('dispatch');
  const { map, streets } = useMap();
  const marks = useMemo(() => marksOf(tasks), [tasks]);
  const shown = JSON.stringify([
    ...new Set([
      ...others,
      ...tasks.flatMap(({ vehicle, state }) => (vehicle && !isOver(state) ? [vehicle.imei] : [])),
    ]),
  ]);
  const imeis = useMemo(() => new Set<string>(JSON.parse(shown)), [shown]);
  const current = tasks.find(({ id }) => id === open)?.vehicle?.imei ?? null;
  const places = useVehiclesOnMap(imeis, { current }, imei => {
    const task = tasks.find(({ vehicle, state }) => vehicle?.imei === imei && !isOver(state));
    if (task) onOpen(task.id);
  });
  const lines = useMemo(() => waysOf(tasks, open, places), [tasks, open, places]);
  useSketch(lines);
  const spots = useRef<readonly Spot[]>([]);
  spots.current = [...marks, ...places.values()];
  const fitAll = (animate: boolean): void =>
    fitSpots(map, spots.current, NO_INSETS, animate, deepestZoom(streets, ...spots.current));
  const fit = useRef(fitAll);
  fit.current = fitAll;
  const hasSpots = spots.current.length > 0;
  useEffect(() => {
    if (hasSpots) fit.current(false);
  }, [hasSpots]);
  // The open task is brought into sight, with the way to it; a vehicle that moves doesn't move the map.
  const toOpen = useRef<() => void>(() => {});
  toOpen.current = () => {
    const own = lines.flat();
    if (own.length > 0) fitSpots(map, own, NO_INSETS, true, deepestZoom(streets, ...own));
  };
  useEffect(() => {
    if (open !== null) toOpen.current();
  }, [open]);
  return (
    <>
      <Marks marks={marks} open={open} onOpen={onOpen} />
      <ZoomTools fitLabel={t('map.fitAll')} onFit={() => fitAll(true)}>
        <FencesOnMap />
      </ZoomTools>
    </>
  );
}

interface MarksProps {
  readonly marks: readonly StopMark[];
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** Buttons at the stops, so that a keyboard and a screen reader reach them, too. */
function Marks({ marks, open, onOpen }: MarksProps) {
  const { t } = useTranslation('dispatch');
  return marks.map(mark => (
    <Pinned key={`${mark.taskId} ${mark.stop}`} lat={mark.lat} lon={mark.lon}>
      <button
        type="button"
        className={styles.mark}
        data-state={mark.tone}
        aria-current={mark.taskId === open || undefined}
        aria-label={t('map.stop', { number: mark.number, name: mark.name, title: mark.title })}
        title={mark.title}
        onClick={() => onOpen(mark.taskId)}
      >
        {mark.number}
      </button>
    </Pinned>
  ));
}

import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../base/announce.ts';
import { useBaseMap } from '../../../base/base-map.ts';
import { lazyChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { useMapKind } from '../../../base/map-kind.ts';
import { useFencesOnMap } from '../../../geofences/use-fences-on-map.ts';
import { usePositions } from '../../../live/view.ts';
import { useFoundPlace } from '../../../map/asked-view.ts';
import { deepestZoom } from '../../../map/base/street-cover.ts';
import { fitSpots, type Insets } from '../../../map/camera.ts';
import { Attribution } from '../../../map/controls/Attribution.tsx';
import { Graticule } from '../../../map/controls/Graticule.tsx';
import { ScaleBar } from '../../../map/controls/ScaleBar.tsx';
import { type MapTrouble, MapView } from '../../../map/MapView.tsx';
import { useMap } from '../../../map/map-context.ts';
import { useFleetRoads } from '../../../map/roads/use-fleet-roads.ts';
import { useOverlays } from '../../../map/use-overlays.ts';
import { setCurrentVehicle, useDashboard } from '../state/dashboard-state.ts';
import { LEGEND_PX } from '../use-insets.ts';
import { AskForSetup } from './AskForSetup.tsx';
import styles from './FleetMap.module.css';
import { MapLegend } from './MapLegend.tsx';
import { MapNotice } from './MapNotice.tsx';
import { MapTools } from './MapTools.tsx';
import { StackList } from './StackList.tsx';
import { useCamera } from './use-camera.ts';
import { useVehiclesOnMap } from './use-fleet-layers.ts';
import { type MarkerStack, usePick } from './use-pick.ts';
import { useSeesRoads } from './use-sees-roads.ts';
import { useSpokenMap } from './use-spoken-map.ts';
import { useTrail } from './use-trail.ts';

const MeasureTool = lazyChunk(async () => (await import('./measure/MeasureTool.tsx')).MeasureTool);
const FoundMark = lazyChunk(async () => (await import('./FoundMark.tsx')).FoundMark);
const NearestTool = lazyChunk(async () => (await import('./nearest/NearestTool.tsx')).NearestTool);

export interface MapHandle {
  fit(imeis: Iterable<string>): void;
  show(imei: string): void;
  /** Makes the next vehicle in view current, from west to east. */
  step(by: 1 | -1): void;
}

interface Props {
  readonly ref: Ref<MapHandle>;
  /** The vehicles shown in the list; null when it shows all. */
  readonly shown: ReadonlySet<string> | null;
  /** How much of the map is covered at each edge. */
  readonly insets: Insets;
  /** The element to render the map's legend into; null: no legend. */
  readonly legend: HTMLElement | null;
  /** Choosing a vehicle anywhere zooms to it. */
  readonly zooms: boolean;
}

/** Width of a phone's round buttons, including their distance to the edge. */
const ROUND_TOOLS_PX = 60;

/** The live map of the fleet. */
export function Component({ ref, shown, insets, legend, zooms }: Props) {
  const { t } = useTranslation('dashboardMap');
  const [trouble, setTrouble] = useState<MapTrouble | null>(null);
  const map = useBaseMap();
  const outline = useMapKind() === 'outline';
  if (!map) return null;
  if (trouble === 'no-webgl') return <p className={styles.message}>{t('noWebgl')}</p>;
  return (
    <MapView settings={map} outline={outline} label={t('label')} onTrouble={setTrouble}>
      <Fleet ref={ref} shown={shown} insets={insets} zooms={zooms} />
      {trouble === 'no-tiles' && <Graticule />}
      <div className={styles.bottom} style={{ bottom: insets.top > 0 ? insets.bottom : 0 }}>
        <ScaleBar />
        <Attribution compact={insets.right > 0 || insets.bottom > LEGEND_PX} />
      </div>
      <MapNotice trouble={trouble} insets={insets} />
      {legend &&
        createPortal(
          <>
            <AskForSetup />
            <MapLegend />
          </>,
          legend,
        )}
    </MapView>
  );
}

function Fleet({ ref, shown, insets, zooms }: Omit<Props, 'legend'>) {
  const { map, streets } = useMap();
  const positions = usePositions();
  const { t } = useTranslation(['dashboardMap', 'vehicle']);
  const overlays = useOverlays();
  const current = useDashboard(state => state.current);
  const tool = useDashboard(state => state.tool);
  const stage = useDashboard(state => state.stage);
  const found = useFoundPlace(state => state.found);
  const [stack, setStack] = useState<MarkerStack | null>(null);
  const { top, bottom, left } = insets;
  // On a phone, keep vehicles out from under the round buttons.
  const right = insets.right + (zooms ? ROUND_TOOLS_PX : 0);
  // The object is new on each render, but its values rarely change.
  const free = useMemo(() => ({ top, right, bottom, left }), [top, right, bottom, left]);
  useVehiclesOnMap(overlays, shown);
  useFleetRoads(useSeesRoads());
  useFencesOnMap();
  const trail = useTrail(overlays, current);
  const show = useCamera(free, trail, zooms);
  usePick(overlays, free, setStack);
  useSpokenMap(overlays.vehicles);
  // Two fingers, the right mouse button or Shift with an arrow key rotate the map; a button turns north up again.
  useEffect(() => {
    map.dragRotate.enable();
    map.touchZoomRotate.enableRotation();
    map.keyboard.enableRotation();
  }, [map]);

  const fit = useCallback(
    (imeis: Iterable<string>) => {
      const places = [...imeis].flatMap(imei => positions.get(imei)?.place ?? []);
      fitSpots(map, places, free, true, deepestZoom(streets, ...places));
    },
    [map, streets, positions, free],
  );
  useImperativeHandle(
    ref,
    () => ({
      fit,
      show,
      step(by) {
        const inView = overlays.vehicles.inView();
        const at = inView.findIndex(({ id }) => id === useDashboard.getState().current);
        const next = inView[at === -1 ? (by > 0 ? 0 : inView.length - 1) : (at + by + inView.length) % inView.length];
        if (!next) return;
        setCurrentVehicle(next.id);
        announce(`${next.label}, ${t(`vehicle:status.${next.status}`).toLowerCase()}`);
      },
    }),
    [overlays, fit, show, t],
  );

  return (
    <>
      {stage !== 'wall' && <MapTools insets={insets} onFitAll={() => fit(shown ?? positions.entries.keys())} />}
      <Part>
        {tool === 'measure' && <MeasureTool insets={free} />}
        {tool === 'nearest' && <NearestTool insets={free} />}
        {found && <FoundMark found={found} />}
      </Part>
      {stack && <StackList stack={stack} onClose={() => setStack(null)} />}
    </>
  );
}

import type { Geofence, GeofenceShape, GeoPoint } from '@milepost/contract';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconCircle,
  IconMagnet,
  IconPointer,
  IconPolygon,
  IconRectangle,
  IconRoute,
  IconScissors,
  IconTrash,
} from '@tabler/icons-react';
import type { MapMouseEvent } from 'maplibre-gl';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { useBaseMap } from '../../base/base-map.ts';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { useMapKind } from '../../base/map-kind.ts';
import { useMedia } from '../../base/use-media.ts';
import { FenceOverlay } from '../../geofences/fence-overlay.ts';
import { boundsOf, hasHoles, moved, pointsOf, problemOf, withoutPoint, withPoint } from '../../geofences/shapes.ts';
import { useClock, usePositions } from '../../live/view.ts';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots } from '../../map/camera.ts';
import { ScaleBar } from '../../map/controls/ScaleBar.tsx';
import { ZoomTools } from '../../map/controls/ZoomTools.tsx';
import { MapPane } from '../../map/MapPane.tsx';
import { useMap } from '../../map/map-context.ts';
import { themeInk } from '../../map/theme-ink.ts';
import { useOverlays } from '../../map/use-overlays.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { mapVehicle } from '../../vehicles/map-vehicle.ts';
import { changeShape, choosePoint, chooseTool, redo, toggleSnapping, undo, useDraft } from './draft.ts';
import styles from './GeofenceMap.module.css';
import { PointFields } from './PointFields.tsx';

const Drawing = lazyChunk(async () => (await import('./Drawing.tsx')).Component);

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
export const TOOL_ICONS = {
  select: IconPointer,
  polygon: IconPolygon,
  circle: IconCircle,
  rectangle: IconRectangle,
  corridor: IconRoute,
} as const;
const TOOLS = Object.keys(TOOL_ICONS) as (keyof typeof TOOL_ICONS)[];
const NONE: readonly Geofence[] = [];
const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 };
/** Height of the buttons over the map: on a phone they are larger, and in two rows. */
const TOOLBAR_PX = 64;
const PHONE_TOOLBAR_PX = 116;

interface Props {
  readonly geofences: readonly Geofence[] | undefined;
  readonly onOpen: (id: string) => void;
  /** Passes on a function that reads the map's center, where shapes start that are added without a click. */
  readonly onCenter: (read: () => GeoPoint) => void;
}

/** All geofences, the open one with its points, and the vehicles. */
export function GeofenceMap({ geofences, onOpen, onCenter }: Props) {
  const { t } = useTranslation(['geofence', 'dashboardMap']);
  const base = useBaseMap();
  const outline = useMapKind() === 'outline';
  return (
    <MapPane base={base} outline={outline} label={t('map')} noMap={t('noWebgl')} foot={<ScaleBar />}>
      <Fences geofences={geofences} onOpen={onOpen} onCenter={onCenter} />
    </MapPane>
  );
}

function Fences({ geofences = NONE, onOpen, onCenter }: Props) {
  const { t } = useTranslation('geofence');
  const { map, styleEpoch, streets } = useMap();
  const draft = useDraft();
  const isPhone = useMedia('(max-width: 37.49em)');
  const { id, shape, color, isRestricted, bufferM, mayEdit, tool } = draft;
  const [overlay] = useState(() => new FenceOverlay(map, token => themeInk()(token)));
  useVehicles();

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a style change, our layers are gone.
  useEffect(() => {
    overlay.attach();
    return () => overlay.detach();
  }, [overlay, styleEpoch]);

  useEffect(() => {
    const others = geofences.filter(one => one.id !== id).map(one => ({ ...one, bufferM: 0, isDraft: false }));
    const isShown = shape !== null && (tool === 'select' || tool === 'hole');
    const open = isShown ? { id: '', name: '', color, isRestricted, isOn: true, shape, bufferM } : null;
    // The editor draws outlines without holes.
    const isDraft = mayEdit && tool === 'select' && !hasHoles(shape);
    overlay.draw(open ? [...others, { ...open, isDraft }] : others);
  }, [overlay, geofences, id, shape, tool, color, isRestricted, bufferM, mayEdit]);

  useEffect(() => {
    onCenter(() => {
      const { lng, lat } = map.getCenter();
      return [lng, lat];
    });
  }, [map, onCenter]);

  const look = (shapes: readonly GeofenceShape[], animate: boolean): void => {
    const spots = shapes.flatMap(one => {
      const [west, south, east, north] = boundsOf(one);
      return [
        { lat: south, lon: west },
        { lat: north, lon: east },
      ];
    });
    const [first] = spots;
    if (!first) return;
    // The panel that opened has just taken its part of the page.
    map.resize();
    const insets = isPhone
      ? { ...NO_INSETS, top: mayEdit ? PHONE_TOOLBAR_PX : TOOLBAR_PX }
      : { ...NO_INSETS, top: TOOLBAR_PX, bottom: mayEdit ? TOOLBAR_PX : 0 };
    fitSpots(map, spots, insets, animate, Math.max(16, deepestZoom(streets, ...spots)));
  };
  const looked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when geofences have loaded, and for each that is opened.
  useEffect(() => {
    const open = geofences.find(one => one.id === id);
    if (open) look([open.shape], looked.current);
    else if (!looked.current)
      look(
        geofences.map(one => one.shape),
        false,
      );
    looked.current ||= geofences.length > 0;
  }, [id, geofences.length > 0]);

  useEffect(() => {
    const open = ({ point }: MapMouseEvent): void => {
      if (useDraft.getState().tool !== 'select') return;
      const [found] = overlay.at(point.x, point.y);
      if (found) onOpen(found);
    };
    map.on('click', open);
    return () => void map.off('click', open);
  }, [map, overlay, onOpen]);

  const others = useMemo(() => geofences.filter(one => one.id !== id).map(one => one.shape), [geofences, id]);
  return (
    <>
      {id !== null && mayEdit && (
        <Part>
          <Drawing others={others} />
        </Part>
      )}
      {id !== null && mayEdit && <Tools />}
      {mayEdit && shape && tool === 'select' && <PointBar shape={shape} />}
      {tool !== 'select' && (
        <p className={styles.hint} role="status">
          {t(`drawHint.${tool}`)}
        </p>
      )}
      {mayEdit && shape && tool === 'select' && <Problem shape={shape} />}
      <ZoomTools
        fitLabel={t(shape ? 'fitOne' : 'fitAll')}
        onFit={() => look(shape ? [shape] : geofences.map(one => one.shape), true)}
      />
    </>
  );
}

/** Shows all vehicles live. */
function useVehicles(): void {
  const { vehicles } = useOverlays();
  const clock = useClock();
  const positions = usePositions();
  useEffect(() => {
    const put = (imei: string): void => {
      const entry = positions.get(imei);
      vehicles.set(imei, entry ? mapVehicle(entry, clock.now()) : null);
    };
    for (const imei of positions.entries.keys()) put(imei);
    return positions.subscribe(changed => changed.forEach(put));
  }, [vehicles, positions, clock]);
}

/** What is wrong with the outline, and at which point; the list of points says it, too. */
function Problem({ shape }: { readonly shape: GeofenceShape }) {
  const { t } = useTranslation('problems');
  const problem = problemOf(shape);
  return (
    problem && (
      <p className={styles.hint} data-problem>
        {t(problem.code, { point: problem.point + 1, min: 3 })}
      </p>
    )
  );
}

function Tools() {
  const { t } = useTranslation('geofence');
  const { tool, snaps, past, future, shape } = useDraft();
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('tools')}>
      {TOOLS.map(one => {
        const Icon = TOOL_ICONS[one];
        return (
          <IconButton
            key={one}
            label={t(`tool.${one}`)}
            tooltip="bottom"
            aria-pressed={tool === one}
            onClick={() => chooseTool(one)}
          >
            <Icon {...ICON} />
          </IconButton>
        );
      })}
      {shape?.kind === 'polygon' && (
        <IconButton
          label={t('tool.hole')}
          tooltip="bottom"
          aria-pressed={tool === 'hole'}
          onClick={() => chooseTool('hole')}
        >
          <IconScissors {...ICON} />
        </IconButton>
      )}
      <span className={styles.gap} />
      <IconButton label={t('snap')} tooltip="bottom" aria-pressed={snaps} onClick={toggleSnapping}>
        <IconMagnet {...ICON} />
      </IconButton>
      <IconButton label={t('undo')} tooltip="bottom" disabled={past.length === 0} onClick={undo}>
        <IconArrowBackUp {...ICON} />
      </IconButton>
      <IconButton label={t('redo')} tooltip="bottom" disabled={future.length === 0} onClick={redo}>
        <IconArrowForwardUp {...ICON} />
      </IconButton>
    </div>
  );
}

/** How far an arrow key moves a point, in meters; the larger step is with Shift. */
const STEP_M = 1;
const BIG_STEP_M = 10;
const ARROWS: Readonly<Record<string, readonly [east: number, north: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The selected point as coordinates, typed or moved with the arrow keys. */
function PointBar({ shape }: { readonly shape: GeofenceShape }) {
  const { t } = useTranslation('geofence');
  const points = pointsOf(shape);
  const at = Math.min(
    useDraft(state => state.point),
    points.length - 1,
  );
  const point = points[at];
  if (!point) return null;
  const without = withoutPoint(shape, at);

  const go = (by: number): void => {
    const to = (at + by + points.length) % points.length;
    choosePoint(to);
    announce(t('point', { number: to + 1, count: points.length }));
  };

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = ARROWS[event.key];
    if (event.key === '[' || event.key === ']') go(event.key === ']' ? 1 : -1);
    else if (step && point && !(event.target instanceof HTMLInputElement)) {
      const [east, north] = step;
      const length = event.shiftKey ? BIG_STEP_M : STEP_M;
      changeShape(withPoint(shape, at, moved(point, east * length, north * length)));
    } else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would show its legend; this group only has an accessible name.
    <div className={styles.point} role="group" aria-label={t('pointKeys')} onKeyDown={onKeyDown}>
      <span className={styles.number}>
        {shape.kind === 'circle' ? t('center') : t('point', { number: at + 1, count: points.length })}
      </span>
      <PointFields point={point} number={at + 1} onChange={to => changeShape(withPoint(shape, at, to))} />
      {points.length > 1 && (
        <>
          <IconButton label={t('previousPoint')} tooltip="top" onClick={() => go(-1)}>
            <IconChevronLeft {...ICON} />
          </IconButton>
          <IconButton label={t('nextPoint')} tooltip="top" onClick={() => go(1)}>
            <IconChevronRight {...ICON} />
          </IconButton>
        </>
      )}
      {shape.kind !== 'circle' && shape.kind !== 'rectangle' && (
        <IconButton
          label={t('removePoint', { number: at + 1 })}
          tooltip="top"
          disabled={without === null}
          onClick={() => without && changeShape(without)}
        >
          <IconTrash {...ICON} />
        </IconButton>
      )}
    </div>
  );
}

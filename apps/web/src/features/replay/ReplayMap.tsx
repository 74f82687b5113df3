import { IconFocus2 } from '@tabler/icons-react';
import type { Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../../base/base-map.ts';
import { useMapKind } from '../../base/map-kind.ts';
import { useMedia } from '../../base/use-media.ts';
import { FencesOnMap } from '../../geofences/FencesOnMap.tsx';
import { showLivePositions } from '../../live/live.ts';
import { deepestZoom } from '../../map/base/street-cover.ts';
import { fitSpots, mainSpots, type Spot } from '../../map/camera.ts';
import { ScaleBar } from '../../map/controls/ScaleBar.tsx';
import { ZoomTools } from '../../map/controls/ZoomTools.tsx';
import { MapPane } from '../../map/MapPane.tsx';
import { useMap } from '../../map/map-context.ts';
import { themeInk } from '../../map/theme-ink.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useVehiclesOnMap } from '../../vehicles/use-vehicles-on-map.ts';
import { MAX_VEHICLES } from './address.ts';
import type { Area } from './area.ts';
import type { Coloring } from './coloring.ts';
import { DrawArea } from './DrawArea.tsx';
import { momentAt, type Past } from './past.ts';
import type { Player } from './player.ts';
import styles from './ReplayMap.module.css';
import { ReplayOverlay } from './replay-overlay.ts';
import type { ReplayedVehicle } from './replay-tracks.ts';

const INSETS = { top: 0, right: 44, bottom: 24, left: 0 };
/** Beside the list of vehicles, or above it on a phone: see .first in VehiclePicker.module.css. */
const choiceInsets = (isNarrow: boolean) =>
  isNarrow ? { ...INSETS, bottom: window.innerHeight / 2 } : { ...INSETS, left: 340 };

interface AreaProps {
  /** The kind of area that the user is drawing. */
  readonly drawing: 'rectangle' | 'circle' | null;
  /** Null: canceled. */
  readonly onDrawn: (area: Area | null) => void;
  /** Returns the visible part of the map as an area. */
  readonly viewArea: RefObject<(() => Area) | null>;
}

interface Props extends AreaProps {
  readonly player: Player;
  readonly vehicles: readonly ReplayedVehicle[];
  /** The vehicles and the range; when it changes, the map fits them again. */
  readonly what: string;
  readonly focus: string | null;
  readonly follows: boolean;
  readonly onFocus: (vehicleId: string) => void;
  readonly onFollow: (follows: boolean) => void;
  readonly coloring: Coloring | null;
  readonly ghosts: boolean;
  /** While the first vehicles are being chosen. */
  readonly choice: FleetChoice | null;
  readonly children: ReactNode;
}

/** Tracks, and vehicles at the current time. */
export function ReplayMap({ children, choice, drawing, onDrawn, viewArea, ...props }: Props) {
  const { t } = useTranslation('replay');
  const base = useBaseMap();
  const outline = useMapKind() === 'outline';
  return (
    <div className={styles.root}>
      <MapPane base={base} outline={outline} label={t('map')} noMap={t('noWebgl')} foot={<ScaleBar />}>
        {choice ? <FleetNow {...choice} /> : <Vehicles {...props} />}
        <AreaOnMap drawing={drawing} onDrawn={onDrawn} viewArea={viewArea} />
      </MapPane>
      {children}
    </div>
  );
}

function Vehicles({
  player,
  vehicles,
  what,
  focus,
  follows,
  onFocus,
  onFollow,
  coloring,
  ghosts,
}: Omit<Props, 'children' | 'choice' | keyof AreaProps>) {
  const { t } = useTranslation('replay');
  const { map, streets, styleEpoch } = useMap();
  const [overlay] = useState(() => new ReplayOverlay(map, token => themeInk()(token)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a style change, our layers are gone.
  useEffect(() => {
    overlay.attach();
    return () => overlay.detach();
  }, [overlay, styleEpoch]);
  useEffect(() => overlay.setColoring(coloring), [overlay, coloring]);
  useEffect(() => overlay.setGhosts(ghosts), [overlay, ghosts]);
  useEffect(() => overlay.setVehicles(vehicles), [overlay, vehicles]);
  useEffect(() => overlay.setFocus(focus), [overlay, focus]);
  useEffect(() => player.onTime(atMs => overlay.setTime(atMs)), [overlay, player]);

  const fitAll = (animate: boolean): void => {
    const spots = vehicles.flatMap(({ past }) => spotsOf(past));
    fitSpots(map, spots, INSETS, animate, Math.min(16, deepestZoom(streets, ...spots)));
  };
  // Fit again as each vehicle loads, because it may be elsewhere.
  const fitted = useRef('');
  /** What the map shows since it was fitted, until someone moves it. */
  const fittedView = useRef('');
  const known = `${what} ${vehicles.length}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when vehicles or range have changed.
  useEffect(() => {
    if (fitted.current === known || vehicles.length === 0) return;
    fitted.current = known;
    fitAll(false);
    fittedView.current = viewOf(map);
  }, [known]);
  // The lanes of the vehicles take room from the map, which would cut off what lies at its edge.
  useEffect(() => {
    const fitAgain = (): void => {
      if (fittedView.current === '' || viewOf(map) !== fittedView.current) return;
      fitAll(false);
      fittedView.current = viewOf(map);
    };
    map.on('resize', fitAgain);
    return () => {
      map.off('resize', fitAgain);
    };
  });

  const followed = follows ? vehicles.find(({ past }) => past.vehicleId === focus)?.past : undefined;
  useEffect(() => {
    if (!followed) return;
    return player.onTime(atMs => {
      const moment = momentAt(followed, atMs);
      if (moment) map.jumpTo({ center: [moment.lon, moment.lat] });
    });
  }, [map, player, followed]);
  useEffect(() => {
    const leave = (): void => onFollow(false);
    const open = ({ point }: MapMouseEvent): void => {
      const found = overlay.at(point.x, point.y);
      if (found !== null) onFocus(found);
    };
    map.on('dragstart', leave);
    map.on('click', open);
    return () => {
      map.off('dragstart', leave);
      map.off('click', open);
    };
  }, [map, overlay, onFollow, onFocus]);

  return (
    <ZoomTools
      fitLabel={t('fitAll')}
      onFit={() => {
        onFollow(false);
        fitAll(true);
      }}
    >
      <FencesOnMap />
      <IconButton
        label={t('follow')}
        tooltip="left"
        aria-pressed={follows}
        disabled={focus === null}
        onClick={() => onFollow(!follows)}
      >
        <IconFocus2 size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </ZoomTools>
  );
}

/** The area that is being drawn, and the visible part of the map as one. */
function AreaOnMap({ drawing, onDrawn, viewArea }: AreaProps) {
  const { map } = useMap();
  useEffect(() => {
    viewArea.current = () => {
      const bounds = map.getBounds();
      const around = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;
      const isWhole = bounds.getEast() - bounds.getWest() >= 360;
      return {
        kind: 'rectangle',
        bounds: [
          isWhole ? -180 : around(bounds.getWest()),
          Math.max(-90, bounds.getSouth()),
          isWhole ? 180 : around(bounds.getEast()),
          Math.min(90, bounds.getNorth()),
        ],
      };
    };
    return () => {
      viewArea.current = null;
    };
  }, [map, viewArea]);
  return drawing && <DrawArea kind={drawing} onDrawn={onDrawn} />;
}

interface FleetChoice {
  readonly vehicles: readonly { readonly id: string; readonly imei: string }[];
  readonly chosen: readonly string[];
  readonly onChoose: (vehicleIds: readonly string[]) => void;
}

/** The fleet where it is now. A click on a vehicle chooses it, another one takes it back. */
function FleetNow({ vehicles, chosen, onChoose }: FleetChoice) {
  const { t } = useTranslation('replay');
  const { map, streets } = useMap();
  useEffect(showLivePositions, []);
  const imeis = useMemo(() => new Set(vehicles.map(({ imei }) => imei)), [vehicles]);
  const selected = useMemo(
    () => new Set(vehicles.flatMap(({ id, imei }) => (chosen.includes(id) ? [imei] : []))),
    [vehicles, chosen],
  );
  const places = useVehiclesOnMap(imeis, { selected }, picked => {
    const id = vehicles.find(({ imei }) => imei === picked)?.id;
    if (id === undefined) return;
    onChoose(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id].slice(0, MAX_VEHICLES));
  });
  const isNarrow = useMedia('(max-width: 37.49em)');
  const isKnown = places.size > 0;
  const fit = (spots: readonly Spot[], animate: boolean): void =>
    fitSpots(map, spots, choiceInsets(isNarrow), animate, deepestZoom(streets, ...spots));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first positions are there.
  useEffect(() => {
    if (isKnown) fit(mainSpots([...places.values()]), false);
  }, [isKnown]);
  return (
    <ZoomTools fitLabel={t('fitAll')} onFit={() => fit([...places.values()], true)}>
      <FencesOnMap />
    </ZoomTools>
  );
}

/** The corners of the box around a track. */
/** A change of the map's size keeps both. */
function viewOf(map: MapLibreMap): string {
  const { lat, lng } = map.getCenter();
  return [lat, lng, map.getZoom()].map(part => part.toFixed(5)).join(' ');
}

function spotsOf({ track: { lat, lon } }: Past): Spot[] {
  if (lat.length === 0) return [];
  const least = (values: Float64Array): number => values.reduce((known, value) => Math.min(known, value));
  const most = (values: Float64Array): number => values.reduce((known, value) => Math.max(known, value));
  return [
    { lat: least(lat), lon: least(lon) },
    { lat: most(lat), lon: most(lon) },
  ];
}

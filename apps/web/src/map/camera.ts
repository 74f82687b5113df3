import type { Map as MapLibreMap } from 'maplibre-gl';
import { GLIDE_MS } from './scene/glide.ts';

export interface Spot {
  readonly lat: number;
  readonly lon: number;
}

/** Pixels at each edge of the map that a floating panel covers. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** West, south, east, north. */
type Bounds = readonly [number, number, number, number];

const MARGIN_PX = 56;
/** The opening view leaves out distant vehicles a tenth at a time, but always keeps at least 60%. */
const KEPT_SHARES = [0.9, 0.8, 0.7, 0.6];
/** Distant vehicles are left out only if the view gets this many times closer without them. */
const WORTH_IT = 3;

export function boundsOf(spots: readonly Spot[]): Bounds | null {
  if (spots.length === 0) return null;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { lat, lon } of spots) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}

/**
 * The vehicles that the opening view should show: all of them, or, if a few long hauls would shrink the rest to a dot,
 * those closest to the median position.
 */
export function mainSpots<T extends Spot>(spots: readonly T[]): readonly T[] {
  const middle = { lat: median(spots.map(({ lat }) => lat)), lon: median(spots.map(({ lon }) => lon)) };
  const distance = ({ lat, lon }: Spot): number => Math.max(Math.abs(lat - middle.lat), Math.abs(lon - middle.lon));
  const nearestFirst = spots.toSorted((a, b) => distance(a) - distance(b));
  let main: readonly T[] = spots;
  for (const share of KEPT_SHARES) {
    const core = nearestFirst.slice(0, Math.ceil(spots.length * share));
    if (extent(boundsOf(main)) > WORTH_IT * extent(boundsOf(core))) main = core;
  }
  return main;
}

const extent = (bounds: Bounds | null): number =>
  bounds === null ? 0 : Math.max(bounds[2] - bounds[0], bounds[3] - bounds[1]);

function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[ordered.length >> 1] ?? 0;
}

/** Fits all these spots into the part of the map that no panel covers. */
export function fitSpots(
  map: MapLibreMap,
  spots: readonly Spot[],
  insets: Insets,
  animate: boolean,
  maxZoom: number,
): void {
  const bounds = boundsOf(spots);
  if (!bounds) return;
  const [west, south, east, north] = bounds;
  const { clientWidth, clientHeight } = map.getContainer();
  // On a small screen a full margin would leave no room for the vehicles.
  const margin = Math.min(MARGIN_PX, clientWidth / 10, clientHeight / 10);
  map.fitBounds(
    [
      [west, south],
      [east, north],
    ],
    {
      padding: {
        top: insets.top + margin,
        right: insets.right + margin,
        bottom: insets.bottom + margin,
        left: insets.left + margin,
      },
      maxZoom,
      ...(animate ? {} : { duration: 0 }),
    },
  );
}

const offsetOf = ({ top, right, bottom, left }: Insets): [number, number] => [(left - right) / 2, (top - bottom) / 2];

/** Centers one spot in the uncovered part of the map, as close as the map has detail. */
export function showSpot(map: MapLibreMap, { lat, lon }: Spot, insets: Insets, deepest: number, animate = true): void {
  map.easeTo({ center: [lon, lat], zoom: deepest, offset: offsetOf(insets), ...(animate ? {} : { duration: 0 }) });
}

/** Follows a gliding marker at its speed, for as long as it glides. */
export function followSpot(map: MapLibreMap, { lat, lon }: Spot, insets: Insets): void {
  map.easeTo({ center: [lon, lat], offset: offsetOf(insets), duration: GLIDE_MS, easing: share => share });
}

/** Whether a spot is in view, not under a panel and not at the very edge. */
export function isSeen(map: MapLibreMap, { lat, lon }: Spot, insets: Insets): boolean {
  const { x, y } = map.project([lon, lat]);
  const { clientWidth, clientHeight } = map.getContainer();
  const edge = 60;
  return (
    x >= insets.left + edge &&
    y >= insets.top + edge &&
    x <= clientWidth - insets.right - edge &&
    y <= clientHeight - insets.bottom - edge
  );
}

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles, type Source } from 'pmtiles';
import type { MapFiles } from '../maps/map-files.ts';
import type { At, PlacedTile, View } from './view.ts';

/** A feature of a tile, with its geometry where it lies on the page. */
export interface BaseFeature {
  readonly kind: string;
  readonly detail: string;
  readonly isPolygon: boolean;
  readonly minZoom: number;
  readonly name: string;
  readonly rank: number;
  readonly lines: readonly (readonly At[])[];
}

/** Features by layer (Protomaps' names), tile after tile. */
export type BaseLayers = ReadonlyMap<string, readonly BaseFeature[]>;

export interface BaseMap {
  readonly world: BaseLayers;
  readonly towns: BaseLayers;
  readonly streets: BaseLayers;
  /** Who has to be named for what is drawn. */
  readonly credits: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../../../../../data/map');
const NOTHING: BaseLayers = new Map();
/** Streets from here on; the world's towns are enough before. */
const STREETS_FROM = 8.5;
const TOWNS_FROM = 7;
/** A feature of so many points is cut off: a map of this size can't show them. */
const MOST_POINTS = 200_000;

/** What lies under the tracks, from files of this server: no network is asked. */
export async function readBaseMap(view: View, own: MapFiles): Promise<BaseMap> {
  const { zoom } = view;
  const world = await layersIn(join(FOLDER, 'world-z6.pmtiles'), view, zoom);
  const towns = zoom < TOWNS_FROM ? NOTHING : await layersIn(join(FOLDER, 'towns.pmtiles'), view, zoom);
  const credits = ['Natural Earth', 'GeoNames'];
  if (zoom < STREETS_FROM) return { world, towns, streets: NOTHING, credits };
  for (const file of await own.list()) {
    if (file.fault !== null) continue;
    const streets = await layersIn(join(own.folder, file.name), view, zoom);
    if (streets.has('roads')) return { world, towns, streets, credits: [...credits, file.attribution] };
  }
  const streets = await layersIn(join(FOLDER, 'cities.pmtiles'), view, zoom);
  return {
    world,
    towns,
    streets,
    credits: streets.size === 0 ? credits : [...credits, '© OpenStreetMap contributors'],
  };
}

async function layersIn(path: string, view: View, zoom: number): Promise<BaseLayers> {
  const file = await open(path, 'r');
  const source: Source = {
    getKey: () => path,
    getBytes: async (offset, length) => {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return { data: bytes.buffer.slice(0, bytesRead) };
    },
  };
  try {
    const tiles = new PMTiles(source);
    const { minZoom, maxZoom } = await tiles.getHeader();
    if (zoom < minZoom - 1) return NOTHING;
    // Tiles here are 512 wide, as those of the map on the screen.
    const z = Math.max(minZoom, Math.min(maxZoom, Math.round(zoom)));
    const layers = new Map<string, BaseFeature[]>();
    for (const placed of view.tiles(z)) {
      const tile = await tiles.getZxy(placed.z, placed.x, placed.y);
      if (tile) addTile(layers, new Uint8Array(tile.data), placed);
    }
    return layers;
  } finally {
    await file.close();
  }
}

const POLYGON = 3;

/**
 * A ring within its tile (Sutherland and Hodgman): beyond the edge tiles have what is only there to be cut off, such as
 * the sea around a tile of land.
 */
function clipped(ring: readonly At[], { left, size, top }: PlacedTile): readonly At[] {
  const edges: readonly [axis: 0 | 1, limit: number, sign: 1 | -1][] = [
    [0, left, 1],
    [0, left + size, -1],
    [1, top, 1],
    [1, top + size, -1],
  ];
  let kept = ring;
  for (const [axis, limit, sign] of edges) {
    const inside = (at: At): boolean => (at[axis] - limit) * sign >= 0;
    const next: At[] = [];
    for (const [i, at] of kept.entries()) {
      const before = kept.at(i - 1) as At;
      if (inside(at) !== inside(before)) {
        const share = (limit - before[axis]) / (at[axis] - before[axis]);
        next.push([before[0] + (at[0] - before[0]) * share, before[1] + (at[1] - before[1]) * share]);
      }
      if (inside(at)) next.push(at);
    }
    kept = next;
  }
  return kept;
}

function addTile(layers: Map<string, BaseFeature[]>, bytes: Uint8Array, placed: PlacedTile): void {
  for (const [name, layer] of Object.entries(new VectorTile(new PbfReader(bytes)).layers)) {
    const features = layers.get(name) ?? [];
    layers.set(name, features);
    for (let i = 0; i < layer.length; i++) features.push(featureOn(layer.feature(i), placed));
  }
}

function featureOn(feature: VectorTileFeature, placed: PlacedTile): BaseFeature {
  const { left, size, top } = placed;
  const { extent, properties, type } = feature;
  const scale = size / extent;
  let points = 0;
  const lines = feature.loadGeometry().map(line => {
    points += line.length;
    const drawn = points > MOST_POINTS ? [] : line.map(({ x, y }): At => [left + x * scale, top + y * scale]);
    return type === POLYGON ? clipped(drawn, placed) : drawn;
  });
  return {
    kind: String(properties.kind ?? ''),
    detail: String(properties.kind_detail ?? ''),
    isPolygon: type === POLYGON,
    minZoom: Number(properties.min_zoom ?? 0),
    name: String(properties['name:en'] ?? properties.name ?? ''),
    rank: Number(properties.population_rank ?? 0),
    lines,
  };
}

import type { Inputs } from './inputs.ts';
import type { LayerName, Layers } from './layers.ts';
import type { Tile } from './pmtiles-writer.ts';

/** The parts used of @maplibre/geojson-vt, which cuts and simplifies, and @maplibre/vt-pbf, which encodes. */
interface CutTile {
  readonly features: readonly object[];
}
interface TileIndex {
  readonly tileIndex: {
    readonly tileCoords: readonly { readonly z: number; readonly x: number; readonly y: number }[];
  };
  getTile(zoom: number, x: number, y: number): CutTile | null;
}
interface GeojsonVt {
  readonly GeoJSONVT: new (features: object, options: object) => TileIndex;
}
interface VtPbf {
  fromGeojsonVt(layers: Record<string, CutTile>, options: { version: number; extent: number }): Uint8Array;
}

export interface Cut {
  readonly fromZoom: number;
  readonly toZoom: number;
  /** How far a simplified line may deviate and how far a tile extends over its edge, in 4096ths of a tile. */
  readonly tolerance: (layer: LayerName, zoom: number) => number;
  readonly buffer: (layer: LayerName) => number;
}

const EXTENT = 4096;

/**
 * The tiles of all zooms. Each zoom is cut from the full features, so that it does not depend on the simplification of
 * another.
 */
export function* cutTiles(inputs: Inputs, layers: Layers, cut: Cut): Generator<Tile> {
  // Imported by its file, because by its name Node finds a browser script.
  const { GeoJSONVT } = inputs.load<GeojsonVt>('./node_modules/@maplibre/geojson-vt/dist/geojson-vt.mjs');
  const { fromGeojsonVt } = inputs.load<VtPbf>('@maplibre/vt-pbf');
  for (let zoom = cut.fromZoom; zoom <= cut.toZoom; zoom++) {
    const layersOfTile = new Map<string, Record<string, CutTile>>();
    for (const [layer, all] of layers) {
      // The last zoom has everything: for higher zooms the map enlarges it, and the style filters by `min_zoom`.
      const features = all
        .filter(({ fromZoom }) => fromZoom <= zoom || zoom === cut.toZoom)
        .map(({ geometry, properties }) => ({ type: 'Feature', geometry, properties }));
      if (features.length === 0) continue;
      const index = new GeoJSONVT(
        { type: 'FeatureCollection', features },
        {
          // One more than the zoom that is cut, because geojson-vt does not simplify its own last zoom.
          maxZoom: zoom + 1,
          indexMaxZoom: zoom,
          indexMaxPoints: 0,
          tolerance: cut.tolerance(layer, zoom),
          buffer: cut.buffer(layer),
          extent: EXTENT,
        },
      );
      for (const { z, x, y } of index.tileIndex.tileCoords) {
        const tile = z === zoom ? index.getTile(z, x, y) : null;
        if (!tile?.features.length) continue;
        const key = `${x}/${y}`;
        const others = layersOfTile.get(key) ?? {};
        layersOfTile.set(key, others);
        others[layer] = tile;
      }
    }
    for (const [key, tileLayers] of layersOfTile) {
      const [x = 0, y = 0] = key.split('/').map(Number);
      yield { zoom, x, y, data: fromGeojsonVt(tileLayers, { version: 2, extent: EXTENT }) };
    }
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import type { Inputs } from './inputs.ts';
import type { Geometry } from './layers.ts';

/** The parts used of @mapbox/vector-tile. Coordinates are relative to the tile: y down, `extent` per side. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Tags = Readonly<Record<string, string | number | boolean | undefined>>;
export const SHAPES = { point: 1, line: 2, polygon: 3 } as const;
export interface SourceFeature {
  readonly type: 0 | 1 | 2 | 3;
  readonly properties: Tags;
  readonly extent: number;
  loadGeometry(): readonly (readonly Point[])[];
  toGeoJSON(x: number, y: number, zoom: number): { readonly geometry: Geometry };
}
interface SourceLayer {
  readonly length: number;
  feature(index: number): SourceFeature;
}
interface VectorTileReader {
  readonly VectorTile: new (reader: object) => { readonly layers: Readonly<Record<string, SourceLayer>> };
}
interface Pbf {
  readonly PbfReader: new (bytes: Uint8Array) => object;
}

/** A tile of real OpenStreetMap data from @mapbox/mvt-fixtures. */
export interface SourceTile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  features(layer: string): Generator<SourceFeature>;
  readonly layers: readonly string[];
}

/** The tiles of one of the package's real places; their files are named zoom-x-y.mvt. */
export function realWorldTiles(inputs: Inputs, place: string): readonly SourceTile[] {
  const { VectorTile } = inputs.load<VectorTileReader>('@mapbox/vector-tile');
  const { PbfReader } = inputs.load<Pbf>('pbf');
  const folder = inputs.find(`node_modules/@mapbox/mvt-fixtures/real-world/${place}`);
  if (!folder) throw new Error(`@mapbox/mvt-fixtures has no place "${place}"`);
  return readdirSync(folder)
    .filter(name => name.endsWith('.mvt'))
    .map(name => {
      const [zoom = 0, x = 0, y = 0] = (name.match(/\d+/g) ?? []).map(Number);
      const { layers } = new VectorTile(new PbfReader(readFileSync(`${folder}/${name}`)));
      return {
        zoom,
        x,
        y,
        layers: Object.keys(layers),
        *features(name: string) {
          const layer = layers[name];
          for (let index = 0; layer && index < layer.length; index++) yield layer.feature(index);
        },
      };
    });
}

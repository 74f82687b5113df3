import type { Inputs } from '../inputs.ts';
import type { Point, SourceFeature } from '../mvt-fixtures.ts';
import { type Ring, seaOf } from './rings.ts';
import { simplePolygons } from './simple.ts';

const EXTENT = 4096;
/** Land is cut 32 beyond the tile; the frame is outside of that, and the map draws neither. */
const OVER = 256;
const FRAME: Ring = [
  { x: -OVER, y: -OVER },
  { x: EXTENT + OVER, y: -OVER },
  { x: EXTENT + OVER, y: EXTENT + OVER },
  { x: -OVER, y: EXTENT + OVER },
];

interface Layer {
  readonly length: number;
  readonly extent: number;
  feature(index: number): SourceFeature;
}
interface VectorTileReader {
  readonly VectorTile: new (reader: object) => { readonly layers: Readonly<Record<string, Layer>> };
}
interface Pbf {
  readonly PbfReader: new (
    bytes: Uint8Array,
  ) => {
    pos: number;
    readonly length: number;
    readVarint(): number;
    readString(): string;
    skip(value: number): void;
  };
}
interface VtPbf {
  fromGeojsonVt(layers: object, options: { readonly version: number; readonly extent: number }): Uint8Array;
}

/**
 * A tile with its layer `earth` replaced by `ocean`, or its `ocean` made anew; every other layer stays the same byte for
 * byte. Null is open sea. The deepest zoom keeps every islet, since the map enlarges it.
 */
export function oceanTiles(inputs: Inputs, tile: Uint8Array | null, deepest: boolean): Uint8Array {
  const { VectorTile } = inputs.load<VectorTileReader>('@mapbox/vector-tile');
  const { PbfReader } = inputs.load<Pbf>('pbf');
  const { fromGeojsonVt } = inputs.load<VtPbf>('@maplibre/vt-pbf');
  const { earth, ocean: made } = tile ? new VectorTile(new PbfReader(tile)).layers : {};
  const sea = simplePolygons(
    inputs,
    made ? ringsOf(made) : seaOf(FRAME, earth ? ringsOf(earth) : []),
    deepest ? 'keep' : 'drop',
  );
  const ocean = fromGeojsonVt(
    {
      ocean: {
        features: [
          {
            type: 3,
            tags: { kind: 'ocean' },
            geometry: sea.flat().map(ring => closed(ring).map(({ x, y }) => [x, y])),
          },
        ],
      },
    },
    { version: 2, extent: EXTENT },
  );
  return Buffer.concat([ocean, ...(tile ? layersBut(made ? 'ocean' : 'earth', tile, PbfReader) : [])]);
}

/** A tile is a sequence of layers (field 3), each with its name in field 1 (MVT 2.1, §4.1). */
function* layersBut(name: string, tile: Uint8Array, PbfReader: Pbf['PbfReader']): Generator<Uint8Array> {
  const reader = new PbfReader(tile);
  while (reader.pos < reader.length) {
    const start = reader.pos;
    reader.readVarint();
    const end = reader.readVarint() + reader.pos;
    let of = '';
    while (reader.pos < end) {
      const field = reader.readVarint();
      if (field >> 3 === 1) of = reader.readString();
      else reader.skip(field);
    }
    if (of !== name) yield tile.subarray(start, end);
  }
}

function ringsOf(layer: Layer): Ring[] {
  if (layer.extent !== EXTENT) throw new Error(`A tile counts to ${layer.extent}`);
  const features = Array.from({ length: layer.length }, (_, index) => layer.feature(index));
  return features.flatMap(feature => feature.loadGeometry().map(opened));
}

/** The reader's rings end at their first point. */
const opened = (ring: Ring): Ring => {
  const [first] = ring;
  const last = ring.at(-1);
  return first && last && first.x === last.x && first.y === last.y ? ring.slice(0, -1) : ring;
};
const closed = (ring: Ring): Point[] => [...ring, ...ring.slice(0, 1)];

import { readFileSync, writeFileSync } from 'node:fs';
import { cutTiles } from './cut-tiles.ts';
import { geoNamesPlaces } from './geonames.ts';
import { openInputs, outputFile } from './inputs.ts';
import { type LayerName, type MapFeature, type Position, vectorLayers } from './layers.ts';
import { encodePmtiles } from './pmtiles-writer.ts';
import { openArchive } from './read-archive.ts';
import { createNames } from './world/names.ts';
import { FEWEST, town } from './world/towns.ts';

/**
 * Creates `data/map/towns.pmtiles`, the world's towns and villages that are too small for `world-z6.pmtiles`: `node
 * tools/map/small-towns.ts INPUTS`, after `world.ts`. The same input gives the same file.
 */
const ZOOM = 8;

const inputs = openInputs();
const features = geoNamesPlaces(inputs)
  .filter(place => place.population < FEWEST && place.featureCode !== 'PPLX')
  .map(({ name, loc, population }) => town(name, loc.coordinates, population, population >= 5000 ? 9 : 10));
const known = createNames();
for (const { name, at } of await namesOfTheWorld()) known.add(name, at);
const missing = features.filter(
  ({ geometry, properties }) => geometry.type === 'Point' && !known.has(`${properties.name}`, geometry.coordinates),
);

const layers = new Map<LayerName, MapFeature[]>([['places', missing.map(lean)]]);
const tiles = cutTiles(inputs, layers, { fromZoom: ZOOM, toZoom: ZOOM, tolerance: () => 0, buffer: () => 0 });
const archive = encodePmtiles(tiles, {
  bounds: [-180, -85.0511, 180, 85.0511],
  center: [0, 20, ZOOM],
  metadata: { name: 'towns', attribution: 'GeoNames', vector_layers: vectorLayers(layers, ZOOM, ZOOM) },
});
writeFileSync(outputFile('towns.pmtiles'), archive);
console.log(`towns.pmtiles: ${missing.length} places, ${archive.length} bytes`);

/** Only what a label needs, because there are a hundred thousand of them. */
function lean({ geometry, properties, fromZoom }: MapFeature): MapFeature {
  const { kind, name, population_rank, min_zoom } = properties;
  return { geometry, properties: { kind, name, population_rank, min_zoom }, fromZoom };
}

/** The names in the world's tiles, with their positions. */
async function namesOfTheWorld(): Promise<{ readonly name: string; readonly at: Position }[]> {
  interface Tile {
    readonly layers: Readonly<
      Record<
        string,
        {
          readonly length: number;
          feature(index: number): {
            readonly properties: { readonly name?: string };
            toGeoJSON(x: number, y: number, zoom: number): { readonly geometry: { readonly coordinates: Position } };
          };
        }
      >
    >;
  }
  const { VectorTile } = inputs.load<{ readonly VectorTile: new (reader: object) => Tile }>('@mapbox/vector-tile');
  const { PbfReader } = inputs.load<{ readonly PbfReader: new (bytes: Uint8Array) => object }>('pbf');
  const world = openArchive(inputs, readFileSync(outputFile('world-z6.pmtiles')));
  const { maxZoom } = await world.getHeader();
  const names = [];
  for (let x = 0; x < 2 ** maxZoom; x++) {
    for (let y = 0; y < 2 ** maxZoom; y++) {
      const tile = await world.getZxy(maxZoom, x, y);
      const places = tile && new VectorTile(new PbfReader(new Uint8Array(tile.data))).layers.places;
      for (let i = 0; i < (places?.length ?? 0); i++) {
        const place = places?.feature(i);
        if (place?.properties.name)
          names.push({ name: place.properties.name, at: place.toGeoJSON(x, y, maxZoom).geometry.coordinates });
      }
    }
  }
  return names;
}

import { writeFileSync } from 'node:fs';
import { chicago } from './cities/chicago.ts';
import { type Bounds, fadeAtEdge } from './cities/fade.ts';
import { montevideo } from './cities/montevideo.ts';
import { cutTiles } from './cut-tiles.ts';
import { openInputs, outputFile } from './inputs.ts';
import { type LayerName, type MapFeature, vectorLayers } from './layers.ts';
import { encodePmtiles } from './pmtiles-writer.ts';

/**
 * Creates `data/map/cities.pmtiles`, the streets of Chicago and Montevideo from OpenStreetMap data: `node
 * tools/map/cities.ts INPUTS`. The same input gives the same file.
 */
const FROM_ZOOM = 9;
const TO_ZOOM = 14;

const inputs = openInputs();
const layers = new Map<LayerName, MapFeature[]>(
  (['earth', 'landuse', 'water', 'roads', 'buildings', 'places', 'pois'] as const).map(layer => [layer, []]),
);
const CITIES: readonly (readonly [Iterable<readonly [LayerName, MapFeature]>, Bounds])[] = [
  [chicago(inputs), [-87.803, 41.771, -87.583, 41.968]],
  [montevideo(inputs), [-56.338, -34.958, -55.986, -34.814]],
];
// Land and water continue beyond the patch; everything built or planted ends with it.
const FADING: ReadonlySet<LayerName> = new Set(['landuse', 'roads', 'buildings']);
for (const [features, patch] of CITIES) {
  for (const [layer, feature] of features) {
    layers.get(layer)?.push(...(FADING.has(layer) ? fadeAtEdge(feature, patch) : [feature]));
  }
}

const tiles = cutTiles(inputs, layers, {
  fromZoom: FROM_ZOOM,
  toZoom: TO_ZOOM,
  tolerance: (_layer, zoom) => (zoom < TO_ZOOM ? 3 : 2),
  buffer: () => 64,
});
const archive = encodePmtiles(tiles, {
  bounds: [-87.803, -34.958, -55.986, 41.968],
  center: [-87.65, 41.87, 11],
  metadata: {
    name: 'cities',
    attribution: '© OpenStreetMap contributors',
    vector_layers: vectorLayers(layers, FROM_ZOOM, TO_ZOOM),
  },
});
writeFileSync(outputFile('cities.pmtiles'), archive);
for (const [layer, features] of layers) console.log(`${layer}: ${features.length} features`);
console.log(`cities.pmtiles: ${archive.length} bytes`);

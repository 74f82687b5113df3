import { writeFileSync } from 'node:fs';
import { cutTiles } from './cut-tiles.ts';
import { openInputs, outputFile } from './inputs.ts';
import { type LayerName, type MapFeature, vectorLayers } from './layers.ts';
import { encodePmtiles } from './pmtiles-writer.ts';
import { countryNames } from './world/countries.ts';
import { boundaries, earth, landuse, water } from './world/ground.ts';
import { regionNames } from './world/regions.ts';
import { townNames } from './world/towns.ts';

/**
 * Creates `data/map/world-z6.pmtiles`, the world from Natural Earth with towns from GeoNames: `node tools/map/world.ts
 * INPUTS`. The same input gives the same file.
 */
const TO_ZOOM = 6;

const inputs = openInputs();
const urban = await landuse(inputs);
if (!urban) console.warn('No built-up areas: ne_10m_urban_areas.shp is not among the inputs (tools/map/README.md)');
const layers = new Map<LayerName, MapFeature[]>([
  ['earth', await earth(inputs)],
  ['water', await water(inputs)],
  ...(urban ? [['landuse', urban] as const] : []),
  ['boundaries', await boundaries(inputs)],
  ['places', [...countryNames(inputs), ...(await regionNames(inputs)), ...(await townNames(inputs))]],
]);

const tiles = cutTiles(inputs, layers, {
  fromZoom: 0,
  toZoom: TO_ZOOM,
  tolerance: (layer, zoom) => (layer === 'places' ? 0 : zoom < TO_ZOOM ? 4 : 3),
  buffer: layer => (layer === 'earth' || layer === 'boundaries' ? 32 : 64),
});
const archive = encodePmtiles(tiles, {
  bounds: [-180, -85.0511, 180, 85.0511],
  center: [0, 20, 2],
  metadata: {
    name: 'world',
    attribution: 'Natural Earth | GeoNames',
    vector_layers: vectorLayers(layers, 0, TO_ZOOM),
  },
});
writeFileSync(outputFile('world-z6.pmtiles'), archive);
for (const [layer, features] of layers) console.log(`${layer}: ${features.length} features`);
console.log(`world-z6.pmtiles: ${archive.length} bytes`);

import { readFileSync, writeFileSync } from 'node:fs';
import { openInputs, outputFile } from './inputs.ts';
import { oceanTiles } from './ocean/ocean-tiles.ts';
import { encodePmtiles, type Tile } from './pmtiles-writer.ts';
import { openArchive } from './read-archive.ts';

/**
 * Replaces the land in `data/map/world-z6.pmtiles` with the sea: `node tools/map/ocean.ts INPUTS`, after `world.ts`.
 * Run again, it makes the sea from the sea. With the sea as polygons, the background is land, so that a map that is
 * still loading, or has a hole, never looks like open water.
 */
const inputs = openInputs();
const file = outputFile('world-z6.pmtiles');
const archive = openArchive(inputs, readFileSync(file));
const { minZoom, maxZoom } = await archive.getHeader();
const metadata = (await archive.getMetadata()) as { readonly vector_layers: readonly { readonly id: string }[] };
if (!metadata.vector_layers.some(({ id }) => id === 'earth' || id === 'ocean')) {
  console.error(`${file} has neither land nor sea: make it again with tools/map/world.ts.`);
  process.exit(2);
}

const tiles: Tile[] = [];
for (let zoom = minZoom; zoom <= maxZoom; zoom++) {
  for (let x = 0; x < 2 ** zoom; x++) {
    for (let y = 0; y < 2 ** zoom; y++) {
      const tile = await archive.getZxy(zoom, x, y);
      tiles.push({ zoom, x, y, data: oceanTiles(inputs, tile ? new Uint8Array(tile.data) : null, zoom === maxZoom) });
    }
  }
}
const made = encodePmtiles(tiles, {
  bounds: [-180, -85.0511, 180, 85.0511],
  center: [0, 20, 2],
  metadata: {
    ...metadata,
    vector_layers: metadata.vector_layers.map(layer => (layer.id === 'earth' ? { ...layer, id: 'ocean' } : layer)),
  },
});
writeFileSync(file, made);
console.log(`world-z6.pmtiles: ${tiles.length} tiles, ${made.length} bytes`);

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { VectorTile } from '@mapbox/vector-tile';
import { PMTiles } from 'pmtiles';
import { expect, it } from 'vitest';
import { type Ring, ringArea } from './rings.ts';
import { drawnWrong, type Polygon } from './simple.ts';

/** The server's reader of tiles. */
const { PbfReader } = createRequire(new URL('../../../apps/server/package.json', import.meta.url))('pbf') as {
  readonly PbfReader: new (bytes: Uint8Array) => ConstructorParameters<typeof VectorTile>[0];
};
const WORLD = new URL('../../../data/map/world-z6.pmtiles', import.meta.url);
/** Units² of a tile's 4,096 × 4,096: a square of four pixels. */
const UNSEEN = 1_100;

it('the sea of the shipped map is drawn where it is: no wedge of it crosses the land', async () => {
  const bytes = readFileSync(WORLD);
  const archive = new PMTiles({
    getKey: () => 'world',
    getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
  });
  const wrong: string[] = [];
  // Deeper tiles hold less of a coast and are made in the same way.
  for (let zoom = 0; zoom <= 4; zoom++) {
    for (let x = 0; x < 2 ** zoom; x++) {
      for (let y = 0; y < 2 ** zoom; y++) {
        const tile = await archive.getZxy(zoom, x, y);
        const { ocean } = new VectorTile(new PbfReader(new Uint8Array(tile!.data))).layers;
        for (let i = 0; i < (ocean?.length ?? 0); i++) {
          const rings = ocean!.feature(i).loadGeometry();
          if (drawnWrong(polygonsOf(rings)) > UNSEEN) wrong.push(`${zoom}/${x}/${y}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

/** Each outer ring is followed by its holes (MVT 2.1, §4.3.4.4); the reader repeats the first point at the end. */
function polygonsOf(rings: readonly Ring[]): Polygon[] {
  const polygons: Ring[][] = [];
  for (const ring of rings.map(closed => closed.slice(0, -1))) {
    if (ringArea(ring) > 0) polygons.push([ring]);
    else polygons.at(-1)?.push(ring);
  }
  return polygons;
}

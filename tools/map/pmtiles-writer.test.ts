import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { PMTiles, type RangeResponse, type Source, zxyToTileId } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { type Description, encodePmtiles, type Tile } from './pmtiles-writer.ts';
import { tileId } from './tile-id.ts';

const CHICAGO: Description = {
  bounds: [-87.8, 41.77, -87.58, 41.97],
  center: [-87.65, 41.87, 11],
  metadata: { name: 'test', vector_layers: [{ id: 'roads', minzoom: 0, maxzoom: 7, fields: {} }] },
};

/** The map's own reader, reading from memory. */
function open(archive: Buffer): PMTiles {
  const source: Source = {
    getKey: () => 'memory',
    getBytes: async (offset, length): Promise<RangeResponse> => ({
      data: new Uint8Array(archive.subarray(offset, offset + length)).buffer,
    }),
  };
  return new PMTiles(source);
}

const tilesOfZooms = (most: number, data: (x: number, y: number) => Uint8Array): Tile[] =>
  Array.from({ length: most + 1 }, (_, zoom) =>
    Array.from({ length: 4 ** zoom }, (_, index) => {
      const [x, y] = [index % 2 ** zoom, Math.floor(index / 2 ** zoom)];
      return { zoom, x, y, data: data(x, y) };
    }),
  ).flat();

describe('a PMTiles archive', () => {
  it('returns every tile, its metadata, and nothing for missing tiles', async () => {
    const tiles = tilesOfZooms(4, (x, y) => Buffer.from(`${x}/${y}`));
    const reader = open(encodePmtiles(tiles.reverse(), CHICAGO));
    for (const { zoom, x, y, data } of tiles) {
      const read = await reader.getZxy(zoom, x, y);
      expect(Buffer.from(read!.data).toString()).toBe(Buffer.from(data).toString());
    }
    expect(await reader.getZxy(5, 0, 0)).toBeUndefined();
    expect(await reader.getMetadata()).toEqual(CHICAGO.metadata);
    expect(await reader.getHeader()).toMatchObject({
      specVersion: 3,
      clustered: true,
      minZoom: 0,
      maxZoom: 4,
      numAddressedTiles: 341,
      minLon: -87.8,
      maxLat: 41.97,
      centerLon: -87.65,
      centerZoom: 11,
    });
  });

  it('stores equal content once, and consecutive equal tiles as one entry', async () => {
    const sea = Buffer.from('sea');
    const land = Buffer.from('land');
    const archive = encodePmtiles(
      tilesOfZooms(3, (x, y) => (x === 1 && y === 1 ? land : sea)),
      CHICAGO,
    );
    const reader = open(archive);
    const header = await reader.getHeader();
    expect(header).toMatchObject({ numAddressedTiles: 85, numTileContents: 2 });
    // Three tiles of land split the run of sea into four.
    expect(header.numTileEntries).toBe(7);
    expect(Buffer.from((await reader.getZxy(3, 1, 1))!.data).toString()).toBe('land');
    expect(Buffer.from((await reader.getZxy(3, 7, 7))!.data).toString()).toBe('sea');
  });

  it('uses leaf directories when the root would exceed 16 KiB', async () => {
    // Random tiles of random lengths make a directory that does not compress; hashes give reproducible random numbers.
    const tiles = Array.from({ length: 10_000 }, (_, index): Tile => {
      const scatter = createHash('sha256').update(`${index}`).digest();
      const x = scatter.readUInt16LE(0) % 2 ** 14;
      return { zoom: 14, x, y: index, data: scatter.subarray(2, 3 + (scatter[2]! % 29)) };
    });
    const reader = open(encodePmtiles(tiles, CHICAGO));
    const header = await reader.getHeader();
    expect(header.leafDirectoryLength).toBeGreaterThan(0);
    expect(header.rootDirectoryOffset + header.rootDirectoryLength).toBeLessThanOrEqual(16_384);
    for (let index = 0; index < tiles.length; index += 97) {
      const { zoom, x, y, data } = tiles[index]!;
      expect(Buffer.compare(Buffer.from((await reader.getZxy(zoom, x, y))!.data), data)).toBe(0);
    }
  });

  it('is the same file for the same tiles in any order', () => {
    const tiles = tilesOfZooms(3, (x, y) => Buffer.from([x, y]));
    expect(Buffer.compare(encodePmtiles(tiles, CHICAGO), encodePmtiles([...tiles].reverse(), CHICAGO))).toBe(0);
  });
});

it('numbers tiles like the map reader, at every zoom', () => {
  const tile = fc.integer({ min: 0, max: 26 }).chain(zoom => {
    const index = fc.integer({ min: 0, max: 2 ** zoom - 1 });
    return fc.tuple(fc.constant(zoom), index, index);
  });
  fc.assert(
    fc.property(tile, ([zoom, x, y]) => tileId(zoom, x, y) === zxyToTileId(zoom, x, y)),
    { numRuns: 2000 },
  );
});

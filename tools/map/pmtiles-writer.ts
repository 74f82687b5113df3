import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Entry, serialiseDirectories } from './pmtiles-directory.ts';
import { tileId } from './tile-id.ts';

/** One vector tile, uncompressed. */
export interface Tile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly data: Uint8Array;
}

export interface Description {
  /** West, south, east, north, in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** Initial longitude, latitude and zoom for a viewer. */
  readonly center: readonly [number, number, number];
  /** TileJSON's `name`, `attribution` and `vector_layers`. */
  readonly metadata: object;
}

const HEADER_BYTES = 127;
const GZIP = 2;
const VECTOR_TILES = 1;

/**
 * A PMTiles v3 archive of vector tiles. Tiles with equal content (open sea) are stored once; the same tiles always give
 * the same bytes.
 */
export function encodePmtiles(tiles: Iterable<Tile>, description: Description): Buffer {
  const inOrder = [...tiles]
    .map(tile => ({ ...tile, id: tileId(tile.zoom, tile.x, tile.y) }))
    .sort((a, b) => a.id - b.id);
  const stored = new Map<string, { readonly offset: number; readonly length: number }>();
  const contents: Buffer[] = [];
  const entries: Entry[] = [];
  let end = 0;
  for (const { id, data } of inOrder) {
    const hash = createHash('sha1').update(data).digest('base64');
    let place = stored.get(hash);
    if (!place) {
      const content = gzipSync(data, { level: 9 });
      place = { offset: end, length: content.length };
      stored.set(hash, place);
      contents.push(content);
      end += content.length;
    }
    const last = entries.at(-1);
    if (last && last.offset === place.offset && last.id + last.run === id) last.run++;
    else entries.push({ id, run: 1, ...place });
  }

  const { root, leaves } = serialiseDirectories(entries);
  const metadata = gzipSync(JSON.stringify(description.metadata), { level: 9 });
  const header = encodeHeader(description, {
    sections: [root.length, metadata.length, leaves.length, end],
    counts: [inOrder.length, entries.length, contents.length],
    zooms: inOrder.map(tile => tile.zoom),
  });
  return Buffer.concat([header, root, metadata, leaves, ...contents]);
}

/** PMTiles v3, §3: the sections follow the header in the order in which it lists them. */
function encodeHeader(
  { bounds, center }: Description,
  archive: { readonly sections: number[]; readonly counts: number[]; readonly zooms: number[] },
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  let at = header.write('PMTiles', 0, 'latin1');
  const byte = (value: number) => {
    at = header.writeUInt8(value, at);
  };
  const long = (value: number) => {
    at = header.writeBigUInt64LE(BigInt(value), at);
  };
  const angle = (degrees: number) => {
    at = header.writeInt32LE(Math.round(degrees * 1e7), at);
  };
  byte(3);
  let start = HEADER_BYTES;
  for (const length of archive.sections) {
    long(start);
    long(length);
    start += length;
  }
  for (const count of archive.counts) long(count);
  byte(1); // clustered: contents are in the order of their tiles
  byte(GZIP); // directories and metadata
  byte(GZIP); // tiles
  byte(VECTOR_TILES);
  byte(archive.zooms.reduce((least, zoom) => Math.min(least, zoom), 26));
  byte(archive.zooms.reduce((most, zoom) => Math.max(most, zoom), 0));
  for (const edge of bounds) angle(edge);
  byte(center[2]);
  angle(center[0]);
  angle(center[1]);
  return header;
}

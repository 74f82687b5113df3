import { gzipSync } from 'node:zlib';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { zxyToTileId } from 'pmtiles';

export interface StreetMapOptions {
  readonly layers?: readonly string[];
  readonly bounds?: readonly [number, number, number, number];
  readonly tileType?: number;
  readonly compression?: number;
  /** The map's tiles: each has one street from west to east. */
  readonly tiles?: readonly (readonly [z: number, x: number, y: number])[];
}

/** A street map as operators install it: PMTiles v3 in the Protomaps schema, with a street or two. */
export function streetMap({
  layers = ['earth', 'water', 'roads', 'places'],
  bounds = [-87, 40, -86, 41],
  tileType = 1,
  compression = 2,
  tiles = [[0, 0, 0]],
}: StreetMapOptions = {}): Buffer {
  const tile = gzipSync(
    fromGeojsonVt(
      {
        earth: { features: [{ type: 3, tags: { kind: 'earth' }, geometry: [square(-64, 4160)] }] },
        roads: {
          features: [
            {
              type: 2,
              tags: { kind: 'major_road', kind_detail: 'primary', name: 'Main Street', min_zoom: 6 },
              geometry: [
                [
                  [-64, 2048],
                  [4160, 2048],
                ],
              ],
            },
          ],
        },
      } as never,
      { version: 2, extent: 4096 },
    ),
  );
  const ids = tiles.map(([z, x, y]) => zxyToTileId(z, x, y)).sort((a, b) => a - b);
  const root = gzipSync(
    Buffer.from([
      ...varint(ids.length),
      ...ids.flatMap((id, i) => varint(id - (ids[i - 1] ?? 0))),
      ...ids.flatMap(() => varint(1)),
      ...ids.flatMap(() => varint(tile.length)),
      // All tiles have the same content, at the start of the data; offsets are stored plus one.
      ...ids.flatMap(() => varint(1)),
    ]),
  );
  const metadata = gzipSync(
    JSON.stringify({ vector_layers: layers.map(id => ({ id })), attribution: '<a href="x">© Test Streets</a>' }),
  );
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  let [start, at] = [127, 8];
  for (const length of [root.length, metadata.length, 0, tile.length]) {
    at = header.writeBigUInt64LE(BigInt(start), at);
    at = header.writeBigUInt64LE(BigInt(length), at);
    start += length;
  }
  for (const count of [ids.length, ids.length, 1]) at = header.writeBigUInt64LE(BigInt(count), at);
  const zooms = tiles.map(([z]) => z);
  for (const byte of [1, 2, compression, tileType, Math.min(...zooms), Math.max(...zooms)])
    at = header.writeUInt8(byte, at);
  for (const edge of bounds) at = header.writeInt32LE(Math.round(edge * 1e7), at);
  return Buffer.concat([header, root, metadata, tile]);
}

const square = (low: number, high: number): number[][] => [
  [low, low],
  [high, low],
  [high, high],
  [low, high],
  [low, low],
];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return [...bytes, left];
}

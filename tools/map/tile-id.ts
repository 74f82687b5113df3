/**
 * The number of a tile in a PMTiles archive (PMTiles v3, "Tile ID encoding"): zoom by zoom, within a zoom along a
 * Hilbert curve, so that neighbors on the map are close together in the file. Valid up to zoom 26.
 */
export function tileId(zoom: number, x: number, y: number): number {
  let id = (4 ** zoom - 1) / 3;
  let [column, row] = [x, y];
  for (let half = 2 ** (zoom - 1); half >= 1; half /= 2) {
    const right = (column & half) !== 0;
    const low = (row & half) !== 0;
    const quarter = right ? (low ? 2 : 3) : low ? 1 : 0;
    id += quarter * half * half;
    if (low) continue;
    // The curve is rotated in the upper quarters, and also mirrored in the right one.
    if (right) [column, row] = [~column & (half - 1), ~row & (half - 1)];
    [column, row] = [row, column];
  }
  return id;
}

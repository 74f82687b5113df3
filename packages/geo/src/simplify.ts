/** A point of a plane; both axes in the same unit. */
export type PlanePoint = readonly [x: number, y: number];

/** Which points of a line to keep; see `placesToKeep`. */
export function pointsToKeep(line: readonly PlanePoint[], tolerance: number): number[] {
  const xs = new Float64Array(line.length);
  const ys = new Float64Array(line.length);
  for (let i = 0; i < line.length; i++) [xs[i], ys[i]] = line[i] as PlanePoint;
  return placesToKeep(xs, ys, tolerance);
}

/**
 * Ramer–Douglas–Peucker: the points to keep, so that none of the others is farther than `tolerance` from the straight
 * line between those kept; all in the same unit. Ascending; the first and the last are always kept.
 */
export function placesToKeep(xs: Float64Array, ys: Float64Array, tolerance: number): number[] {
  if (xs.length === 0) return [];
  const keep = new Uint8Array(xs.length);
  keep[0] = 1;
  keep[xs.length - 1] = 1;
  const open: [number, number][] = [[0, xs.length - 1]];
  for (let piece = open.pop(); piece; piece = open.pop()) {
    const [first, last] = piece;
    const farthest = farthestOf(xs, ys, first, last, tolerance);
    if (farthest === -1) continue;
    keep[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  const kept: number[] = [];
  for (let i = 0; i < keep.length; i++) if (keep[i] === 1) kept.push(i);
  return kept;
}

/** The point between two that is farthest from the straight line between them, or -1 if all are within the tolerance. */
function farthestOf(xs: Float64Array, ys: Float64Array, first: number, last: number, tolerance: number): number {
  const [ax, ay] = [xs[first] as number, ys[first] as number];
  const [dx, dy] = [(xs[last] as number) - ax, (ys[last] as number) - ay];
  const length = dx * dx + dy * dy;
  let farthest = -1;
  // Squares: a root per point would take most of the time.
  let most = tolerance * tolerance;
  for (let i = first + 1; i < last; i++) {
    const [x, y] = [(xs[i] as number) - ax, (ys[i] as number) - ay];
    const along = x * dx + y * dy;
    const share = along <= 0 || length === 0 ? 0 : along >= length ? 1 : along / length;
    const [offX, offY] = [x - share * dx, y - share * dy];
    const off = offX * offX + offY * offY;
    if (off > most) [farthest, most] = [i, off];
  }
  return farthest;
}

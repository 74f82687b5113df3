/** A point of a plane; both axes in the same unit. */
export type PlanePoint = readonly [x: number, y: number];

/**
 * Ramer–Douglas–Peucker: the points to keep, so that none of the others is farther than `tolerance` from the straight
 * line between those kept. Ascending; the first and the last are always kept.
 */
export function pointsToKeep(line: readonly PlanePoint[], tolerance: number): number[] {
  if (line.length === 0) return [];
  const keep = new Uint8Array(line.length);
  keep[0] = 1;
  keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  for (let piece = open.pop(); piece; piece = open.pop()) {
    const [first, last] = piece;
    let [farthest, most] = [-1, tolerance];
    for (let i = first + 1; i < last; i++) {
      const off = distanceTo(line, i, first, last);
      if (off > most) [farthest, most] = [i, off];
    }
    if (farthest === -1) continue;
    keep[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  const kept: number[] = [];
  for (let i = 0; i < keep.length; i++) if (keep[i] === 1) kept.push(i);
  return kept;
}

function distanceTo(line: readonly PlanePoint[], at: number, first: number, last: number): number {
  const [x, y] = line[at] as PlanePoint;
  const [ax, ay] = line[first] as PlanePoint;
  const [bx, by] = line[last] as PlanePoint;
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay));
}

/** Points to cluster, in any planar coordinates. Clustering depends on their order, so keep it stable. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly count: number;
}

/**
 * Groups points that lie within `radius` of one another: going through the points in order, each ungrouped one takes
 * all ungrouped points around it. Every point is in exactly one group, whose first index is the point that took the
 * others. Points stay in their group as long as nothing near them moves, so clusters don't change while the map is
 * dragged.
 *
 * A grid of cells as wide as the radius keeps this linear: a point's neighbors are in its own cell or the eight around
 * it.
 */
export function clusterPoints({ x, y, count }: Points, radius: number): number[][] {
  const cells = new Map<number, number[]>();
  const column = (i: number): number => Math.floor((x[i] ?? 0) / radius);
  const row = (i: number): number => Math.floor((y[i] ?? 0) / radius);
  for (let i = 0; i < count; i++) {
    const key = cellKey(column(i), row(i));
    const cell = cells.get(key);
    if (cell) cell.push(i);
    else cells.set(key, [i]);
  }

  const taken = new Uint8Array(count);
  const limit = radius * radius;
  const groups: number[][] = [];
  for (let i = 0; i < count; i++) {
    if (taken[i]) continue;
    taken[i] = 1;
    const group = [i];
    const [ci, ri] = [column(i), row(i)];
    for (let c = ci - 1; c <= ci + 1; c++) {
      for (let r = ri - 1; r <= ri + 1; r++) {
        for (const j of cells.get(cellKey(c, r)) ?? []) {
          if (taken[j]) continue;
          const dx = (x[i] ?? 0) - (x[j] ?? 0);
          const dy = (y[i] ?? 0) - (y[j] ?? 0);
          if (dx * dx + dy * dy > limit) continue;
          taken[j] = 1;
          group.push(j);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

/** Unique for columns and rows below 2²⁵ of either sign. At zoom 17 and 20 px the world has 3.4 million. */
const cellKey = (column: number, row: number): number => column * 0x400_0000 + row;

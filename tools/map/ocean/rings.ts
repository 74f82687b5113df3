import type { Point } from '../mvt-fixtures.ts';

export type Ring = readonly Point[];

/**
 * Positive for an outer ring, negative for a hole: the winding order of a vector tile, whose y points down (MVT 2.1,
 * §4.3.4.4).
 */
export function ringArea(ring: Ring): number {
  let sum = 0;
  for (const [i, { x, y }] of ring.entries()) {
    const next = ring[(i + 1) % ring.length] as Point;
    sum += x * next.y - next.x * y;
  }
  return sum / 2;
}

function contains(ring: Ring, { x, y }: Point): boolean {
  let inside = false;
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + ring.length - 1) % ring.length] as Point;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/**
 * The frame minus the land, as polygons with holes. Holes in the land are sea again, and land inside them is land. The
 * frame must extend beyond the land on all sides: no two edges may touch.
 */
export function seaOf(frame: Ring, land: readonly Ring[]): Ring[] {
  const turned = (ring: Ring): Ring => ring.toReversed();
  const shores = land.filter(ring => ringArea(ring) > 0);
  const seas = land.filter(ring => ringArea(ring) < 0);
  const seaAround = (shore: Ring): Ring | undefined =>
    seas.find(sea => sea !== shore && shore[0] !== undefined && contains(sea, shore[0]));
  const islands = Map.groupBy(shores, seaAround);
  return [frame, ...(islands.get(undefined) ?? []).map(turned)].concat(
    seas.flatMap(sea => [turned(sea), ...(islands.get(sea) ?? []).map(turned)]),
  );
}

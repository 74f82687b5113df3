import { compileFence, unrolled } from './area.ts';
import type { FenceShape, ShapeProblem } from './shape.ts';

/** Less than a meter by a meter is a slip of the hand. */
const LEAST_AREA = 1;

/** Why a shape is none, and at which point; null if it is one. Limits of size and number are the contract's. */
export function shapeProblem(shape: FenceShape): ShapeProblem | null {
  const at = (code: ShapeProblem['code'], ring = 0, point = 0): ShapeProblem => ({ code, ring, point });
  if (shape.kind === 'circle') return null;
  if (shape.kind === 'corridor') {
    const [first] = shape.line;
    const isPoint = shape.line.every(({ lat, lon }) => lat === first?.lat && lon === first?.lon);
    return shape.line.length < 2 || isPoint ? at('too-few-points') : null;
  }
  const start = shape.rings[0]?.[0]?.lon ?? 0;
  const rings = shape.rings.map(ring => unrolled(ring, start));
  for (const [r, ring] of rings.entries()) {
    if (ring.length < 6) return at('too-few-points', r);
    // Going round a pole ends a whole turn away.
    if (Math.abs((ring[0] as number) - (ring.at(-2) as number)) > 180) return at('around-pole', r);
    if (isFlat(ring)) return at('no-area', r);
    const point = crossingOf(ring);
    if (point !== null) return at('crosses-itself', r, point);
    if (compileFence({ kind: 'polygon', rings: [shape.rings[r] ?? []] }).area < LEAST_AREA) return at('no-area', r);
  }
  const [outline, ...holes] = rings;
  for (const [h, hole] of holes.entries()) {
    for (const other of [outline as Float64Array, ...holes.slice(0, h)]) {
      const point = crossingBetween(hole, other);
      if (point !== null) return at('rings-cross', h + 1, point);
    }
    // Its rings don't cross: one point that is off the outline decides.
    for (let i = 0; i < hole.length; i += 2) {
      const side = sideOf(outline as Float64Array, hole[i] as number, hole[i + 1] as number);
      if (side < 0) return at('hole-outside', h + 1, i / 2);
      if (side > 0) break;
    }
  }
  return null;
}

/** All of one latitude or of one longitude: it would seem to cross itself everywhere. */
function isFlat(ring: Float64Array): boolean {
  const isSame = (_: number, i: number): boolean => ring[i] === ring[i % 2];
  return [0, 1].some(axis => ring.every((value, i) => i % 2 !== axis || isSame(value, i)));
}

/** The point after which an edge of the ring meets another one that isn't its neighbor, or turns back on it. */
function crossingOf(ring: Float64Array): number | null {
  const count = ring.length / 2;
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const isNeighbor = j === i + 1 || (i === 0 && j === count - 1);
      if (isNeighbor ? turnsBack(ring, i, j) : meet(ring, i, ring, j)) return j;
    }
  }
  return null;
}

function crossingBetween(ring: Float64Array, other: Float64Array): number | null {
  for (let i = 0; i < ring.length / 2; i++) {
    for (let j = 0; j < other.length / 2; j++) if (meet(ring, i, other, j, true)) return i;
  }
  return null;
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

function edge(ring: Float64Array, i: number): Edge {
  const [a, b] = [2 * i, (2 * i + 2) % ring.length];
  return [ring[a] as number, ring[a + 1] as number, ring[b] as number, ring[b + 1] as number];
}

/** Twice the signed area of a triangle: positive if c is to the left of a → b. */
const turn = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

const within = ([ax, ay, bx, by]: Edge, x: number, y: number): boolean =>
  Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);

/** Whether two edges have a point in common; touching ones only count `properly` if they cross. */
function meet(one: Float64Array, i: number, other: Float64Array, j: number, properly = false): boolean {
  const [e, f] = [edge(one, i), edge(other, j)];
  const [ax, ay, bx, by] = e;
  const [cx, cy, dx, dy] = f;
  const [c, d] = [turn(ax, ay, bx, by, cx, cy), turn(ax, ay, bx, by, dx, dy)];
  const [a, b] = [turn(cx, cy, dx, dy, ax, ay), turn(cx, cy, dx, dy, bx, by)];
  if (c * d < 0 && a * b < 0) return true;
  if (properly) return false;
  return (
    (c === 0 && within(e, cx, cy)) ||
    (d === 0 && within(e, dx, dy)) ||
    (a === 0 && within(f, ax, ay)) ||
    (b === 0 && within(f, bx, by))
  );
}

/** Two neighboring edges that lie on each other; also edges without length. */
function turnsBack(ring: Float64Array, i: number, j: number): boolean {
  const [first, second] = j === i + 1 ? [edge(ring, i), edge(ring, j)] : [edge(ring, j), edge(ring, i)];
  const [ax, ay, bx, by] = first;
  const [, , cx, cy] = second;
  return turn(ax, ay, bx, by, cx, cy) === 0 && (bx - ax) * (cx - bx) + (by - ay) * (cy - by) <= 0;
}

/** 1 inside, -1 outside, 0 on an edge. */
function sideOf(ring: Float64Array, x: number, y: number): number {
  let isInside = false;
  for (let i = 0; i < ring.length / 2; i++) {
    const e = edge(ring, i);
    const [ax, ay, bx, by] = e;
    if (turn(ax, ay, bx, by, x, y) === 0 && within(e, x, y)) return 0;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside ? 1 : -1;
}

/** A point in a plane. */
export type PlanePoint = readonly [x: number, y: number];

/** Part of an outline that may be, with what it is around on its left. */
interface Piece {
  readonly from: PlanePoint;
  readonly to: PlanePoint;
  /** The middle of the circle that it is a chord of; null for a straight edge. */
  readonly around: PlanePoint | null;
}

/** An arc is drawn with chords of no more than this angle. */
const STEP = Math.PI / 18;
/** In radii: what is nearer to the line is inside; a chord ends where the next one begins, give or take its sagitta. */
const INSIDE = 1 - 1e-7;
const SAME = 1e-9;
const GAP = 0.02;
const LEAST_AREA = 1e-4;

/**
 * The outline of all that is within a distance of a line: the outer ring counterclockwise, then what the line runs
 * around, clockwise. Null if the line crosses itself in a way that leaves no clear outline.
 */
export function stripOutline(line: readonly PlanePoint[], distance: number): PlanePoint[][] | null {
  const [[x0, y0] = [0, 0]] = line;
  const scaled = line.map(([x, y]): PlanePoint => [(x - x0) / distance, (y - y0) / distance]);
  const points = scaled.filter((point, i) => i === 0 || gap(point, scaled[i - 1] as PlanePoint) > SAME);
  const pieces = splitAtCrossings(piecesAlong(points)).filter(piece => isOutside(piece, points));
  const rings = chained(pieces)?.filter(ring => Math.abs(areaOf(ring)) > LEAST_AREA);
  if (rings?.filter(ring => areaOf(ring) > 0).length !== 1) return null;
  return rings
    .toSorted((a, b) => areaOf(b) - areaOf(a))
    .map(ring => ring.map(([x, y]): PlanePoint => [x * distance + x0, y * distance + y0]));
}

const gap = ([ax, ay]: PlanePoint, [bx, by]: PlanePoint): number => Math.hypot(bx - ax, by - ay);
const at = ([x, y]: PlanePoint, angle: number): PlanePoint => [x + Math.cos(angle), y + Math.sin(angle)];

/** Both sides of each leg, the outer side of each bend, and both round ends. */
function piecesAlong(points: readonly PlanePoint[]): Piece[] {
  const [first = [0, 0] as const] = points;
  if (points.length < 2) return arc(first, 0, 2 * Math.PI);
  const legs = points.slice(1).map((to, i) => {
    const from = points[i] as PlanePoint;
    return { from, to, angle: Math.atan2(to[1] - from[1], to[0] - from[0]) };
  });
  const quarter = Math.PI / 2;
  const pieces = legs.flatMap(({ angle, from, to }, i): Piece[] => {
    const sides: Piece[] = [
      { from: at(from, angle - quarter), to: at(to, angle - quarter), around: null },
      { from: at(to, angle + quarter), to: at(from, angle + quarter), around: null },
    ];
    const next = legs[i + 1];
    if (!next) return [...sides, ...arc(to, angle - quarter, Math.PI)];
    const turn = turned(next.angle - angle);
    return [...sides, ...(turn > 0 ? arc(to, angle - quarter, turn) : arc(to, next.angle + quarter, -turn))];
  });
  return [...pieces, ...arc(first, (legs[0]?.angle ?? 0) + quarter, Math.PI)];
}

/** An angle between −π and π. */
const turned = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** Counterclockwise. */
function arc(around: PlanePoint, begin: number, sweep: number): Piece[] {
  const count = Math.ceil(sweep / STEP - SAME);
  return Array.from({ length: count }, (_, i) => ({
    ...{ from: at(around, begin + (sweep * i) / count), to: at(around, begin + (sweep * (i + 1)) / count), around },
  }));
}

/** Cut where they cross or touch each other. */
function splitAtCrossings(pieces: readonly Piece[]): Piece[] {
  const boxes = pieces
    .map((piece, nth) => ({
      ...{ piece, nth, west: Math.min(piece.from[0], piece.to[0]), east: Math.max(piece.from[0], piece.to[0]) },
      ...{ south: Math.min(piece.from[1], piece.to[1]), north: Math.max(piece.from[1], piece.to[1]) },
    }))
    .toSorted((a, b) => a.west - b.west);
  const cuts = pieces.map((): number[] => []);
  for (const [i, a] of boxes.entries()) {
    for (let k = i + 1; k < boxes.length; k++) {
      const b = boxes[k] as (typeof boxes)[number];
      if (b.west > a.east + SAME) break;
      if (b.south > a.north + SAME || b.north < a.south - SAME) continue;
      for (const [one, part] of crossingsOf(a.piece, b.piece)) cuts[one === 0 ? a.nth : b.nth]?.push(part);
    }
  }
  return pieces.flatMap((piece, nth) => {
    const { around, from, to } = piece;
    const parts = [0, ...(cuts[nth] ?? []).filter(part => part > SAME && part < 1 - SAME).toSorted((a, b) => a - b), 1];
    const along = (part: number): PlanePoint =>
      part === 1 ? to : [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
    return parts
      .slice(1)
      .map((end, i) => ({ from: along(parts[i] ?? 0), to: along(end), around }))
      .filter(one => gap(one.from, one.to) > SAME);
  });
}

/** Where two pieces meet: on the first or the second, and at which part of its length. */
function crossingsOf(a: Piece, b: Piece): [which: 0 | 1, part: number][] {
  const [ax, ay] = [a.to[0] - a.from[0], a.to[1] - a.from[1]];
  const [bx, by] = [b.to[0] - b.from[0], b.to[1] - b.from[1]];
  const [cx, cy] = [b.from[0] - a.from[0], b.from[1] - a.from[1]];
  const cross = ax * by - ay * bx;
  const [aa, bb] = [ax * ax + ay * ay, bx * bx + by * by];
  if (Math.abs(cross) > SAME * Math.sqrt(aa * bb)) {
    const [s, t] = [(cx * by - cy * bx) / cross, (cx * ay - cy * ax) / cross];
    const isOn = (part: number): boolean => part > -SAME && part < 1 + SAME;
    return isOn(s) && isOn(t)
      ? [
          [0, s],
          [1, t],
        ]
      : [];
  }
  // Side by side: they share a part of one line, if any.
  if (Math.abs(cx * ay - cy * ax) > SAME * Math.sqrt(aa)) return [];
  return [
    [0, (cx * ax + cy * ay) / aa],
    [0, ((cx + bx) * ax + (cy + by) * ay) / aa],
    [1, (-cx * bx - cy * by) / bb],
    [1, ((ax - cx) * bx + (ay - cy) * by) / bb],
  ];
}

function isOutside({ around, from, to }: Piece, points: readonly PlanePoint[]): boolean {
  const chord: PlanePoint = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const middle = around ? at(around, Math.atan2(chord[1] - around[1], chord[0] - around[0])) : chord;
  return points.every((point, i) => distanceTo(middle, point, points[i + 1] ?? point) >= INSIDE);
}

function distanceTo([x, y]: PlanePoint, [ax, ay]: PlanePoint, [bx, by]: PlanePoint): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}

/** What runs along itself has the same piece twice. */
const keyOf = ({ from, to }: Piece): string => [...from, ...to].map(v => Math.round(v * 1e7) + 0).join();

/** Rings of pieces that go on where the one before ends; null if one leads nowhere. */
function chained(pieces: readonly Piece[]): PlanePoint[][] | null {
  const left = new Map(pieces.map(piece => [keyOf(piece), piece]));
  const rings: PlanePoint[][] = [];
  for (const [key, begin] of left) {
    if (!left.delete(key)) continue;
    const ring = [begin.from];
    let end = begin.to;
    while (gap(end, begin.from) > SAME * 1e3) {
      let nearest: readonly [key: string, piece: Piece] | null = null;
      for (const [other, piece] of left) {
        const away = gap(end, piece.from);
        if (away <= GAP && (!nearest || away < gap(end, nearest[1].from))) nearest = [other, piece];
        if (away < SAME) break;
      }
      const isBack = gap(end, begin.from) <= GAP;
      if (isBack && (!nearest || gap(end, nearest[1].from) > gap(end, begin.from))) break;
      if (!nearest) return null;
      left.delete(nearest[0]);
      ring.push(nearest[1].from);
      end = nearest[1].to;
    }
    rings.push(ring);
  }
  return rings;
}

/** Positive counterclockwise. */
export const areaOf = (ring: readonly PlanePoint[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);

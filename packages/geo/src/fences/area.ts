import { degrees, type Metres, metres } from '@milepost/units';
import type { LatLon } from '../fix.ts';
import { AUTHALIC_RADIUS_2, authalicSine, ellipsoidDistance, near, scaleAt } from './ellipsoid.ts';
import type { FenceShape } from './shape.ts';

/** A shape that is ready to be asked. */
export interface FenceArea {
  /** Meters to the edge, negative inside. Near the edge within 0.1 %, and the sign is exact up to rounding. */
  signedDistance(at: LatLon): Metres;
  /** The parts of a straight segment that are inside, as fractions 0…1 of it, in order. */
  inside(from: LatLon, to: LatLon): readonly Part[];
  readonly bounds: Bounds;
  /** Square meters. */
  readonly area: number;
  /** Of all rings; the outline of a corridor. */
  readonly perimeter: Metres;
  /** About how far its deepest point is from the edge. */
  readonly depth: Metres;
}

export type Part = readonly [from: number, to: number];

/** Degrees; `east` is at least `west` and may be beyond 180. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export function compileFence(shape: FenceShape): FenceArea {
  switch (shape.kind) {
    case 'circle':
      return circle(shape.center, shape.radius);
    case 'polygon':
      return polygon(shape.rings);
    case 'corridor':
      return corridor(shape.line, shape.width / 2);
  }
}

function circle(center: LatLon, radius: number): FenceArea {
  const scale = scaleAt(center.lat);
  const height = radius / scale.north;
  const [south, north] = [center.lat - height * 1.01, center.lat + height * 1.01];
  const hasPole = south <= -90 || north >= 90;
  const width = hasPole
    ? 180
    : Math.min(180, (radius / scaleAt(Math.max(Math.abs(south), Math.abs(north))).east) * 1.01);
  return {
    signedDistance: at => metres(ellipsoidDistance(at, center) - radius),
    inside: (from, to) => {
      const [x, y] = onPlane(from, center, scale);
      const [x2, y2] = onPlane(to, center, scale);
      return partWithin(x, y, x2 - x, y2 - y, radius);
    },
    bounds: {
      west: center.lon - width,
      south: Math.max(-90, south),
      east: center.lon + width,
      north: Math.min(90, north),
    },
    area: Math.PI * radius * radius,
    perimeter: metres(2 * Math.PI * radius),
    depth: metres(radius),
  };
}

/** Meters east and north of a center, on the plane that touches the ellipsoid there. */
function onPlane(
  at: LatLon,
  center: { readonly lat: number; readonly lon: number },
  scale: { readonly north: number; readonly east: number },
): [number, number] {
  return [(near(at.lon, center.lon) - center.lon) * scale.east, (at.lat - center.lat) * scale.north];
}

/** Where a segment is within a radius of the plane's origin. */
function partWithin(x: number, y: number, dx: number, dy: number, radius: number): Part[] {
  const a = dx * dx + dy * dy;
  const b = x * dx + y * dy;
  const c = x * x + y * y - radius * radius;
  if (a === 0) return c <= 0 ? [[0, 1]] : [];
  const root = b * b - a * c;
  if (root <= 0) return [];
  const [from, to] = [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
  return from < 1 && to > 0 ? [[Math.max(0, from), Math.min(1, to)]] : [];
}

function polygon(given: readonly (readonly LatLon[])[]): FenceArea {
  const first = given[0]?.[0]?.lon ?? 0;
  const rings = given.map(ring => unrolled(ring, first));
  const bounds = boundsOf(rings[0] ?? new Float64Array());
  const middle = (bounds.west + bounds.east) / 2;
  const area = Math.max(
    0,
    rings.reduce((sum, ring, i) => sum + (i === 0 ? 1 : -1) * Math.abs(ringArea(ring)), 0),
  );
  const perimeter = rings.reduce((sum, ring) => sum + lengthOf(ring, true), 0);
  return {
    signedDistance: at => {
      const lon = near(at.lon, middle);
      const scale = scaleAt(at.lat);
      let isInside = false;
      let best = Number.POSITIVE_INFINITY;
      for (const ring of rings) {
        let [aLon, aLat] = [ring[ring.length - 2] as number, ring[ring.length - 1] as number];
        for (let i = 0; i < ring.length; i += 2) {
          const [bLon, bLat] = [ring[i] as number, ring[i + 1] as number];
          if (aLat > at.lat !== bLat > at.lat) {
            const crossing = aLon + ((at.lat - aLat) / (bLat - aLat)) * (bLon - aLon);
            if (lon < crossing) isInside = !isInside;
          }
          best = Math.min(best, squaredTo(aLon - lon, aLat - at.lat, bLon - lon, bLat - at.lat, scale));
          [aLon, aLat] = [bLon, bLat];
        }
      }
      const distance = Math.sqrt(best);
      return metres(isInside ? -distance : distance);
    },
    inside: (from, to) => {
      const [x, y] = [near(from.lon, middle), from.lat as number];
      const [dx, dy] = [near(to.lon, x) - x, to.lat - y];
      const cuts = [0, 1];
      for (const ring of rings) {
        let [ax, ay] = [ring[ring.length - 2] as number, ring[ring.length - 1] as number];
        for (let i = 0; i < ring.length; i += 2) {
          const [bx, by] = [ring[i] as number, ring[i + 1] as number];
          const cut = cutAt(x, y, dx, dy, ax, ay, bx, by);
          if (cut !== null) cuts.push(cut);
          [ax, ay] = [bx, by];
        }
      }
      return partsBetween(cuts, t => isInsideRings(rings, x + t * dx, y + t * dy));
    },
    bounds,
    area,
    perimeter: metres(perimeter),
    depth: metres(perimeter > 0 ? Math.min(Math.sqrt(area / Math.PI), (2 * area) / perimeter) : 0),
  };
}

function corridor(given: readonly LatLon[], half: number): FenceArea {
  const line = unrolled(given, given[0]?.lon ?? 0);
  const rough = boundsOf(line);
  const height = (half / scaleAt((rough.south + rough.north) / 2).north) * 1.01;
  const widest = scaleAt(Math.min(89.9, Math.max(Math.abs(rough.south), Math.abs(rough.north)) + height)).east;
  const width = Math.min(180, (half / widest) * 1.01);
  const middle = (rough.west + rough.east) / 2;
  const length = lengthOf(line, false);
  const distance = (at: LatLon): number => {
    const lon = near(at.lon, middle);
    const scale = scaleAt(at.lat);
    let best = Number.POSITIVE_INFINITY;
    for (let i = 2; i < line.length; i += 2) {
      const [aLon, aLat] = [line[i - 2] as number, line[i - 1] as number];
      const [bLon, bLat] = [line[i] as number, line[i + 1] as number];
      best = Math.min(best, squaredTo(aLon - lon, aLat - at.lat, bLon - lon, bLat - at.lat, scale));
    }
    return Math.sqrt(best);
  };
  return {
    signedDistance: at => metres(distance(at) - half),
    inside: (from, to) => {
      const cuts = [0, 1];
      for (let i = 2; i < line.length; i += 2) {
        const center = { lat: line[i - 1] as number, lon: line[i - 2] as number };
        const end = { lat: degrees(line[i + 1] as number), lon: degrees(line[i] as number) };
        const scale = scaleAt((center.lat + end.lat) / 2);
        const [x, y] = onPlane(from, center, scale);
        const [x2, y2] = onPlane(to, center, scale);
        const [ex, ey] = onPlane(end, center, scale);
        cuts.push(...cutsOfLeg([x, y], [x2 - x, y2 - y], [ex, ey], half));
      }
      const [dLat, dLon] = [to.lat - from.lat, near(to.lon, from.lon) - from.lon];
      const at = (t: number): LatLon => ({ lat: degrees(from.lat + t * dLat), lon: degrees(from.lon + t * dLon) });
      return partsBetween(cuts, t => distance(at(t)) <= half);
    },
    bounds: {
      west: rough.west - width,
      south: Math.max(-90, rough.south - height),
      east: rough.east + width,
      north: Math.min(90, rough.north + height),
    },
    area: 2 * half * length + Math.PI * half * half,
    perimeter: metres(2 * length + 2 * Math.PI * half),
    depth: metres(half),
  };
}

type Vector = readonly [number, number];

/** Where a segment crosses the outline of a leg: two sides and two round ends. */
function cutsOfLeg([x, y]: Vector, [dx, dy]: Vector, [ex, ey]: Vector, half: number): number[] {
  const cuts: number[] = [];
  const length = Math.hypot(ex, ey);
  if (length > 0) {
    const [nx, ny] = [(-ey / length) * half, (ex / length) * half];
    for (const side of [1, -1]) {
      const cut = cutAt(x, y, dx, dy, side * nx, side * ny, ex + side * nx, ey + side * ny);
      if (cut !== null) cuts.push(cut);
    }
  }
  for (const [cx, cy] of [
    [0, 0],
    [ex, ey],
  ] as const) {
    const [part] = partWithin(x - cx, y - cy, dx, dy, half);
    if (part) cuts.push(...part);
  }
  return cuts;
}

/** Splits a segment at cuts, and joins the parts whose middle is inside. */
function partsBetween(cuts: number[], isInside: (t: number) => boolean): Part[] {
  cuts.sort((a, b) => a - b);
  const parts: [number, number][] = [];
  for (let i = 1; i < cuts.length; i++) {
    const [from, to] = [cuts[i - 1] as number, cuts[i] as number];
    if (to <= from || !isInside((from + to) / 2)) continue;
    const last = parts.at(-1);
    if (last?.[1] === from) last[1] = to;
    else parts.push([from, to]);
  }
  return parts;
}

/** The fraction of a segment at which it meets an edge; null if it does not. */
function cutAt(
  x: number,
  y: number,
  dx: number,
  dy: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): number | null {
  const [ex, ey] = [bx - ax, by - ay];
  const cross = dx * ey - dy * ex;
  if (cross === 0) return null;
  const t = ((ax - x) * ey - (ay - y) * ex) / cross;
  const u = ((ax - x) * dy - (ay - y) * dx) / cross;
  return t > 0 && t < 1 && u >= 0 && u <= 1 ? t : null;
}

function isInsideRings(rings: readonly Float64Array[], x: number, y: number): boolean {
  let isInside = false;
  for (const ring of rings) {
    let [ax, ay] = [ring[ring.length - 2] as number, ring[ring.length - 1] as number];
    for (let i = 0; i < ring.length; i += 2) {
      const [bx, by] = [ring[i] as number, ring[i + 1] as number];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
      [ax, ay] = [bx, by];
    }
  }
  return isInside;
}

/** Squared meters from the origin to an edge; corners in degrees from there. */
function squaredTo(
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
  { east, north }: { readonly east: number; readonly north: number },
): number {
  const [ax, ay] = [aLon * east, aLat * north];
  const [ex, ey] = [(bLon - aLon) * east, (bLat - aLat) * north];
  const squared = ex * ex + ey * ey;
  const t = squared === 0 ? 0 : Math.max(0, Math.min(1, -(ax * ex + ay * ey) / squared));
  const [x, y] = [ax + t * ex, ay + t * ey];
  return x * x + y * y;
}

/** Longitude and latitude of each point, one after the other, each longitude near the one before. */
export function unrolled(points: readonly LatLon[], start: number): Float64Array {
  const flat = new Float64Array(points.length * 2);
  let lon = start;
  for (const [i, point] of points.entries()) {
    lon = near(point.lon, lon);
    flat[2 * i] = lon;
    flat[2 * i + 1] = point.lat;
  }
  return flat;
}

function boundsOf(points: Float64Array): Bounds {
  let [west, south, east, north] = [Number.POSITIVE_INFINITY, 90, Number.NEGATIVE_INFINITY, -90];
  for (let i = 0; i < points.length; i += 2) {
    const [lon, lat] = [points[i] as number, points[i + 1] as number];
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return { west, south, east, north };
}

/** Signed, in square meters, on the sphere of the same area, where edges are straight in longitude and sine of latitude. */
function ringArea(ring: Float64Array): number {
  let sum = 0;
  let [aLon, aLat] = [ring[ring.length - 2] as number, ring[ring.length - 1] as number];
  for (let i = 0; i < ring.length; i += 2) {
    const [bLon, bLat] = [ring[i] as number, ring[i + 1] as number];
    sum += (bLon - aLon) * (authalicSine(degrees(aLat)) + authalicSine(degrees(bLat)));
    [aLon, aLat] = [bLon, bLat];
  }
  return ((sum * Math.PI) / 360) * AUTHALIC_RADIUS_2;
}

function lengthOf(points: Float64Array, isClosed: boolean): number {
  let sum = 0;
  const at = (i: number): LatLon => ({ lon: degrees(points[i] as number), lat: degrees(points[i + 1] as number) });
  for (let i = 2; i < points.length; i += 2) sum += ellipsoidDistance(at(i - 2), at(i));
  return isClosed && points.length > 4 ? sum + ellipsoidDistance(at(points.length - 2), at(0)) : sum;
}

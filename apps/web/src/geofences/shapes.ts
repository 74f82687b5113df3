import type { GeofenceShape, GeoPoint } from '@milepost/contract';
import { compileFence, destination, type FenceShape, type LatLon, shapeProblem } from '@milepost/geo';
import { degrees, metres } from '@milepost/units';
import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson';
import { type PlanePoint, stripOutline } from './strip-outline.ts';

/** Rounds to 0.1 m. */
const DECIMALS = 1e6;
export const CIRCLE_POINTS = 72;

export const rounded = ([lon, lat]: readonly number[]): GeoPoint => [
  Math.round((lon ?? 0) * DECIMALS) / DECIMALS,
  Math.round((lat ?? 0) * DECIMALS) / DECIMALS,
];

export const toLatLon = ([lon, lat]: GeoPoint): LatLon => ({ lat: degrees(lat), lon: degrees(lon) });

const cornersOf = ([west, south, east, north]: readonly [number, number, number, number]): GeoPoint[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];

/** Converts to a shape for the geofence engine, which the server uses, too. */
export function toFenceShape(shape: GeofenceShape): FenceShape {
  switch (shape.kind) {
    case 'circle':
      return { kind: 'circle', center: toLatLon(shape.center), radius: metres(shape.radiusM) };
    case 'polygon':
      return { kind: 'polygon', rings: shape.rings.map(ring => ring.map(toLatLon)) };
    case 'rectangle':
      return { kind: 'polygon', rings: [cornersOf(shape.bounds).map(toLatLon)] };
    case 'corridor':
      return { kind: 'corridor', line: shape.line.map(toLatLon), width: metres(shape.widthM) };
  }
}

/** Area in square meters, perimeter in meters. */
export function sizeOf(shape: GeofenceShape): { readonly area: number; readonly perimeter: number } {
  const { area, perimeter } = compileFence(toFenceShape(shape));
  return { area, perimeter };
}

export const problemOf = (shape: GeofenceShape) => shapeProblem(toFenceShape(shape));

/** The points that a user can move: a circle has its center, a rectangle its corners. */
export function pointsOf(shape: GeofenceShape): readonly GeoPoint[] {
  switch (shape.kind) {
    case 'circle':
      return [shape.center];
    case 'polygon':
      return shape.rings.flat();
    case 'rectangle':
      return cornersOf(shape.bounds);
    case 'corridor':
      return shape.line;
  }
}

/** The shape with one point moved; a rectangle stays a rectangle. */
export function withPoint(shape: GeofenceShape, at: number, to: GeoPoint): GeofenceShape {
  const point = rounded(to);
  switch (shape.kind) {
    case 'circle':
      return { ...shape, center: point };
    case 'polygon': {
      let first = 0;
      const rings = shape.rings.map(ring => {
        const here = at - first;
        first += ring.length;
        return here >= 0 && here < ring.length ? ring.with(here, point) : ring;
      });
      return { ...shape, rings };
    }
    case 'rectangle': {
      const [west, south, east, north] = shape.bounds;
      const [lon, lat] = point;
      const isWest = at === 0 || at === 3;
      const isSouth = at < 2;
      const bounds = [isWest ? lon : west, isSouth ? lat : south, isWest ? east : lon, isSouth ? north : lat] as const;
      return { ...shape, bounds: [bounds[0], bounds[1], bounds[2], bounds[3]] };
    }
    case 'corridor':
      return { ...shape, line: shape.line.with(at, point) };
  }
}

/** The shape with a new point halfway to the next one. Circles and rectangles get no more points. */
export function withPointAfter(shape: GeofenceShape, at: number): GeofenceShape {
  const halfway = (points: readonly GeoPoint[], i: number, isClosed: boolean): GeoPoint => {
    const here = points[i] as GeoPoint;
    const next = points[i + 1] ?? (isClosed ? points[0] : points[i - 1]) ?? here;
    // After the end of a line, at the length of its last leg.
    const isBeyond = !isClosed && i === points.length - 1;
    const part = isBeyond ? -1 : 0.5;
    return rounded([here[0] + part * (next[0] - here[0]), here[1] + part * (next[1] - here[1])]);
  };
  if (shape.kind === 'corridor')
    return { ...shape, line: shape.line.toSpliced(at + 1, 0, halfway(shape.line, at, false)) };
  if (shape.kind !== 'polygon') return shape;
  let first = 0;
  const rings = shape.rings.map(ring => {
    const here = at - first;
    first += ring.length;
    return here >= 0 && here < ring.length ? ring.toSpliced(here + 1, 0, halfway(ring, here, true)) : ring;
  });
  return { ...shape, rings };
}

/** The shape without a point; null if too few would be left. A hole with too few points is removed. */
export function withoutPoint(shape: GeofenceShape, at: number): GeofenceShape | null {
  if (shape.kind === 'corridor') return shape.line.length <= 2 ? null : { ...shape, line: shape.line.toSpliced(at, 1) };
  if (shape.kind !== 'polygon') return null;
  let first = 0;
  const rings = shape.rings.flatMap(ring => {
    const here = at - first;
    first += ring.length;
    if (here < 0 || here >= ring.length) return [ring];
    return ring.length > 3 ? [ring.toSpliced(here, 1)] : [];
  });
  const [outline] = shape.rings;
  return outline && at < outline.length && outline.length <= 3 ? null : { ...shape, rings };
}

/** Which ring of a polygon a point is in, counted through all rings, and where the ring begins. */
export function ringAt(shape: GeofenceShape, at: number): { readonly ring: number; readonly first: number } {
  if (shape.kind !== 'polygon') return { ring: 0, first: 0 };
  let first = 0;
  for (const [ring, { length }] of shape.rings.entries()) {
    if (at < first + length || ring === shape.rings.length - 1) return { ring, first };
    first += length;
  }
  return { ring: 0, first: 0 };
}

export type PolygonShape = Extract<GeofenceShape, { kind: 'polygon' }>;

export const hasHoles = (shape: GeofenceShape | null): boolean => shape?.kind === 'polygon' && shape.rings.length > 1;

export const withRing = (shape: PolygonShape, ring: number, points: readonly GeoPoint[]): PolygonShape => ({
  ...shape,
  rings: ring < shape.rings.length ? shape.rings.with(ring, [...points]) : [...shape.rings, [...points]],
});

/** A polygon whose outline was moved, with its holes moved as far; another shape as it is. */
export function withHolesMoved(shape: GeofenceShape, before: GeofenceShape | null): GeofenceShape {
  if (shape.kind !== 'polygon' || before?.kind !== 'polygon' || shape.rings.length < 2) return shape;
  const [[outline = [], ...holes], from] = [shape.rings, before.rings[0]?.[0]];
  const to = outline[0];
  if (!from || !to) return shape;
  const [east, north] = [to[0] - from[0], to[1] - from[1]];
  return {
    ...shape,
    rings: [outline, ...holes.map(hole => hole.map(([lon, lat]) => rounded([wrapped(lon + east), lat + north])))],
  };
}

export const withoutHole = (shape: PolygonShape, ring: number): PolygonShape => ({
  ...shape,
  rings: shape.rings.toSpliced(ring, 1),
});

/** Sizes of a new hole, as parts of the outline's width and height. */
const HOLE_PARTS = [4, 6, 10, 16, 32, 64];

/** The polygon with a new square hole where there is most room, to be edited from there; null if there is no room. */
export function withHole(shape: PolygonShape): PolygonShape | null {
  const [lon = 0, lat = 0] = labelPointOf(shape);
  const [west, south, east, north] = boundsOf(shape);
  const width = (east < west ? east + 360 : east) - west;
  for (const part of HOLE_PARTS) {
    const [x, y] = [width / part / 2, (north - south) / part / 2];
    const hole = cornersOf([lon - x, lat - y, lon + x, lat + y]).map(([at, to]) => rounded([wrapped(at), to]));
    const cut = withRing(shape, shape.rings.length, hole);
    if (problemOf(cut) === null) return cut;
  }
  return null;
}

const wrapped = (lon: number): number => lon - 360 * Math.round(lon / 360);

/** A point this many meters to the east and north. */
export function moved([lon, lat]: GeoPoint, east: number, north: number): GeoPoint {
  const there = destination(
    toLatLon([lon, lat]),
    degrees((Math.atan2(east, north) * 180) / Math.PI),
    metres(Math.hypot(east, north)),
  );
  return rounded([there.lon, there.lat]);
}

const closed = (ring: readonly GeoPoint[]): Position[] => [...ring, ring[0] ?? [0, 0]].map(point => [...point]);

/** Geometry of the filled area; of a corridor its line. */
export function geometryOf(shape: GeofenceShape): Geometry {
  switch (shape.kind) {
    case 'circle': {
      const center = toLatLon(shape.center);
      const ring = Array.from({ length: CIRCLE_POINTS }, (_, i): GeoPoint => {
        const { lat, lon } = destination(center, degrees((i * 360) / CIRCLE_POINTS), metres(shape.radiusM));
        return [lon, lat];
      });
      return { type: 'Polygon', coordinates: [closed(continuous(ring))] };
    }
    case 'polygon':
      return { type: 'Polygon', coordinates: shape.rings.map(ring => closed(continuous(ring))) };
    case 'rectangle':
      return { type: 'Polygon', coordinates: [closed(continuous(cornersOf(shape.bounds)))] };
    case 'corridor':
      return { type: 'LineString', coordinates: continuous(shape.line).map(point => [...point]) };
  }
}

/** Of each corridor, as it is drawn again and again. */
const areas = new WeakMap<GeofenceShape, MultiPolygon>();

/** The area of a corridor: one polygon, with what it runs around. One a leg if it crosses itself without a clear outline. */
export function corridorArea(shape: Extract<GeofenceShape, { kind: 'corridor' }>): MultiPolygon {
  const known = areas.get(shape);
  if (known) return known;
  const [, south, , north] = boundsOf(shape);
  // On the map, where a meter has the same length in all directions.
  const radius = ((shape.widthM / 2 / EARTH_RADIUS_M) * DEGREE) / Math.cos((south + north) / 2 / DEGREE);
  const line = continuous(shape.line).map(([lon, lat]): PlanePoint => [lon, mercatorOf(lat)]);
  const whole = stripOutline(line, radius);
  const outlines = whole
    ? [whole]
    : line.slice(1).flatMap((to, i) => {
        const leg = stripOutline([line[i] ?? to, to], radius);
        return leg ? [leg] : [];
      });
  const toRing = (ring: readonly PlanePoint[]): Position[] =>
    closed(ring.map(([x, y]): GeoPoint => [x, latitudeOf(y)]));
  const area: MultiPolygon = { type: 'MultiPolygon', coordinates: outlines.map(rings => rings.map(toRing)) };
  areas.set(shape, area);
  return area;
}

const EARTH_RADIUS_M = 6_371_008.8;
const DEGREE = 180 / Math.PI;
const mercatorOf = (lat: number): number => Math.asinh(Math.tan(lat / DEGREE)) * DEGREE;
const latitudeOf = (y: number): number => Math.atan(Math.sinh(y / DEGREE)) * DEGREE;

/** Lets longitudes exceed 180 degrees, as MapLibre needs for shapes across the antimeridian. */
function continuous(points: readonly GeoPoint[]): GeoPoint[] {
  let last = points[0]?.[0] ?? 0;
  return points.map(([lon, lat]) => {
    last = lon - 360 * Math.round((lon - last) / 360);
    return [last, lat];
  });
}

/** Latitudes at which a shape is looked through, as parts of its height: the middle first. */
const LABEL_LATITUDES = [0.5, 0.35, 0.65, 0.2, 0.8];

/** Where a name stands inside an area: in the middle of the widest way through it, near its middle. */
export function labelPointOf(shape: Exclude<GeofenceShape, { kind: 'corridor' }>): Position {
  const { coordinates: rings } = geometryOf(shape) as Polygon;
  const heights = rings[0]?.map(([, lat = 0]) => lat) ?? [];
  const [south, north] = [Math.min(...heights), Math.max(...heights)];
  let widest = { width: 0, at: rings[0]?.[0] ?? [0, 0] };
  for (const part of LABEL_LATITUDES) {
    const lat = south + part * (north - south);
    const edges = rings.flatMap(ring => crossingsOf(ring, lat)).toSorted((a, b) => a - b);
    for (let i = 0; i + 1 < edges.length; i += 2) {
      const [west = 0, east = 0] = edges.slice(i, i + 2);
      // A little wider is not worth a place off the middle.
      if (east - west > widest.width * 1.2) widest = { width: east - west, at: [(west + east) / 2, lat] };
    }
  }
  return widest.at;
}

/** The longitudes at which a closed ring crosses a latitude. */
const crossingsOf = (ring: readonly Position[], lat: number): number[] =>
  ring.slice(1).flatMap(([lon = 0, to = 0], i) => {
    const [fromLon = 0, from = 0] = ring[i] ?? [];
    return from <= lat === to <= lat ? [] : [fromLon + ((lat - from) / (to - from)) * (lon - fromLon)];
  });

/** West, south, east, north; for a corridor without its width. */
export function boundsOf(shape: GeofenceShape): [number, number, number, number] {
  const { west, south, east, north } = compileFence(toFenceShape(shape)).bounds;
  return [west, south, east, north];
}

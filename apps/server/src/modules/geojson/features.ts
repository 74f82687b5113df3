import type { Geofence, GeofenceShape, GeoPoint } from '@milepost/contract';
import { destination } from '@milepost/geo';
import { degrees, metres, toKilometresPerHour } from '@milepost/units';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Driving } from '../../fleet/driving.ts';
import type { LatestOfVehicle } from '../../fleet/live.ts';

type Position = [lon: number, lat: number];
export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] }
  | { readonly type: 'Polygon'; readonly coordinates: Position[][] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: Position[][][] };

/** RFC 7946 section 3.2. */
export interface Feature {
  readonly type: 'Feature';
  readonly id: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

const CIRCLE_POINTS = 72;
/** 0.1 m: section 11.2 warns of more digits than are true. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** A vehicle where it is now. One that has not reported, or is in private time, is nowhere (section 3.2). */
export function vehicleFeature(
  vehicle: DirectoryEntry,
  { live, newest }: LatestOfVehicle,
  driving: Driving | null,
): Feature {
  const isShown = live.private !== true && newest?.valid === true;
  return {
    type: 'Feature',
    id: `vehicle-${vehicle.id}`,
    geometry: isShown ? { type: 'Point', coordinates: [round(newest.lon), round(newest.lat)] } : null,
    properties: {
      kind: 'vehicle',
      deviceId: String(vehicle.id),
      imei: vehicle.imei,
      name: vehicle.name,
      motion: live.motion,
      private: live.private === true,
      ...(isShown && {
        fixAt: new Date(newest.fixAt).toISOString(),
        speedKmh: newest.speed === null ? null : Math.round(toKilometresPerHour(newest.speed) * 10) / 10,
        course: newest.course === null ? null : Math.round(newest.course),
        ignition: newest.ignition,
        driver: driving?.driver.name ?? null,
      }),
    },
  };
}

/** A geofence. A circle is a polygon of 72 points; a corridor is its line, and `widthM` says how wide it is. */
export function geofenceFeature({ color, id, isOn, isRestricted, name, shape }: Geofence): Feature {
  return {
    type: 'Feature',
    id: `geofence-${id}`,
    geometry: geometryOf(shape),
    properties: {
      kind: 'geofence',
      geofenceId: id,
      name,
      shape: shape.kind,
      color,
      isOn,
      isRestricted,
      ...(shape.kind === 'circle' && { center: shape.center, radiusM: shape.radiusM }),
      ...(shape.kind === 'corridor' && { widthM: shape.widthM }),
    },
  };
}

export function geometryOf(shape: GeofenceShape): Geometry {
  switch (shape.kind) {
    case 'circle':
      return polygonOf([circle(shape.center, shape.radiusM)]);
    case 'rectangle': {
      const [west, south, east, north] = shape.bounds;
      const right = east < west ? east + 360 : east;
      return polygonOf([
        [
          [west, south],
          [right, south],
          [right, north],
          [west, north],
        ],
      ]);
    }
    case 'polygon':
      return polygonOf(shape.rings);
    case 'corridor':
      return lineOf(unrolled(shape.line));
  }
}

function circle([lon, lat]: GeoPoint, radiusM: number): GeoPoint[] {
  const center = { lat: degrees(lat), lon: degrees(lon) };
  return Array.from({ length: CIRCLE_POINTS }, (_, i) => {
    const at = destination(center, degrees((-360 * i) / CIRCLE_POINTS), metres(radiusM));
    return [at.lon, at.lat];
  });
}

/** Longitudes without a jump at the antimeridian: beyond 180 where the line goes on over it. */
function unrolled(points: readonly (readonly [number, number])[], near = points[0]?.[0] ?? 0): Position[] {
  let last = near;
  return points.map(([lon, lat]) => {
    last = lon + 360 * Math.round((last - lon) / 360);
    return [last, lat];
  });
}

/** Closed, the outline counterclockwise and holes clockwise (3.1.6); cut where it crosses the antimeridian (3.1.9). */
function polygonOf(given: readonly (readonly (readonly [number, number])[])[]): Geometry {
  const first = given[0]?.[0]?.[0] ?? 0;
  const rings = given.map((ring, i) => wound(unrolled(ring, first), i === 0));
  const parts = worlds(rings.flat()).map(([from, shift]) =>
    rings
      .map(ring => clipped(clipped(ring, from, true), from + 360, false))
      .filter(ring => ring.length >= 3)
      .map(ring => closed(ring.map(([lon, lat]): Position => [round(lon - shift), round(lat)]))),
  );
  const whole = parts.filter(part => part.length > 0);
  const [only] = whole;
  return whole.length === 1 && only
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: whole };
}

/** The turns around the earth that points reach into: where each begins, and what to take off its longitudes. */
function worlds(points: readonly Position[]): [from: number, shift: number][] {
  const lons = points.map(([lon]) => lon);
  const turnOf = (lon: number): number => Math.floor((lon + 180) / 360);
  const first = turnOf(Math.min(...lons));
  const high = Math.max(...lons);
  // Exactly on the antimeridian is still on this side.
  const last = Math.max(first, Math.ceil((high + 180) / 360) - 1);
  return Array.from({ length: last - first + 1 }, (_, i) => [(first + i) * 360 - 180, (first + i) * 360]);
}

function wound(ring: Position[], isOutline: boolean): Position[] {
  const sum = ring.reduce((area, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
    return area + x * nextY - nextX * y;
  }, 0);
  return sum > 0 === isOutline ? ring : ring.toReversed();
}

const closed = (ring: Position[]): Position[] => [...ring, ...ring.slice(0, 1)];

/** The part of a ring on one side of a meridian. */
function clipped(ring: readonly Position[], meridian: number, isEast: boolean): Position[] {
  const isIn = ([lon]: Position): boolean => (isEast ? lon >= meridian : lon <= meridian);
  return ring.flatMap((at, i): Position[] => {
    const before = ring[(i + ring.length - 1) % ring.length] ?? at;
    const cut = isIn(at) === isIn(before) ? [] : [crossing(before, at, meridian)];
    return isIn(at) ? [...cut, at] : cut;
  });
}

function crossing([x, y]: Position, [toX, toY]: Position, meridian: number): Position {
  return [meridian, y + ((toY - y) * (meridian - x)) / (toX - x)];
}

function lineOf(line: readonly Position[]): Geometry {
  const parts: Position[][] = [];
  for (const [from, shift] of worlds(line)) {
    const isIn = ([lon]: Position): boolean => lon >= from && lon <= from + 360;
    let part: Position[] = [];
    const end = (): void => {
      if (part.length > 1) parts.push(part.map(([lon, lat]) => [round(lon - shift), round(lat)]));
      part = [];
    };
    line.forEach((at, i) => {
      const before = line[i - 1];
      if (before && isIn(at) !== isIn(before)) {
        const inside = isIn(at) ? before : at;
        const cut = crossing(before, at, inside[0] < from ? from : from + 360);
        part.push(cut);
        if (!isIn(at)) end();
      }
      if (isIn(at)) part.push(at);
    });
    end();
  }
  const [only] = parts;
  return parts.length === 1 && only
    ? { type: 'LineString', coordinates: only }
    : { type: 'MultiLineString', coordinates: parts };
}

import type { GeofenceShape, GeoPoint } from '@milepost/contract';
import { type FenceShape, type LatLon, shapeProblem } from '@milepost/geo';
import { degrees, metres } from '@milepost/units';
import { invalidField } from '../../app-error.ts';

/** The contract's shape for the engine. */
export function toFenceShape(shape: GeofenceShape): FenceShape {
  switch (shape.kind) {
    case 'circle':
      return { kind: 'circle', center: toLatLon(shape.center), radius: metres(shape.radiusM) };
    case 'polygon':
      return { kind: 'polygon', rings: shape.rings.map(ring => ring.map(toLatLon)) };
    case 'rectangle': {
      const [west, south, east, north] = shape.bounds;
      const corners: GeoPoint[] = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
      ];
      return { kind: 'polygon', rings: [corners.map(toLatLon)] };
    }
    case 'corridor':
      return { kind: 'corridor', line: shape.line.map(toLatLon), width: metres(shape.widthM) };
  }
}

const toLatLon = ([lon, lat]: GeoPoint): LatLon => ({ lat: degrees(lat), lon: degrees(lon) });

/** The problem of the field `shape` if it encloses nothing, or not one thing; points are counted from 1. */
export function refuseImpossibleShape(shape: GeofenceShape): void {
  const problem = shapeProblem(toFenceShape(shape));
  if (problem === null) return;
  const point = problem.point + 1;
  switch (problem.code) {
    case 'too-few-points':
      throw invalidField('shape', 'too-few-points', { min: shape.kind === 'corridor' ? 2 : 3 });
    case 'no-area':
    case 'around-pole':
      throw invalidField('shape', problem.code);
    case 'crosses-itself':
    case 'rings-cross':
    case 'hole-outside':
      throw invalidField('shape', problem.code, { point });
  }
}

import type { GeofenceShape, GeoPoint } from '@milepost/contract';
import type { FenceShape, LatLon } from '@milepost/geo';
import { degrees, metres } from '@milepost/units';

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

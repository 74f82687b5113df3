import type { Geofence, GeofenceGroup } from '@milepost/contract';
import type { FeatureCollection, Geometry } from 'geojson';
import { download } from '../../base/download.ts';
import { geometryOf } from '../../geofences/shapes.ts';

/**
 * Converts to GeoJSON (RFC 7946). It has no circles or widths, so a circle is its center with `radiusM` and a corridor
 * its line with `widthM`, in meters. The import reads both, and all other properties; vehicles have no names that mean
 * the same elsewhere, so they are left out.
 */
export function toGeoJson(geofences: readonly Geofence[], groups: readonly GeofenceGroup[] = []): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: geofences.map(geofence => {
      const { name, color, isRestricted, isOn, note, shape, groupId, edge, detention, speedLimitKmh } = geofence;
      const group = groups.find(({ id }) => id === groupId)?.name;
      const size =
        shape.kind === 'circle'
          ? { radiusM: shape.radiusM }
          : shape.kind === 'corridor'
            ? { widthM: shape.widthM }
            : {};
      return {
        type: 'Feature',
        properties: {
          ...{ name, kind: shape.kind, color, isRestricted, isOn, edge },
          ...(group !== undefined && { group }),
          ...(note !== null && { note }),
          ...(detention !== null && { detention }),
          ...(speedLimitKmh !== null && { speedLimitKmh }),
          ...size,
        },
        geometry:
          shape.kind === 'circle' ? { type: 'Point', coordinates: [...shape.center] } : wound(geometryOf(shape)),
      };
    }),
  };
}

/** Makes outlines counterclockwise and holes clockwise (RFC 7946, 3.1.6). */
function wound(geometry: Geometry): Geometry {
  if (geometry.type !== 'Polygon') return geometry;
  const coordinates = geometry.coordinates.map((ring, i) => {
    const sum = ring.reduce((area, [x = 0, y = 0], at) => {
      const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? [];
      return area + x * nextY - nextX * y;
    }, 0);
    return sum > 0 === (i === 0) ? ring : ring.toReversed();
  });
  return { ...geometry, coordinates };
}

export function saveGeoJson(geofences: readonly Geofence[], groups: readonly GeofenceGroup[], name: string): void {
  const text = `${JSON.stringify(toGeoJson(geofences, groups), null, 1)}\n`;
  download(new Blob([text], { type: 'application/geo+json' }), `${name}.geojson`);
}

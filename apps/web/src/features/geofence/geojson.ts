import type { Geofence } from '@milepost/contract';
import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { download } from '../../base/download.ts';
import { geometryOf } from '../../geofences/shapes.ts';

/**
 * Converts to GeoJSON (RFC 7946). It has no circles or widths, so a circle is its center with `radiusM` and a corridor
 * its line with `widthM`, in meters. The import reads both.
 */
export function toGeoJson(geofences: readonly Geofence[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: geofences.map(({ name, color, isRestricted, note, shape }): Feature => {
      const size =
        shape.kind === 'circle'
          ? { radiusM: shape.radiusM }
          : shape.kind === 'corridor'
            ? { widthM: shape.widthM }
            : {};
      return {
        type: 'Feature',
        properties: { name, kind: shape.kind, color, isRestricted, ...(note !== null && { note }), ...size },
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

export function saveGeoJson(geofences: readonly Geofence[], name: string): void {
  const text = `${JSON.stringify(toGeoJson(geofences), null, 1)}\n`;
  download(new Blob([text], { type: 'application/geo+json' }), `${name}.geojson`);
}

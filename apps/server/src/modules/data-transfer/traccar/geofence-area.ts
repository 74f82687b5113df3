/** A GeoJSON feature that the geofence page imports: a circle is its center with `radiusM`. */
export interface AreaFeature {
  readonly type: 'Feature';
  readonly properties: { readonly name: string; readonly radiusM?: number };
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: readonly [number, number] }
    | { readonly type: 'LineString'; readonly coordinates: readonly (readonly [number, number])[] }
    | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly (readonly [number, number])[])[] };
}

const NUMBER = String.raw`[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`;
const CIRCLE = new RegExp(String.raw`^CIRCLE\s*\(\s*(${NUMBER})\s+(${NUMBER})\s*,\s*(${NUMBER})\s*\)$`, 'i');
const LINE = /^LINESTRING\s*\(([^()]+)\)$/i;
const POLYGON = /^POLYGON\s*\(\s*\(([^()]+)\)\s*\)$/i;

/** The area of a geofence as Traccar's API has it: well-known text with the latitude first. Null if it is none. */
export function areaOf(name: string, area: string): AreaFeature | null {
  const text = area.trim();
  const circle = CIRCLE.exec(text)?.slice(1).map(Number) as [number, number, number] | undefined;
  if (circle) {
    const [lat, lon, radiusM] = circle;
    return isPlace([lon, lat]) && radiusM > 0
      ? { type: 'Feature', properties: { name, radiusM }, geometry: { type: 'Point', coordinates: [lon, lat] } }
      : null;
  }
  const line = placesOf(LINE.exec(text)?.[1]);
  if (line && line.length > 1) {
    return { type: 'Feature', properties: { name }, geometry: { type: 'LineString', coordinates: line } };
  }
  const ring = placesOf(POLYGON.exec(text)?.[1]);
  const [first] = ring ?? [];
  const last = ring?.at(-1);
  if (!ring || !first || !last || ring.length < 3) return null;
  // A ring of GeoJSON ends where it began.
  const closed = first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
  return { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates: [closed] } };
}

function placesOf(text: string | undefined): (readonly [number, number])[] | null {
  if (text === undefined) return null;
  const places = text.split(',').map(pair => {
    const [lat = Number.NaN, lon = Number.NaN] = pair.trim().split(/\s+/).map(Number);
    return [lon, lat] as const;
  });
  return places.every(isPlace) ? places : null;
}

const isPlace = ([lon, lat]: readonly [number, number]): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90;

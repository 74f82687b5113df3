import type { GeofenceShape } from '@milepost/contract';

/** Width of a corridor, in meters: Traccar keeps it elsewhere. */
const WIDTH_M = 200;

const NUMBER = String.raw`[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`;
const CIRCLE = new RegExp(String.raw`^CIRCLE\s*\(\s*(${NUMBER})\s+(${NUMBER})\s*,\s*(${NUMBER})\s*\)$`, 'i');
const LINE = /^LINESTRING\s*\(([^()]+)\)$/i;
const POLYGON = /^POLYGON\s*\(\s*\(([^()]+)\)\s*\)$/i;

/** The area of a geofence as Traccar's API has it: well-known text with the latitude first. Null if it is none. */
export function areaOf(area: string): GeofenceShape | null {
  const text = area.trim();
  const circle = CIRCLE.exec(text)?.slice(1).map(Number) as [number, number, number] | undefined;
  if (circle) {
    const [lat, lon, radiusM] = circle;
    return isPlace([lon, lat]) && radiusM > 0 ? { kind: 'circle', center: [lon, lat], radiusM } : null;
  }
  const line = placesOf(LINE.exec(text)?.[1]);
  if (line && line.length > 1) return { kind: 'corridor', line, widthM: WIDTH_M };
  const ring = placesOf(POLYGON.exec(text)?.[1]);
  const [first] = ring ?? [];
  const last = ring?.at(-1);
  if (!ring || !first || !last) return null;
  // Its rings end where they began; ours do not.
  const open = first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring;
  return open.length < 3 ? null : { kind: 'polygon', rings: [open] };
}

function placesOf(text: string | undefined): [number, number][] | null {
  if (text === undefined) return null;
  const places = text.split(',').map(pair => {
    const [lat = Number.NaN, lon = Number.NaN] = pair.trim().split(/\s+/).map(Number);
    return [lon, lat] as [number, number];
  });
  return places.every(isPlace) ? places : null;
}

const isPlace = ([lon, lat]: readonly [number, number]): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90;

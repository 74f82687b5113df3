import { formatCoordinates } from '../../../format/place.ts';
import type { Place } from '../../../live/vehicle-entry.ts';

/** The address that opens a place in this device's own navigation app, or in a map of the web where it has none. */
export function navigationUrl({ lat, lon }: Place, name: string, userAgent: string): string {
  const spot = formatCoordinates(lat, lon).replace(' ', '');
  if (/android/i.test(userAgent)) return `geo:${spot}?q=${spot}(${encodeURIComponent(name)})`;
  if (/iphone|ipad|macintosh/i.test(userAgent)) return `https://maps.apple.com/?daddr=${spot}`;
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(spot)}`;
}

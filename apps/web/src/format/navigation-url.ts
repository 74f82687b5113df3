import { formatCoordinates } from './place.ts';

/** A link that opens a place in the device's navigation app, or in a web map. */
export function navigationUrl(
  { lat, lon }: { readonly lat: number; readonly lon: number },
  name: string,
  userAgent: string,
): string {
  const spot = formatCoordinates(lat, lon).replace(' ', '');
  if (/android/i.test(userAgent)) return `geo:${spot}?q=${spot}(${encodeURIComponent(name)})`;
  if (/iphone|ipad|macintosh/i.test(userAgent)) return `https://maps.apple.com/?daddr=${spot}`;
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(spot)}`;
}

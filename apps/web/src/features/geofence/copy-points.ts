import type { GeofenceShape } from '@milepost/contract';
import type { TFunction } from 'i18next';
import { toast } from '../../base/toasts/toast.ts';
import { formatCoordinates } from '../../format/place.ts';
import { pointsOf } from '../../geofences/shapes.ts';

/** Copies a circle's center, or the points of any other shape, one on each line, as every map reads them. */
export async function copyPoints(shape: GeofenceShape, t: TFunction<'geofence'>): Promise<void> {
  const text = pointsOf(shape)
    .map(([lon, lat]) => formatCoordinates(lat, lon))
    .join('\n');
  try {
    await navigator.clipboard.writeText(text);
    toast(t('pointsCopied'));
  } catch {
    // Without clipboard permission, or on a plain http address, show the text so that the user can copy it.
    toast(text, 'info');
  }
}

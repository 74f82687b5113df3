import { i18n } from '../../app/i18n.ts';
import { toast } from '../../app/toasts/toast.ts';
import { formatCoordinates } from '../../format/place.ts';
import type { Place } from '../../live/vehicle-entry.ts';

/** Puts a place on the clipboard as every map reads it, and says so. */
export async function copyCoordinates({ lat, lon }: Place): Promise<void> {
  const coordinates = formatCoordinates(lat, lon);
  try {
    await navigator.clipboard.writeText(coordinates);
    toast(i18n.t('dashboard:card.coordinatesCopied', { coordinates }));
  } catch {
    // Without the permission, or on a plain http address, the text itself is the best that can be given.
    toast(i18n.t('dashboard:card.copyFailed', { text: coordinates }), 'info');
  }
}

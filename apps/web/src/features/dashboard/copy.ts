import { i18n } from '../../base/i18n.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatCoordinates } from '../../format/place.ts';
import { plusCode } from '../../format/plus-code.ts';
import type { Place } from '../../live/vehicle-entry.ts';

/** Puts a place on the clipboard as every map reads it, and says so. */
export const copyCoordinates = ({ lat, lon }: Place): Promise<void> => copy(formatCoordinates(lat, lon));

/** The same as a plus code, which is short to read out. */
export const copyPlusCode = ({ lat, lon }: Place): Promise<void> => copy(plusCode(lat, lon));

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(i18n.t('dashboard:card.copied', { text }));
  } catch {
    // Without the permission, or on a plain http address, the text itself is the best that can be given.
    toast(i18n.t('dashboard:card.copyFailed', { text }), 'info');
  }
}

import { i18n } from '../../base/i18n.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatCoordinates } from '../../format/place.ts';
import { plusCode } from '../../format/plus-code.ts';
import type { Place } from '../../live/vehicle-entry.ts';

/** Copies coordinates in a format every map reads, and confirms it. */
export const copyCoordinates = ({ lat, lon }: Place): Promise<void> => copy(formatCoordinates(lat, lon));

/** Copies the place as a plus code, which is short to read out. */
export const copyPlusCode = ({ lat, lon }: Place): Promise<void> => copy(plusCode(lat, lon));

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(i18n.t('dashboard:card.copied', { text }));
  } catch {
    // Without clipboard permission, or on a plain http address, show the text so that the user can copy it.
    toast(i18n.t('dashboard:card.copyFailed', { text }), 'info');
  }
}

import { copyText } from '../../base/copy-text.ts';
import { i18n } from '../../base/i18n.ts';
import { formatCoordinates } from '../../format/place.ts';
import { plusCode } from '../../format/plus-code.ts';
import type { Place } from '../../live/vehicle-entry.ts';

/** Copies coordinates in a format every map reads, and confirms it. */
export const copyCoordinates = ({ lat, lon }: Place): Promise<void> => copy(formatCoordinates(lat, lon));

/** Copies the place as a plus code, which is short to read out. */
export const copyPlusCode = ({ lat, lon }: Place): Promise<void> => copy(plusCode(lat, lon));

const copy = (text: string): Promise<void> =>
  copyText(text, i18n.t('dashboard:card.copied', { text }), i18n.t('dashboard:card.copyFailed', { text }));

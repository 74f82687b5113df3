import type { Share } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../format/time.ts';
import type { ChipTone } from '../../ui/Chip.tsx';

export const TONE_OF_STATE: Readonly<Record<Share['state'], ChipTone>> = {
  planned: 'info',
  open: 'live',
  ended: 'neutral',
  revoked: 'neutral',
};

/** Whether the link has ended and can't be changed anymore. */
export const isOver = ({ state }: Share): boolean => state === 'ended' || state === 'revoked';

/** When the link ended or will end. */
export const endOf = ({ revokedAt, expiresAt }: Share): number => Date.parse(revokedAt ?? expiresAt);

/** Texts that describe a link, used wherever links are shown. */
export function useShareWords() {
  const { t } = useTranslation('sharing');
  const vehiclesOf = ({ vehicles, hidden }: Share): string =>
    [...vehicles.map(({ deviceName }) => deviceName), ...(hidden > 0 ? [t('hidden', { count: hidden })] : [])].join(
      ', ',
    ) || t('noVehicles');
  return {
    vehiclesOf,
    titleOf: (share: Share): string => share.name ?? vehiclesOf(share),
    windowOf: (share: Share, nowMs: number): string =>
      t('window', {
        from: formatMoment(Date.parse(share.startsAt), nowMs),
        until: formatMoment(endOf(share), nowMs),
      }),
  };
}

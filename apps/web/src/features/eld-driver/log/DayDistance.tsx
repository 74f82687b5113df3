import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { joined, wholeDistanceFigure } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';

/** How far the driver drove, in their own unit. */
export function DayDistance({ km }: { readonly km: number | null }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const system = useMeasureSystem();
  if (km === null) return null;
  return (
    <span>
      {t('log.distance')}: <b>{joined(wholeDistanceFigure(metres(km * 1000), system))}</b>
    </span>
  );
}

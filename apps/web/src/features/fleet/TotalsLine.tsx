import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../format/clock.ts';
import { formatCount } from '../../format/locale.ts';
import { distanceFigure, joined } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useConnection } from '../../live/connection.ts';
import type { FleetRows } from './rows/fleet-rows.ts';

interface Props {
  readonly rows: FleetRows;
  /** That the day can’t be read, and when it last could be. */
  readonly dayFailed: { readonly readMs: number | null } | null;
}

/** The whole table in a line: `40 vehicles · 21 moving · 7,864 mi today · live`. What is not known is left out. */
export function TotalsLine({ rows: { totals, total }, dayFailed }: Props) {
  const { t } = useTranslation('fleet');
  const system = useMeasureSystem();
  const { phase, updatedMs } = useConnection();
  const { vehicles, counts, distanceM } = totals;
  const asOf = (ms: number): string => t('cell.asOf', { time: formatClock(ms) });
  const today =
    distanceM !== null && t('totals.today', { distance: joined(distanceFigure(metres(distanceM), system)) });
  const parts = [
    ...(total === null
      ? []
      : [
          t(vehicles === total ? 'totals.vehicles' : 'totals.some', {
            count: vehicles,
            shown: formatCount(vehicles),
            total: formatCount(total),
          }),
          t('totals.moving', { moving: formatCount(counts.moving) }),
        ]),
    today && dayFailed?.readMs ? `${today} ${asOf(dayFailed.readMs)}` : today,
    dayFailed?.readMs === null && t('totals.todayFailed'),
    phase === 'connected' ? t('totals.live') : updatedMs === null ? t('totals.notConnected') : asOf(updatedMs),
  ];
  return <span data-old={phase !== 'connected' || undefined}>{parts.filter(Boolean).join(' · ')}</span>;
}

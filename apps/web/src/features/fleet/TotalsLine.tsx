import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../format/clock.ts';
import { formatCount } from '../../format/locale.ts';
import { distanceFigure, joined } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useConnection } from '../../live/connection.ts';
import type { FleetRows } from './rows/fleet-rows.ts';

/** The whole table in a line: `40 vehicles · 21 moving · 7,864 mi today · live`. */
export function TotalsLine({ rows: { totals, total } }: { readonly rows: FleetRows }) {
  const { t } = useTranslation('fleet');
  const system = useMeasureSystem();
  const { phase, updatedMs } = useConnection();
  const count = { count: totals.vehicles, shown: formatCount(totals.vehicles), total: formatCount(total) };
  return (
    <span data-old={phase !== 'connected' || undefined}>
      {[
        t(totals.vehicles === total ? 'totals.vehicles' : 'totals.some', count),
        t('totals.moving', { moving: formatCount(totals.counts.moving) }),
        t('totals.today', { distance: joined(distanceFigure(metres(totals.distanceM), system)) }),
        phase === 'connected'
          ? t('totals.live')
          : updatedMs === null
            ? t('totals.notConnected')
            : t('cell.asOf', { time: formatClock(updatedMs) }),
      ].join(' · ')}
    </span>
  );
}

import { fleetFigure, type OverviewTile } from '@milepost/contract';
import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { useAccountZone } from '../../base/account-settings.ts';
import type { PeriodName } from '../../figures/period.ts';
import { figureText, tileFigure } from '../../figures/tile-words.ts';
import { formatCount } from '../../format/locale.ts';
import { distanceFigure, joined } from '../../format/measure.ts';
import { formatClock, zoneNote } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useConnection } from '../../live/connection.ts';
import { usePast } from '../../live/past.ts';
import type { ColumnId } from './columns/column-ids.ts';
import type { FleetRows } from './rows/fleet-rows.ts';

interface Props {
  readonly rows: FleetRows;
  /** Set if the day's figures couldn't be loaded; `readMs` is when they last were. */
  readonly dayFailed: { readonly readMs: number | null } | null;
  readonly period: PeriodName;
  /** The totals of the sorted column are included. */
  readonly sorted: ColumnId;
}

/** The overview's figures that match a column. */
const FIGURES: Partial<Readonly<Record<ColumnId, readonly OverviewTile[]>>> = {
  inuse: ['utilisation', 'inUse'],
  driven: ['driving'],
  idled: ['idleShare'],
  stops: ['stops'],
  topspeed: ['topSpeed'],
  tracked: ['known'],
  doubts: ['leftOut'],
  began: ['alerts'],
};

/** The whole table in one line: `40 vehicles · 21 moving · 7,864 mi today · live`. Unknown figures are left out. */
export function TotalsLine({ rows: { totals, total }, dayFailed, period, sorted }: Props) {
  const { t } = useTranslation(['fleet', 'overview']);
  const system = useMeasureSystem();
  const zone = useAccountZone();
  const { phase, updatedMs } = useConnection();
  const past = usePast();
  const { vehicles, counts, sums } = totals;
  const asOf = (ms: number): string => t('cell.asOf', { time: formatClock(ms) });
  const distance = sums && joined(distanceFigure(metres(sums.distanceM), system));
  const figures = (FIGURES[sorted] ?? []).flatMap(key => {
    const value = sums && fleetFigure(key, sums);
    if (value === null) return [];
    const text = figureText(tileFigure(key, value, system, t('overview:units.perDay')));
    return t('overview:tileName', { name: t(`overview:tiles.${key}`), value: text });
  });
  const today =
    distance && (period === 'today' ? t('totals.today', { distance }) + zoneNote(Date.now(), zone) : distance);
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
    ...figures,
    past
      ? asOf(past.atMs)
      : phase === 'connected'
        ? t('totals.live')
        : updatedMs === null
          ? t('totals.notConnected')
          : asOf(updatedMs),
  ];
  return (
    <span data-old={past !== undefined || phase !== 'connected' || undefined}>{parts.filter(Boolean).join(' · ')}</span>
  );
}

import { addSums, type FleetSums, NO_SUMS } from '@milepost/contract';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { isInUse } from '../history/days/day-sums.ts';
import type { Asked, ReportItem, VehicleDayTotals } from './report.ts';

/** A vehicle over the period, or over each group of its days. */
export interface VehiclePeriod extends ReportItem {
  readonly vehicle: DirectoryEntry;
  readonly sums: FleetSums;
  readonly gapS: number;
  /** Days with any data, and days on which it was in use. */
  readonly days: number;
  readonly daysInUse: number;
}

/** One item for each vehicle, also one without data; where days, weeks or months are grouped, one for each of them. */
export async function* vehiclePeriods(asked: Asked): AsyncGenerator<VehiclePeriod[]> {
  const { bucketOf, calendar, from, groupBy, nowMs, sources, to } = asked;
  const isByTime = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
  const seen = new Set<number>();
  for await (const batch of sources.days(asked)) {
    const items: VehiclePeriod[] = [];
    for (const [vehicle, days] of Map.groupBy(batch, day => day.vehicle)) {
      seen.add(vehicle.id);
      const buckets = Map.groupBy(days, ({ day }) => (isByTime ? bucketOf(day) : from));
      for (const [bucket, inside] of buckets) {
        const last = isByTime ? Math.max(...inside.map(({ day }) => day)) : to;
        const first = isByTime ? Math.min(...inside.map(({ day }) => day)) : from;
        items.push({
          id: `${vehicle.id}-${calendar.dateOf(bucket)}`,
          vehicle,
          day: isByTime ? first : null,
          evidence: { fromMs: calendar.startOf(first), toMs: Math.min(calendar.startOf(last + 1), nowMs) },
          ...summed(inside),
        });
      }
    }
    yield items;
  }
  if (isByTime) return;
  yield asked.vehicles
    .filter(({ id }) => !seen.has(id))
    .map(vehicle => ({ id: `${vehicle.id}-none`, vehicle, day: null, ...summed([]) }));
}

function summed(days: readonly VehicleDayTotals[]) {
  const used = days.filter(({ totals }) => isInUse(totals)).length;
  return {
    sums: days.reduce<FleetSums>((sum, { totals }) => addSums(sum, { ...totals, inUse: 0, alerts: 0 }), NO_SUMS),
    gapS: days.reduce((sum, { totals }) => sum + totals.gapS, 0),
    days: days.filter(({ totals }) => totals.fixes > 0).length,
    daysInUse: used,
  };
}

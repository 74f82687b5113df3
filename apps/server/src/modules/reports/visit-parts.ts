import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { toDetention } from '../geofences/detention.ts';
import type { Asked, VisitPart } from './report.ts';

type AskedParts = Pick<Asked, 'bucketOf' | 'calendar' | 'from' | 'groupBy' | 'nowMs' | 'to'>;
type Stretch = Pick<VisitPart, 'fromMs' | 'toMs'>;

/** What of these vehicles' visits is within the period, in the vehicles' order, oldest first. */
export async function visitParts(
  trx: AccountTransaction,
  asked: AskedParts,
  vehicles: readonly DirectoryEntry[],
): Promise<VisitPart[]> {
  const { calendar, from, nowMs, to } = asked;
  const period = { fromMs: calendar.startOf(from), toMs: Math.min(nowMs, calendar.startOf(to + 1)) };
  const rows = await trx
    .selectFrom('visit')
    .innerJoin('geofence', 'geofence.id', 'visit.geofence_id')
    .leftJoin('geofence_group', 'geofence_group.id', 'geofence.group_id')
    .select(['visit.vehicle_id', 'visit.geofence_id', 'geofence.name', 'in_at', 'out_at'])
    .select(({ fn }) => [
      fn
        .coalesce('geofence.detention_free_minutes', 'geofence_group.detention_free_minutes')
        .as('detention_free_minutes'),
      fn.coalesce('geofence.detention_per_hour', 'geofence_group.detention_per_hour').as('detention_per_hour'),
    ])
    .where(sql<boolean>`visit.vehicle_id = any (${vehicles.map(({ id }) => id)}::int4[])`)
    .where('in_at', '<', new Date(period.toMs))
    .where(sql<boolean>`(out_at is null or out_at > ${new Date(period.fromMs)})`)
    .orderBy('in_at')
    .orderBy('visit.geofence_id')
    .execute();
  const byVehicle = Map.groupBy(rows, row => row.vehicle_id);
  return vehicles.flatMap(vehicle =>
    (byVehicle.get(vehicle.id) ?? []).flatMap(({ geofence_id, in_at, name, out_at, ...detention }) => {
      const [inMs, outMs] = [in_at.getTime(), out_at?.getTime() ?? null];
      const visit = { vehicle, geofence: { id: geofence_id, name }, detention: toDetention(detention), inMs, outMs };
      return within(asked, period, inMs, outMs ?? nowMs).map(part => ({ ...visit, ...part }));
    }),
  );
}

/** A stretch of time within the period, cut where a group of days ends, so that its sums are those of its days. */
function within(
  { bucketOf, calendar, groupBy }: AskedParts,
  period: Stretch,
  startMs: number,
  endMs: number,
): Stretch[] {
  const [fromMs, toMs] = [Math.max(period.fromMs, startMs), Math.min(period.toMs, endMs)];
  if (fromMs > toMs) return [];
  if (groupBy !== 'day' && groupBy !== 'week' && groupBy !== 'month') return [{ fromMs, toMs }];
  const parts: Stretch[] = [];
  let partFrom = fromMs;
  for (let day = calendar.dayOf(fromMs); calendar.startOf(day + 1) < toMs; day++) {
    const midnight = calendar.startOf(day + 1);
    if (bucketOf(day) === bucketOf(day + 1)) continue;
    parts.push({ fromMs: partFrom, toMs: midnight });
    partFrom = midnight;
  }
  return [...parts, { fromMs: partFrom, toMs }];
}

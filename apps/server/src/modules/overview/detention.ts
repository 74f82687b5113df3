import { may, type Overview } from '@milepost/contract';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Session } from '../../http/session.ts';
import type { Calendar } from '../history/days/calendar.ts';
import { costOf, detainedMs } from '../reports/detained.ts';
import { visitParts } from '../reports/visit-parts.ts';
import type { Period } from './period.ts';

interface Wanted {
  readonly session: Session;
  readonly vehicles: readonly DirectoryEntry[];
  readonly period: Period;
  /** Null: not compared. */
  readonly before: Period | null;
  readonly calendar: Calendar;
  readonly nowMs: number;
  readonly currency: string;
}

const PLACES = 4;
const CENTS = 100;

/** Detention over the period and, to compare, the one before it, as its report counts it; null where no geofence has terms. */
export async function detentionOf(
  trx: AccountTransaction,
  { before, calendar, currency, nowMs, period, session, vehicles }: Wanted,
): Promise<Overview['detention']> {
  if (!may(session, 'geofences.read')) return null;
  const terms = await trx
    .selectFrom('geofence')
    .leftJoin('geofence_group', 'geofence_group.id', 'geofence.group_id')
    .select('geofence.id')
    .where(({ fn }) => fn.coalesce('geofence.detention_per_hour', 'geofence_group.detention_per_hour'), 'is not', null)
    .limit(1)
    .execute();
  if (terms.length === 0) return null;
  const over = async ({ from, to }: Period) => {
    const asked = { bucketOf: (day: number) => day, groupBy: null, calendar, from, to, nowMs };
    return (await visitParts(trx, asked, vehicles)).flatMap(part => {
      const ms = detainedMs(part);
      return part.detention === null || ms === 0 ? [] : { ...part.geofence, ms, cost: costOf(ms, part.detention) };
    });
  };
  const [now, earlier] = [await over(period), before && (await over(before))];
  const places = [...Map.groupBy(now, ({ id }) => id)].map(([id, visits]) => ({
    geofenceId: String(id),
    name: visits[0]?.name ?? '',
    ...sumOf(visits),
    visits: visits.length,
  }));
  return {
    ...sumOf(now),
    visits: now.length,
    previous: earlier && sumOf(earlier),
    currency,
    places: places.toSorted((a, b) => b.cost - a.cost || b.seconds - a.seconds).slice(0, PLACES),
  };
}

const sumOf = (visits: readonly { readonly ms: number; readonly cost: number }[]) => ({
  seconds: visits.reduce((sum, { ms }) => sum + ms, 0) / 1000,
  cost: Math.round(visits.reduce((sum, { cost }) => sum + cost, 0) * CENTS) / CENTS,
});

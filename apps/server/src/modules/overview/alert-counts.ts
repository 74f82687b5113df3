import { SEVERITIES, type Severity } from '@milepost/contract';
import { type Expression, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';
import { isForSql, REQUEST } from '../alerts/audience.ts';
import type { Calendar } from '../history/days/calendar.ts';
import type { OpenAlert } from './do-next.ts';
import type { Period } from './period.ts';

/** The account's first day: nothing watched for alerts before it, even if there are positions of then, and some alerts. */
export async function watchedSince(trx: AccountTransaction, accountId: number, calendar: Calendar): Promise<number> {
  const account = trx.selectFrom('account').select('created_at').where('id', '=', accountId);
  return calendar.dayOf((await account.executeTakeFirstOrThrow()).created_at.getTime());
}

/** Alerts opened on each day, in any state. Requests for a second person are not counted. */
export async function alertsByDay(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  { from, to }: Period,
  calendar: Calendar,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ day: string; count: number }>`
    select (opened_at at time zone ${calendar.zone})::date as day, count(*)::int4 as count from alert
    where ${beganIn(vehicleIds, { from, to }, calendar)} group by 1`.execute(trx);
  return new Map(rows.map(({ day, count }) => [calendar.numberOf(day), count]));
}

/** The same for each vehicle, over the period. */
export async function alertsByVehicle(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  { from, to }: Period,
  calendar: Calendar,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ vehicleId: number; count: number }>`
    select vehicle_id as "vehicleId", count(*)::int4 as count from alert
    where ${beganIn(vehicleIds, { from, to }, calendar)} group by 1`.execute(trx);
  return new Map(rows.map(({ vehicleId, count }) => [vehicleId, count]));
}

const beganIn = (vehicleIds: readonly number[], { from, to }: Period, calendar: Calendar) => sql`
  vehicle_id = any (${vehicleIds}) and kind <> ${REQUEST} and opened_at >= ${new Date(calendar.startOf(from))}
    and opened_at < ${new Date(calendar.startOf(to + 1))}`;

/** Unacknowledged alerts as in this session's list, one for each vehicle or task, and severity. */
export async function openAlerts(
  trx: AccountTransaction,
  session: Session,
  isSeen: Expression<boolean>,
): Promise<{ readonly counts: Record<Severity, number>; readonly alerts: OpenAlert[] }> {
  const { rows } = await sql<{ vehicleId: number | null; name: string; severity: Severity; count: number }>`
    select vehicle.id as "vehicleId", coalesce(vehicle.name, alert.task ->> 'ref', alert.task ->> 'title') as name,
      severity, count(*)::int4 as count
    from alert left join vehicle on vehicle.id = alert.vehicle_id
    where acknowledged_at is null and ${isSeen} and ${isForSql(session)}
    group by 1, 2, severity order by max(opened_at) desc`.execute(trx);
  const counts = Object.fromEntries(SEVERITIES.map(severity => [severity, 0])) as Record<Severity, number>;
  for (const { severity, count } of rows) counts[severity] += count;
  return { counts, alerts: rows };
}

import { daysRemaining } from '@milepost/contract';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

/** A vehicle's or driver's document that expires in this many days; negative if it has expired. */
export interface Ending {
  readonly vehicleId: number | null;
  readonly name: string;
  readonly days: number;
}

export interface Today {
  /** The account's date. */
  readonly date: string;
  readonly withinDays: number;
}

/** Each vehicle's document that expires first. */
export async function vehicleDocuments(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  { date, withinDays }: Today,
): Promise<Ending[]> {
  const rows = await trx
    .selectFrom('document')
    .innerJoin('vehicle', 'vehicle.id', 'document.vehicle_id')
    .select(['vehicle.id as vehicleId', 'vehicle.name', sql<number>`min(expires_on) - ${date}::date`.as('days')])
    .where(sql<boolean>`vehicle.id = any (${vehicleIds})`)
    .where(sql<boolean>`expires_on <= ${date}::date + ${withinDays}::integer`)
    .groupBy(['vehicle.id', 'vehicle.name'])
    .orderBy('days')
    .execute();
  return rows;
}

/** Each driver's document that expires first, including the license. */
export async function driverDocuments(
  trx: AccountTransaction,
  driverIds: readonly number[],
  { date, withinDays }: Today,
): Promise<Ending[]> {
  const { rows } = await sql<{ name: string; days: number }>`
    select driver.name, min(document.expires_on) - ${date}::date as days
    from driver
    join (
      select id as driver_id, licence_expires_on as expires_on from driver
      union all select driver_id, expires_on from document where driver_id is not null
    ) document on document.driver_id = driver.id
    where driver.id = any (${driverIds}) and document.expires_on <= ${date}::date + ${withinDays}::integer
    group by driver.id, driver.name order by days`.execute(trx);
  return rows.map(row => ({ vehicleId: null, ...row }));
}

/** An expired subscription has 0 days left. */
export async function subscriptionEnds(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  nowMs: number,
  withinDays: number,
): Promise<Ending[]> {
  const rows = await trx
    .selectFrom('subscription')
    .innerJoin('vehicle', 'vehicle.imei', 'subscription.imei')
    .select(['vehicle.id as vehicleId', 'vehicle.name', 'subscription.created_at as begunAt'])
    .where(sql<boolean>`vehicle.id = any (${vehicleIds})`)
    .execute();
  return rows
    .map(({ begunAt, ...row }) => ({ ...row, days: daysRemaining(begunAt.getTime(), nowMs) }))
    .filter(({ days }) => days <= withinDays)
    .toSorted((a, b) => a.days - b.days);
}

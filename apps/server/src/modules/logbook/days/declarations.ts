import { EXCEPTIONS, type RawDeclaration } from '@milepost/hos';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';

/** What a driver declared between two moments (epoch milliseconds), oldest first, with the reason they gave. */
export async function declaredWithin(
  trx: AccountTransaction,
  driverId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<
  { readonly exception: string; readonly from: number; readonly to: number | null; readonly reason: string }[]
> {
  const rows = await trx
    .selectFrom('log_declaration')
    .select(['exception', 'start_at', 'end_at', 'reason'])
    .where('driver_id', '=', driverId)
    .where('start_at', '>=', new Date(from))
    .where('start_at', '<', new Date(to))
    .orderBy('start_at')
    .execute();
  return rows.map(({ end_at, exception, reason, start_at }) => ({
    ...{ exception, reason, from: start_at.getTime(), to: end_at?.getTime() ?? null },
  }));
}

/** What drivers have declared, by driver. */
export async function declarationsOf(
  trx: AccountTransaction,
  driverIds: readonly number[],
): Promise<ReadonlyMap<number, readonly RawDeclaration[]>> {
  const rows = await trx
    .selectFrom('log_declaration')
    .select(['driver_id', 'exception', 'start_at', 'end_at'])
    .where(sql<boolean>`driver_id = any (${driverIds}::int4[])`)
    .orderBy('start_at')
    .execute();
  const found = new Map<number, RawDeclaration[]>();
  for (const { driver_id, end_at, exception, start_at } of rows) {
    if (!EXCEPTIONS.some(name => name === exception)) continue;
    const declared = { exception, start: start_at.getTime(), ...(end_at && { end: end_at.getTime() }) };
    found.set(driver_id, [...(found.get(driver_id) ?? []), declared]);
  }
  return found;
}

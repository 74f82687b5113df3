import { plainTrackerId } from '@milepost/contract';
import { sql } from 'kysely';
import type { Databases } from '../../db/database.ts';
import { imeiTaken, trackerIdTaken } from './taken.ts';

interface Identities {
  readonly imei?: string | undefined;
  readonly tracker_id?: string | null | undefined;
}

/**
 * A tracker is found by its IMEI or by its own number, whoever's vehicle it is: what one vehicle has for an IMEI no other
 * may have for its tracker's number, nor the other way round. Within each column the unique indexes see to it.
 */
export async function refuseForeignIdentity(db: Databases, { imei, tracker_id: own }: Identities, self: number | null) {
  if (own != null && (await has(db, sql`ltrim(imei, '0') = ${own}`, self))) throw trackerIdTaken();
  if (imei !== undefined && (await has(db, sql`tracker_id = ${plainTrackerId(imei)}`, self))) throw imeiTaken();
}

async function has({ system }: Databases, condition: ReturnType<typeof sql>, self: number | null): Promise<boolean> {
  const other = await system
    .selectFrom('vehicle')
    .select('id')
    .where(sql<boolean>`${condition}`)
    .where('id', '<>', self ?? 0)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

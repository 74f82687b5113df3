import { plainTrackerId } from '@milepost/contract';
import { sql } from 'kysely';
import type { Databases } from '../../db/database.ts';
import { imeiTaken, trackerIdTaken } from './taken.ts';

interface Identities {
  readonly imei?: string | undefined;
  readonly tracker_id?: string | null | undefined;
}

/**
 * Trackers are found by IMEI or by their own ID in the whole installation, so one vehicle's IMEI must not be
 * another's tracker ID. The unique indexes prevent duplicates within each column.
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

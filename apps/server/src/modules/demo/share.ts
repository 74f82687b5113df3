import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { hashToken } from '../sharing/links.ts';

/** Known to everyone, as the demo's password is: `/s#milepost-demo-share`. */
export const DEMO_SHARE_TOKEN = 'milepost-demo-share';
const DAYS = 90;
const DAY_MS = 24 * 3_600_000;

/** One link that a customer could have: two trucks on the way to them, with their trails and geofences. */
export async function addDemoShare(trx: Kysely<Database>, accountId: number, createdBy: string): Promise<void> {
  const vehicles = await trx
    .selectFrom('vehicle')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('name')
    .limit(2)
    .execute();
  const { id } = await trx
    .insertInto('share_link')
    .values({
      ...{ account_id: accountId, token_hash: hashToken(DEMO_SHARE_TOKEN), created_by: createdBy },
      ...{ name: 'Lakeshore Foods, inbound', note: 'For the receiving office.' },
      ...{ show_trail: true, show_speed: false, show_geofences: true, task_id: null },
      ...{ starts_at: new Date(), expires_at: new Date(Date.now() + DAYS * DAY_MS) },
      ...{ revoked_at: null, last_viewed_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('share_link_vehicle')
    .values(vehicles.map(vehicle => ({ account_id: accountId, link_id: id, vehicle_id: vehicle.id })))
    .execute();
}

import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

export type LinkRow = Awaited<ReturnType<typeof readLinks>>[number];

export interface Wanted {
  readonly id?: number;
  readonly vehicleId?: number;
  readonly createdBy?: string;
}

/** How long an ended link stays in the list. */
const KEPT_DAYS = 90;

/** Links, newest first. Row-level security hides those of other accounts. */
export function readLinks(trx: AccountTransaction, { id, vehicleId, createdBy }: Wanted) {
  return trx
    .selectFrom('share_link')
    .innerJoin('app_user', 'app_user.id', 'share_link.created_by')
    .select([
      'share_link.id',
      'name',
      'note',
      'show_trail',
      'show_speed',
      'show_geofences',
      'task_id',
      'starts_at',
      'share_link.expires_at',
    ])
    .select(['share_link.created_at', 'share_link.created_by', 'revoked_at', 'views', 'last_viewed_at'])
    .select('app_user.display_name')
    .select(
      sql<number[]>`array(
        select vehicle_id from share_link_vehicle where link_id = share_link.id order by vehicle_id)`.as('vehicle_ids'),
    )
    .$if(id !== undefined, query => query.where('share_link.id', '=', id ?? 0))
    .$if(createdBy !== undefined, query => query.where('share_link.created_by', '=', createdBy ?? ''))
    .$if(vehicleId !== undefined, query =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('share_link_vehicle')
            .select('link_id')
            .whereRef('link_id', '=', 'share_link.id')
            .where('vehicle_id', '=', vehicleId ?? 0),
        ),
      ),
    )
    .orderBy('share_link.id', 'desc')
    .execute();
}

export async function dropOld(trx: AccountTransaction): Promise<void> {
  const before = new Date(Date.now() - KEPT_DAYS * 24 * 3_600_000);
  await trx.deleteFrom('share_link').where('expires_at', '<', before).execute();
}

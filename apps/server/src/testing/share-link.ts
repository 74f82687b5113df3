import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { hashToken } from '../modules/sharing/links.ts';

export interface ShareLink {
  readonly id: string;
  readonly token: string;
  readonly key: string;
}

/** A link that somebody made an hour ago and that lasts another hour. */
export async function shareLink(
  { context }: { readonly context: Context },
  { accountId, userId }: { readonly accountId: number; readonly userId: string },
  vehicleId: number,
  name: string,
): Promise<ShareLink> {
  const token = randomBytes(32).toString('base64url');
  const { system } = context.db;
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  const { id } = await system
    .insertInto('share_link')
    .values({
      account_id: accountId,
      token_hash: hashToken(token),
      name,
      note: null,
      show_trail: true,
      show_speed: true,
      starts_at: hours(-2),
      expires_at: hours(1),
      created_by: userId,
      revoked_at: null,
      last_viewed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { key } = await system
    .insertInto('share_link_vehicle')
    .values({ account_id: accountId, link_id: id, vehicle_id: vehicleId })
    .returning('key')
    .executeTakeFirstOrThrow();
  return { id: String(id), token, key };
}

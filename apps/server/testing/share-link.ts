import { randomBytes } from 'node:crypto';
import type { Context } from '../src/context.ts';
import { hashToken } from '../src/modules/sharing/links.ts';

export interface ShareLink {
  readonly id: string;
  readonly token: string;
  readonly key: string;
}

/** A link created an hour ago that lasts another hour. */
export async function shareLink(
  server: { readonly context: Context },
  { accountId, userId }: { readonly accountId: number; readonly userId: string },
  vehicleId: number,
  name: string,
): Promise<ShareLink> {
  const [link] = await shareLinks(server, [{ accountId, userId, vehicleId, name }]);
  if (!link) throw new Error('One link was asked for.');
  return link;
}

export interface LinkToMake {
  readonly accountId: number;
  readonly userId: string;
  readonly vehicleId: number;
  readonly name: string;
}

/** Such a link for each of them. */
export async function shareLinks(
  { context }: { readonly context: Context },
  wanted: readonly LinkToMake[],
): Promise<ShareLink[]> {
  const { system } = context.db;
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  const tokens = wanted.map(() => randomBytes(32).toString('base64url'));
  const links = await system
    .insertInto('share_link')
    .values(
      wanted.map(({ accountId, userId, name }, i) => ({
        account_id: accountId,
        token_hash: hashToken(tokens[i] ?? ''),
        name,
        note: null,
        show_trail: true,
        show_speed: true,
        starts_at: hours(-2),
        expires_at: hours(1),
        created_by: userId,
        revoked_at: null,
        last_viewed_at: null,
      })),
    )
    .returning('id')
    .execute();
  const shown = await system
    .insertInto('share_link_vehicle')
    .values(
      wanted.map(({ accountId, vehicleId }, i) => ({
        account_id: accountId,
        link_id: links[i]?.id ?? 0,
        vehicle_id: vehicleId,
      })),
    )
    .returning('key')
    .execute();
  return tokens.map((token, i) => ({ id: String(links[i]?.id), token, key: shown[i]?.key ?? '' }));
}

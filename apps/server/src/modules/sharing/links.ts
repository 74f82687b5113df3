import { createHash, randomBytes } from 'node:crypto';
import { may, type newShareSchema, type Share, type shareChangeSchema } from '@milepost/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { Organisation } from '../organisation/organisation.ts';
import type { Viewer } from '../organisation/visibility.ts';
import { newEnd, newWindow, stateOf } from './window.ts';

/** Links, for those who make and end them. */
export interface Links {
  /** Those with a vehicle that the viewer may see, and their own; `vehicleId` keeps those with this vehicle. */
  list(viewer: Viewer, vehicleId: number | null): Promise<Share[]>;
  create(by: By, wish: z.output<typeof newShareSchema>): Promise<{ readonly share: Share; readonly url: string }>;
  update(by: By, id: number, change: z.output<typeof shareChangeSchema>): Promise<Share>;
  revoke(by: By, id: number): Promise<Share>;
}

type LinkRow = Awaited<ReturnType<typeof readLinks>>[number];

/** How long a link that is over stays in the list. */
const KEPT_DAYS = 90;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export function createLinks({ config, db }: Context, { visibility, directory }: Organisation): Links {
  const inSight = (viewer: Viewer, { vehicle_ids: ids }: LinkRow) =>
    ids.flatMap(id => {
      const vehicle = directory.findById(id);
      return visibility.sees(viewer, vehicle) ? [vehicle] : [];
    });

  const isShown = (viewer: Viewer, row: LinkRow): boolean =>
    visibility.seesAll(viewer) || row.created_by === viewer.userId || inSight(viewer, row).length > 0;

  const answer = (viewer: Viewer, row: LinkRow): Share => {
    const vehicles = inSight(viewer, row);
    const window = { startsAt: row.starts_at, expiresAt: row.expires_at };
    return {
      id: String(row.id),
      state: stateOf(window, row.revoked_at, Date.now()),
      name: row.name,
      note: row.note,
      vehicles: vehicles.map(({ id, name }) => ({ id: String(id), deviceName: name })),
      hidden: row.vehicle_ids.length - vehicles.length,
      showTrail: row.show_trail,
      showSpeed: row.show_speed,
      startsAt: row.starts_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      createdAt: row.created_at.toISOString(),
      createdBy: { id: row.created_by, name: row.display_name },
      revokedAt: row.revoked_at?.toISOString() ?? null,
      views: row.views,
      lastViewedAt: row.last_viewed_at?.toISOString() ?? null,
    };
  };

  const find = async (trx: AccountTransaction, viewer: Viewer, id: number): Promise<LinkRow> => {
    const [row] = await readLinks(trx, { id });
    if (!row || !isShown(viewer, row)) throw new AppError('not-found');
    return row;
  };

  const nameOf = (viewer: Viewer, row: LinkRow): string =>
    row.name ??
    inSight(viewer, row)
      .map(({ name }) => name)
      .join(', ');

  return {
    list: (viewer, vehicleId) =>
      db.asAccount(viewer.accountId, async trx => {
        const rows = await readLinks(trx, vehicleId === null ? {} : { vehicleId });
        return rows.filter(row => isShown(viewer, row)).map(row => answer(viewer, row));
      }),

    create: async ({ session, author }, { deviceIds, startsAt, expiresAt, name = null, note = null, ...shown }) => {
      const vehicles = [...new Set(deviceIds)].map(id => visibility.vehicle(session, Number(id)));
      const window = newWindow({ startsAt, expiresAt }, Date.now(), may(session, 'shares.long'));
      const token = randomBytes(32).toString('base64url');
      const share = await db.asAccount(session.accountId, async trx => {
        await dropOld(trx);
        const { id } = await trx
          .insertInto('share_link')
          .values({
            account_id: session.accountId,
            token_hash: hashToken(token),
            name,
            note,
            show_trail: shown.showTrail,
            show_speed: shown.showSpeed,
            starts_at: window.startsAt,
            expires_at: window.expiresAt,
            created_by: session.userId,
            revoked_at: null,
            last_viewed_at: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await trx
          .insertInto('share_link_vehicle')
          .values(vehicles.map(vehicle => ({ account_id: session.accountId, link_id: id, vehicle_id: vehicle.id })))
          .execute();
        const row = await find(trx, session, id);
        const changes = changesBetween({}, { vehicles: vehicles.map(vehicle => vehicle.name), ...window, ...shown });
        await audit(trx, author, { action: 'share.created', target: { id, name: nameOf(session, row) }, changes });
        return answer(session, row);
      });
      // Behind its `#` no server and no log sees the token.
      return { share, url: `${config.http.publicUrl}/s#${token}` };
    },

    update: ({ session, author }, id, { expiresAt, ...texts }) =>
      db.asAccount(session.accountId, async trx => {
        const before = await find(trx, session, id);
        if (before.revoked_at !== null) throw new AppError('share-revoked');
        // To show a vehicle for longer is to share it.
        if (inSight(session, before).length < before.vehicle_ids.length) throw new AppError('not-found');
        const end = expiresAt && newEnd(before.starts_at, expiresAt, Date.now(), may(session, 'shares.long'));
        const change = { ...texts, ...(end && { expires_at: end }) };
        if (Object.keys(change).length > 0) {
          await trx.updateTable('share_link').set(change).where('id', '=', id).execute();
        }
        const row = await find(trx, session, id);
        const changes = changesBetween(textsAndEnd(before), textsAndEnd(row));
        const target = { id, name: nameOf(session, row) };
        if (changes.length > 0) await audit(trx, author, { action: 'share.changed', target, changes });
        return answer(session, row);
      }),

    revoke: ({ session, author }, id) =>
      db.asAccount(session.accountId, async trx => {
        const before = await find(trx, session, id);
        if (before.revoked_at === null) {
          await trx.updateTable('share_link').set({ revoked_at: new Date() }).where('id', '=', id).execute();
          await audit(trx, author, { action: 'share.revoked', target: { id, name: nameOf(session, before) } });
        }
        return answer(session, await find(trx, session, id));
      }),
  };
}

const textsAndEnd = ({ name, note, expires_at: expiresAt }: LinkRow) => ({ name, note, expiresAt });

/** The newest first. What another account has is hidden by row-level security. */
function readLinks(trx: AccountTransaction, { id, vehicleId }: { readonly id?: number; readonly vehicleId?: number }) {
  return trx
    .selectFrom('share_link')
    .innerJoin('app_user', 'app_user.id', 'share_link.created_by')
    .select(['share_link.id', 'name', 'note', 'show_trail', 'show_speed', 'starts_at', 'share_link.expires_at'])
    .select(['share_link.created_at', 'share_link.created_by', 'revoked_at', 'views', 'last_viewed_at'])
    .select('app_user.display_name')
    .select(
      sql<number[]>`array(
        select vehicle_id from share_link_vehicle where link_id = share_link.id order by vehicle_id)`.as('vehicle_ids'),
    )
    .$if(id !== undefined, query => query.where('share_link.id', '=', id ?? 0))
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

async function dropOld(trx: AccountTransaction): Promise<void> {
  const before = new Date(Date.now() - KEPT_DAYS * 24 * 3_600_000);
  await trx.deleteFrom('share_link').where('expires_at', '<', before).execute();
}

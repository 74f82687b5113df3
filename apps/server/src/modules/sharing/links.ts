import { createHash, randomBytes } from 'node:crypto';
import { may, type newShareSchema, type Share, type shareChangeSchema, type Task } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import type { Session } from '../../http/session.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { dropOld, type LinkRow, readLinks, type Wanted } from './link-rows.ts';
import { newEnd, newWindow, stateOf } from './window.ts';

/** Share links, for the users who create and end them. */
export interface Links {
  /** Links with a vehicle that the reader can see, and their own; only their own if they may not see links. */
  list(reader: Session, wanted?: Wanted): Promise<Share[]>;
  create(by: By, wish: z.output<typeof newShareSchema>): Promise<{ readonly share: Share; readonly url: string }>;
  update(by: By, id: number, change: z.output<typeof shareChangeSchema>): Promise<Share>;
  revoke(by: By, id: number): Promise<Share>;
  /** Ends all open links that a user created; returns the ones ended. */
  revokeBy(by: By, createdBy: string): Promise<Share[]>;
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface LinksParts extends Organisation {
  /** The task, or the problem `not-found`. */
  readonly taskOf: (viewer: Session, id: number) => Promise<Task>;
}

export function createLinks({ config, db }: Context, { visibility, directory, taskOf }: LinksParts): Links {
  const inSight = (viewer: Viewer, { vehicle_ids: ids }: LinkRow) =>
    ids.flatMap(id => {
      const vehicle = directory.findById(id);
      return visibility.sees(viewer, vehicle) ? [vehicle] : [];
    });

  const isShown = (reader: Session, row: LinkRow): boolean =>
    row.created_by === reader.userId ||
    (may(reader, 'shares.read') && (visibility.seesAll(reader) || inSight(reader, row).length > 0));

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
      showGeofences: row.show_geofences,
      showEta: row.task_id !== null,
      startsAt: row.starts_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      createdAt: row.created_at.toISOString(),
      createdBy: { id: row.created_by, name: row.display_name },
      revokedAt: row.revoked_at?.toISOString() ?? null,
      views: row.views,
      lastViewedAt: row.last_viewed_at?.toISOString() ?? null,
    };
  };

  const find = async (trx: AccountTransaction, reader: Session, id: number): Promise<LinkRow> => {
    const [row] = await readLinks(trx, { id });
    if (!row || !isShown(reader, row)) throw new AppError('not-found');
    return row;
  };

  const nameOf = (viewer: Viewer, row: LinkRow): string =>
    row.name ??
    inSight(viewer, row)
      .map(({ name }) => name)
      .join(', ');

  const end = async (trx: AccountTransaction, { session, author }: By, row: LinkRow): Promise<void> => {
    await trx.updateTable('share_link').set({ revoked_at: new Date() }).where('id', '=', row.id).execute();
    await audit(trx, author, { action: 'share.revoked', target: { id: row.id, name: nameOf(session, row) } });
  };

  return {
    list: (reader, wanted = {}) =>
      db.asAccount(reader.accountId, async trx => {
        const rows = await readLinks(trx, wanted);
        return rows.filter(row => isShown(reader, row)).map(row => answer(reader, row));
      }),

    create: async (
      { session, author },
      { deviceIds, startsAt, expiresAt, taskId, name = null, note = null, ...shown },
    ) => {
      if (taskId != null && !may(session, 'tasks.read')) throw new AppError('not-found');
      const task = taskId == null ? null : await taskOf(session, Number(taskId));
      if (task && !deviceIds.includes(task.vehicle?.id ?? '')) throw new AppError('not-found');
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
            show_geofences: shown.showGeofences,
            task_id: task && Number(task.id),
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
        const changes = changesBetween(
          {},
          { vehicles: vehicles.map(vehicle => vehicle.name), ...window, ...shown, task: task?.title ?? null },
        );
        await audit(trx, author, { action: 'share.created', target: { id, name: nameOf(session, row) }, changes });
        return answer(session, row);
      });
      // After the `#`, the token reaches no server and no log.
      return { share, url: `${config.http.publicUrl}/s#${token}` };
    },

    update: ({ session, author }, id, { expiresAt, ...texts }) =>
      db.asAccount(session.accountId, async trx => {
        const before = await find(trx, session, id);
        // An ended link can't be extended: it would then show the time since it ended.
        if (isOver(answer(session, before))) throw new AppError('share-ended');
        // Extending a link means sharing its vehicles again.
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
        if (before.revoked_at === null) await end(trx, { session, author }, before);
        return answer(session, await find(trx, session, id));
      }),

    revokeBy: ({ session, author }, createdBy) =>
      db.asAccount(session.accountId, async trx => {
        const maker = await trx.selectFrom('app_user').select('id').where('id', '=', createdBy).executeTakeFirst();
        const shown = (await readLinks(trx, { createdBy })).filter(row => isShown(session, row));
        const isKnown = maker && (shown.length > 0 || visibility.seesAll(session) || createdBy === session.userId);
        if (!isKnown) throw new AppError('not-found');
        const ended: Share[] = [];
        for (const row of shown) {
          if (isOver(answer(session, row))) continue;
          await end(trx, { session, author }, row);
          ended.push(answer(session, await find(trx, session, row.id)));
        }
        return ended;
      }),
  };
}

const isOver = ({ state }: Share): boolean => state === 'ended' || state === 'revoked';
const textsAndEnd = ({ name, note, expires_at: expiresAt }: LinkRow) => ({ name, note, expiresAt });

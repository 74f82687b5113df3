import { may, type newViewSchema, type SavedView, VIEWS_MAX } from '@milepost/contract';
import type { Selectable } from 'kysely';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Session } from '../../http/session.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';

type Page = SavedView['page'];
type Fields = z.output<typeof newViewSchema>;
type Row = Selectable<Database['saved_view']> & { readonly creator: string | null };

export interface Views {
  /** The viewer's own and shared views, in the viewer's order. */
  list(viewer: Session, page: Page): Promise<SavedView[]>;
  create(by: By, fields: Fields): Promise<SavedView>;
  update(by: By, id: number, change: Partial<Omit<Fields, 'page'>>): Promise<SavedView>;
  remove(by: By, id: number): Promise<void>;
  /** Unknown IDs are ignored: another user may have just deleted a view. */
  arrange(by: By, page: Page, ids: readonly number[]): Promise<SavedView[]>;
}

const UNIQUE_VIOLATION = '23505';

export function createViews({ db }: Context): Views {
  const inSight = (trx: AccountTransaction, { userId }: Session) =>
    trx
      .selectFrom('saved_view')
      .leftJoin('person', join =>
        join.onRef('person.account_id', '=', 'saved_view.account_id').onRef('person.id', '=', 'saved_view.created_by'),
      )
      .selectAll('saved_view')
      .select('person.display_name as creator')
      .where(where => where.or([where('owner_id', 'is', null), where('owner_id', '=', userId)]));

  const listed = async (trx: AccountTransaction, viewer: Session, page: Page): Promise<Row[]> => {
    const rows = await inSight(trx, viewer).where('page', '=', page).orderBy('saved_view.id').execute();
    const order = await trx
      .selectFrom('view_order')
      .select('view_ids')
      .where('user_id', '=', viewer.userId)
      .where('page', '=', page)
      .executeTakeFirst();
    const places = new Map(order?.view_ids.map((id, place) => [id, place]));
    const placeOf = ({ id }: Row): number => places.get(id) ?? places.size;
    return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
  };

  const found = async (trx: AccountTransaction, viewer: Session, id: number): Promise<Row> => {
    const row = await inSight(trx, viewer).where('saved_view.id', '=', id).forUpdate('saved_view').executeTakeFirst();
    if (!row) throw new AppError('not-found');
    return row;
  };

  return {
    list: (viewer, page) => db.asAccount(viewer.accountId, async trx => (await listed(trx, viewer, page)).map(toView)),

    create: ({ session, author }, { page, name, query, shared }) =>
      named(() =>
        db.asAccount(session.accountId, async trx => {
          const owner = ownerOf(session, shared);
          await refuseTooMany(trx, page, owner);
          const { id } = await trx
            .insertInto('saved_view')
            .values({ account_id: session.accountId, page, name, query, owner_id: owner, created_by: session.userId })
            .returning('id')
            .executeTakeFirstOrThrow();
          const row = await found(trx, session, id);
          const changes = changesBetween({}, { page, query, shared });
          await audit(trx, author, { action: 'view.created', target: row, changes });
          return toView(row);
        }),
      ),

    update: ({ session, author }, id, { name, query, shared }) =>
      named(() =>
        db.asAccount(session.accountId, async trx => {
          const before = await found(trx, session, id);
          refuseSharedView(session, before);
          const owner = shared === undefined ? before.owner_id : ownerOf(session, shared);
          if (owner !== before.owner_id) await refuseTooMany(trx, before.page, owner);
          await trx
            .updateTable('saved_view')
            .set({ name: name ?? before.name, query: query ?? before.query, owner_id: owner })
            .where('id', '=', id)
            .execute();
          const after = await found(trx, session, id);
          const changes = changesBetween(said(before), said(after));
          if (changes.length > 0) await audit(trx, author, { action: 'view.changed', target: after, changes });
          return toView(after);
        }),
      ),

    remove: ({ session, author }, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = await found(trx, session, id);
        refuseSharedView(session, row);
        await trx.deleteFrom('saved_view').where('id', '=', id).execute();
        await audit(trx, author, { action: 'view.deleted', target: row });
      }),

    arrange: ({ session, author }, page, ids) =>
      db.asAccount(session.accountId, async trx => {
        const known = new Map((await listed(trx, session, page)).map(row => [row.id, row]));
        const view_ids = [...new Set(ids)].filter(id => known.has(id));
        await trx
          .insertInto('view_order')
          .values({ account_id: session.accountId, user_id: session.userId, page, view_ids })
          .onConflict(conflict => conflict.columns(['user_id', 'page']).doUpdateSet({ view_ids }))
          .execute();
        const names = view_ids.map(id => known.get(id)?.name).join(', ');
        await audit(trx, author, { action: 'view.arranged', changes: changesBetween({}, { page, names }) });
        return (await listed(trx, session, page)).map(toView);
      }),
  };
}

const toView = ({ id, page, name, query, owner_id, creator }: Row): SavedView => ({
  id: String(id),
  page: page as Page,
  name,
  query,
  shared: owner_id === null,
  createdBy: creator,
});

const said = ({ name, query, owner_id }: Row) => ({ name, query, shared: owner_id === null });

/** The owner of a view: null for a shared one, which only some users may create. */
function ownerOf(session: Session, shared: boolean): string | null {
  if (!shared) return session.userId;
  if (!may(session, 'views.share')) throw new AppError('not-allowed');
  return null;
}

function refuseSharedView(session: Session, { owner_id }: Row): void {
  if (owner_id === null && !may(session, 'views.share')) throw new AppError('not-allowed');
}

async function refuseTooMany(trx: AccountTransaction, page: string, owner: string | null): Promise<void> {
  const { count } = await trx
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('page', '=', page)
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .executeTakeFirstOrThrow();
  if (Number(count) >= VIEWS_MAX) throw new AppError('too-many-views', { limit: VIEWS_MAX });
}

/** The database checks that a name is free, so that two users can't take it at the same time. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    throw nameTaken();
  }
}

const nameTaken = (): AppError => fieldProblem('name', 'view-name-taken');

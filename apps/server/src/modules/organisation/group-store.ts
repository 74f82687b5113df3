import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

/** Vehicle folders and driver departments are both trees of named groups. */
export type GroupKind = 'folder' | 'department';

export interface GroupRow {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
}

export interface Member {
  readonly id: number;
  readonly groupId: number;
}

/** The most levels that a tree may have. */
export const MAX_LEVELS = 8;

const COLUMNS = ['id', 'parent_id', 'name'] as const;

export function listGroups(trx: AccountTransaction, kind: GroupKind): Promise<GroupRow[]> {
  return trx.selectFrom(kind).select(COLUMNS).orderBy(sql`lower(name)`).orderBy('id').execute();
}

/** Two moves at the same time could make a cycle, so an account's trees change one at a time. */
export async function lockGroups(trx: AccountTransaction, kind: GroupKind, accountId: number): Promise<void> {
  const key = kind === 'folder' ? 1 : 2;
  await sql`select pg_advisory_xact_lock(${key}, ${accountId})`.execute(trx);
}

export function insertGroup(
  trx: AccountTransaction,
  kind: GroupKind,
  group: { readonly account_id: number; readonly name: string; readonly parent_id: number | null },
): Promise<GroupRow> {
  return trx.insertInto(kind).values(group).returning(COLUMNS).executeTakeFirstOrThrow();
}

export async function updateGroup(
  trx: AccountTransaction,
  kind: GroupKind,
  id: number,
  change: { readonly name?: string; readonly parent_id?: number | null },
): Promise<void> {
  await trx.updateTable(kind).set(change).where('id', '=', id).execute();
}

/**
 * Deletes a group: groups inside move up, and members move to another group or to none. Returns the members affected.
 */
export async function deleteGroup(
  trx: AccountTransaction,
  kind: GroupKind,
  group: GroupRow,
  membersTo: number | null,
): Promise<number[]> {
  await trx.updateTable(kind).set({ parent_id: group.parent_id }).where('parent_id', '=', group.id).execute();
  const released = await moveMembers(trx, kind, membersTo, { from: group.id });
  await trx.deleteFrom(kind).where('id', '=', group.id).execute();
  return released;
}

/** Moves vehicles into a folder or drivers into a department: those with these IDs, or all members of one group. */
export async function moveMembers(
  trx: AccountTransaction,
  kind: GroupKind,
  to: number | null,
  which: { readonly ids: readonly number[] } | { readonly from: number },
): Promise<number[]> {
  const moved =
    kind === 'folder'
      ? await trx
          .updateTable('vehicle')
          .set({ folder_id: to })
          .$if('ids' in which, query => query.where('id', 'in', 'ids' in which ? which.ids : []))
          .$if('from' in which, query => query.where('folder_id', '=', 'from' in which ? which.from : 0))
          .returning('id')
          .execute()
      : await trx
          .updateTable('driver')
          .set({ department_id: to })
          .$if('ids' in which, query => query.where('id', 'in', 'ids' in which ? which.ids : []))
          .$if('from' in which, query => query.where('department_id', '=', 'from' in which ? which.from : 0))
          .returning('id')
          .execute();
  return moved.map(row => row.id);
}

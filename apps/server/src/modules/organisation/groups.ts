import type { AuditAction, newGroupSchema, ProblemCode } from '@milepost/contract';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import {
  deleteGroup,
  type GroupKind,
  type GroupRow,
  insertGroup,
  listGroups,
  lockGroups,
  MAX_LEVELS,
  moveMembers,
  updateGroup,
} from './group-store.ts';
import { heightOf, pathOf } from './tree.ts';

type Fields = z.output<typeof newGroupSchema>;

export interface Groups {
  /** The groups that the viewer sees, and the groups above them. The caller fills in the members. */
  list(viewer: Viewer, membersIn: ReadonlySet<number>): Promise<GroupRow[]>;
  create(by: By, fields: Fields): Promise<number>;
  update(by: By, id: number, change: Partial<Fields>): Promise<void>;
  /** Returns how many members are now without a group. */
  remove(by: By, id: number): Promise<number>;
  /** Moves members that the caller can see into a group; null for none. */
  assign(by: By, to: number | null, ids: readonly number[]): Promise<number>;
}

const PROBLEMS = {
  folder: 'folder-name-taken',
  department: 'department-name-taken',
} as const satisfies Record<GroupKind, ProblemCode>;
const UNIQUE_VIOLATION = '23505';

export function createGroups(kind: GroupKind, { db, feed }: Context, organisation: Organisation): Groups {
  const { visibility } = organisation;

  /** One transaction for each change, one change at a time. */
  const change = async <T>(
    { session, author }: By,
    action: 'created' | 'changed' | 'deleted' | 'assigned',
    work: (trx: Parameters<typeof audit>[0], groups: Map<number, GroupRow>) => Promise<Done<T>>,
  ): Promise<T> => {
    const done = await db
      .asAccount(session.accountId, async trx => {
        await lockGroups(trx, kind, session.accountId);
        const before = new Map((await listGroups(trx, kind)).map(group => [group.id, group]));
        const done = await work(trx, before);
        const record = { action: `${kind}.${action}` as AuditAction, target: done.target };
        await audit(trx, author, { ...record, ...(done.changes && { changes: done.changes }) });
        return done;
      })
      .catch((error: unknown) => {
        throw isNameTaken(error, kind) ? nameTaken(kind) : error;
      });
    await feed.settled();
    return done.answer;
  };

  const held = (groups: ReadonlyMap<number, GroupRow>, viewer: Viewer, id: number): GroupRow => {
    const group = groups.get(id);
    if (!group || !visibility.holds(kind, viewer, id)) throw new AppError('not-found');
    return group;
  };
  /** The new parent of a group: a group in the caller's scope, or the top if their scope is the whole account. */
  const newParent = (groups: ReadonlyMap<number, GroupRow>, viewer: Viewer, parentId: string | null): number | null => {
    if (parentId !== null) return held(groups, viewer, Number(parentId)).id;
    refuseTop(viewer, null);
    return null;
  };
  /** Refuses changes at the top level, or to groups above the caller's scope, for limited callers. */
  const refuseTop = (viewer: Viewer, parent: number | null): void => {
    if (!visibility.holds(kind, viewer, parent)) throw new AppError('out-of-scope');
  };

  return {
    list: async (viewer, membersIn) => {
      const all = await db.asAccount(viewer.accountId, trx => listGroups(trx, kind));
      if (visibility.seesAll(viewer)) return all;
      const byId = new Map(all.map(group => [group.id, group]));
      const seen = all.filter(({ id }) => membersIn.has(id) || visibility.holds(kind, viewer, id));
      const shown = new Set(seen.flatMap(({ id }) => pathOf(byId, id)));
      return all.filter(group => shown.has(group));
    },

    create: (by, { name, parentId = null }) =>
      change(by, 'created', async (trx, groups) => {
        const parent = newParent(groups, by.session, parentId);
        refuseTooDeep(pathOf(groups, parent).length + 1);
        const account_id = by.session.accountId;
        const created = await insertGroup(trx, kind, { account_id, name, parent_id: parent });
        return { target: created, answer: created.id };
      }),

    update: (by, id, { name, parentId }) =>
      change(by, 'changed', async (trx, groups) => {
        const before = held(groups, by.session, id);
        const isMoved =
          parentId !== undefined && parentId !== (before.parent_id === null ? null : String(before.parent_id));
        if (isMoved) refuseTop(by.session, before.parent_id);
        const columns = {
          ...(name !== undefined && { name }),
          ...(isMoved && { parent_id: newParent(groups, by.session, parentId) }),
        };
        if (columns.parent_id !== undefined) {
          const path = pathOf(groups, columns.parent_id);
          if (path.some(group => group.id === id)) throw new AppError('inside-itself');
          refuseTooDeep(path.length + heightOf(groups, id));
        }
        if (Object.keys(columns).length > 0) await updateGroup(trx, kind, id, columns);
        const after = { ...before, ...columns };
        const named = ({ name, parent_id }: GroupRow) => ({ name, parent: groups.get(parent_id ?? 0)?.name ?? null });
        return { target: after, changes: changesBetween(named(before), named(after)), answer: undefined };
      }),

    remove: (by, id) =>
      change(by, 'deleted', async (trx, groups) => {
        const group = held(groups, by.session, id);
        refuseTop(by.session, group.parent_id);
        // Without a group, a limited caller would no longer see them.
        const membersTo = visibility.seesAll(by.session) ? null : group.parent_id;
        const moved = await deleteGroup(trx, kind, group, membersTo);
        return { target: group, answer: membersTo === null ? moved.length : 0 };
      }),

    assign: (by, to, ids) =>
      change(by, 'assigned', async (trx, groups) => {
        const target = to === null ? null : held(groups, by.session, to);
        if (target === null) newParent(groups, by.session, null);
        const wanted = [...new Set(ids)];
        const moved = await moveMembers(trx, kind, to, { ids: wanted });
        if (moved.length < wanted.length) throw new AppError('not-found');
        const changes = [{ field: kind === 'folder' ? 'vehicles' : 'drivers', from: null, to: wanted.join(', ') }];
        return { target: target ?? { id: 'none', name: '' }, changes, answer: moved.length };
      }),
  };
}

interface Done<T> {
  readonly target: { readonly id: string | number; readonly name: string };
  readonly changes?: ReturnType<typeof changesBetween>;
  readonly answer: T;
}

function refuseTooDeep(levels: number): void {
  if (levels > MAX_LEVELS) throw new AppError('too-deep', { levels: MAX_LEVELS });
}

const isNameTaken = (error: unknown, kind: GroupKind): boolean =>
  error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === `${kind}_name`;

const nameTaken = (kind: GroupKind): AppError => fieldProblem('name', PROBLEMS[kind]);

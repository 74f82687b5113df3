import { randomUUID } from 'node:crypto';
import {
  type AssignedTask,
  type createTask,
  isOver,
  type RouteParsed,
  TASKS_MAX,
  type Task,
  type TaskEta,
  type TaskState,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { RosterDriver } from '../../fleet/roster.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { createDriverTasks, type DriverTasks } from './driver-tasks.ts';
import {
  completed,
  countOpen,
  findTask,
  findTaskNamed,
  stopsOf,
  type TaskRow,
  tasksBetween,
  toAssigned,
} from './store.ts';
import { assignment, type Change, type Columns, changed, columnsOf, said } from './task-columns.ts';

type NewFields = RouteParsed<typeof createTask>['body'];

/** What the desk does with tasks, and programs over the socket; drivers do the rest. */
export interface Tasks extends DriverTasks {
  list(viewer: Viewer, from: Date, to: Date): Promise<Task[]>;
  read(viewer: Viewer, id: number): Promise<Task>;
  create(by: By, fields: NewFields): Promise<Task>;
  update(by: By, id: number, change: Change): Promise<Task>;
  cancel(by: By, id: number, reason: string): Promise<Task>;
  remove(by: By, id: number): Promise<void>;
  /** A task as the socket carries it: made, replaced by a higher number, or known already [R7.36]. */
  assign(by: By, task: AssignedTask): Promise<AssignedTask>;
  /** A photo or the signature, as WebP: for its driver, and for everyone who sees the task. */
  proof(viewer: Viewer, id: number, part: string, seesTasks: boolean): Promise<Buffer>;
}

export function createTasks(
  context: Context,
  organisation: Organisation,
  etaOf: (taskId: number) => TaskEta | null = () => null,
): Tasks {
  const { db, signals } = context;
  const { directory, driving, roster, visibility } = organisation;
  const parts = { directory, etaOf };

  const driverOf = (accountId: number, id: number): RosterDriver | null => roster.driver(accountId, id);
  const sees = (viewer: Viewer, row: TaskRow): boolean => {
    if (visibility.seesAll(viewer)) return true;
    const driver = row.driver_id === null ? null : driverOf(viewer.accountId, row.driver_id);
    return driver === null ? row.created_by === viewer.userId : visibility.seesDriver(viewer, driver);
  };
  const holds = (viewer: Viewer, row: TaskRow): boolean => {
    if (visibility.seesAll(viewer)) return true;
    const driver = row.driver_id === null ? null : driverOf(viewer.accountId, row.driver_id);
    return driver === null || visibility.holdsDriver(viewer, driver);
  };
  const found = (viewer: Viewer, row: TaskRow | undefined): TaskRow => {
    if (!row || !sees(viewer, row)) throw new AppError('not-found');
    return row;
  };
  const held = (viewer: Viewer, row: TaskRow | undefined): TaskRow => {
    const task = found(viewer, row);
    if (!holds(viewer, task)) throw new AppError('out-of-scope');
    return task;
  };
  /** A driver that the viewer may give something to do; seeing them is enough, as for a call. */
  const given = (viewer: Viewer, id: string | null | undefined): number | null => {
    if (id === null || id === undefined) return null;
    const driver = driverOf(viewer.accountId, Number(id));
    if (!driver || !visibility.seesDriver(viewer, driver)) throw new AppError('not-found');
    return driver.id;
  };
  const vehicleFor = (viewer: Viewer, id: string | null | undefined, driverId: number | null): number | null => {
    if (id !== null && id !== undefined) return visibility.vehicle(viewer, Number(id)).id;
    const driver = driverId === null ? null : driverOf(viewer.accountId, driverId);
    return (driver && driving.vehicleOf(viewer.accountId, driver)?.id) ?? null;
  };
  const again = async (trx: AccountTransaction, id: number): Promise<TaskRow> => {
    const row = await findTask(trx, id);
    if (!row) throw new Error(`Task ${id} is gone within its own transaction`);
    return row;
  };
  const whole = async (trx: AccountTransaction, id: number): Promise<Task> => {
    const [task] = await completed(trx, parts, [await again(trx, id)]);
    if (!task) throw new Error(`Task ${id} is gone within its own transaction`);
    return task;
  };
  const note = (trx: AccountTransaction, { session }: By, id: number, state: TaskState, at = new Date()) =>
    trx
      .insertInto('task_step')
      .values({
        account_id: session.accountId,
        task_id: id,
        report_id: randomUUID(),
        state,
        at,
        done_by: 'desk',
        user_id: session.userId,
      })
      .execute();
  /** After the commit, so that the driver gets it at once. */
  const tell = (accountId: number, row: TaskRow): void => {
    if (row.driver_id === null) return;
    signals.emit('task-assigned', { accountId, driverId: row.driver_id, task: toAssigned(row, directory) });
  };

  const assigned = (by: By, driverId: number | null) =>
    driverId === null
      ? { state: 'open', assigned_by: null, assigned_at: null }
      : { state: 'assigned', assigned_by: by.session.userId, assigned_at: new Date() };

  const insert = async (trx: AccountTransaction, by: By, columns: Columns, taskId: string, seqNo: number) => {
    const { accountId, userId } = by.session;
    if ((await countOpen(trx)) >= TASKS_MAX) throw new AppError('too-many-tasks', { limit: TASKS_MAX });
    const { id } = await trx
      .insertInto('task')
      .values({
        account_id: accountId,
        created_by: userId,
        task_id: taskId,
        seq_no: seqNo,
        ...columns,
        ...assigned(by, columns.driver_id),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (columns.driver_id !== null) await note(trx, by, id, 'assigned');
    return again(trx, id);
  };

  return {
    ...createDriverTasks(context, organisation, parts, whole),

    list: (viewer, from, to) =>
      db.asAccount(viewer.accountId, async trx => {
        const rows = await tasksBetween(trx, from, to, TASKS_MAX * 2);
        return completed(
          trx,
          parts,
          rows.filter(row => sees(viewer, row)),
        );
      }),

    read: (viewer, id) =>
      db.asAccount(viewer.accountId, async trx => {
        found(viewer, await findTask(trx, id));
        return whole(trx, id);
      }),

    create: async (by, fields) => {
      const { session, author } = by;
      const driverId = given(session, fields.driverId);
      const columns: Columns = {
        ...columnsOf(fields),
        driver_id: driverId,
        vehicle_id: vehicleFor(session, fields.vehicleId, driverId),
      };
      const { row, task } = await db.asAccount(session.accountId, async trx => {
        const row = await insert(trx, by, columns, randomUUID(), 0);
        const target = { id: row.id, name: row.title };
        await audit(trx, author, { action: 'task.created', target, changes: changesBetween({}, said(row)) });
        return { row, task: await whole(trx, row.id) };
      });
      tell(session.accountId, row);
      return task;
    },

    update: async (by, id, change) => {
      const { session, author } = by;
      const { before, row, task } = await db.asAccount(session.accountId, async trx => {
        const before = held(session, await findTask(trx, id));
        if (isOver(before.state as TaskState) && before.state !== 'declined') throw new AppError('task-over');
        const isAssigned = change.driverId !== undefined;
        const driverId = isAssigned ? given(session, change.driverId) : before.driver_id;
        const vehicleId =
          isAssigned || change.vehicleId !== undefined
            ? vehicleFor(session, change.vehicleId, driverId)
            : before.vehicle_id;
        await trx
          .updateTable('task')
          .set({
            ...changed(change),
            changed_at: new Date(),
            seq_no: before.seq_no + 1,
            driver_id: driverId,
            vehicle_id: vehicleId,
            ...(isAssigned && { ...assigned(by, driverId), reason: null, over_at: null }),
          })
          .where('id', '=', id)
          .execute();
        if (isAssigned) await note(trx, by, id, driverId === null ? 'open' : 'assigned');
        const row = await again(trx, id);
        const changes = changesBetween(said(before), said(row));
        if (changes.length > 0 || isAssigned) {
          const isGiven = isAssigned && driverId !== null;
          await audit(
            trx,
            author,
            isGiven ? assignment(row) : { action: 'task.changed', target: { id, name: row.title }, changes },
          );
        }
        return { before, row, task: await whole(trx, id) };
      });
      // The previous driver gets the news that it is gone.
      if (before.driver_id !== null && before.driver_id !== row.driver_id) {
        tell(session.accountId, { ...row, driver_id: before.driver_id, state: 'cancelled' });
      }
      tell(session.accountId, row);
      return task;
    },

    cancel: async (by, id, reason) => {
      const { session, author } = by;
      const { row, task } = await db.asAccount(session.accountId, async trx => {
        const before = held(session, await findTask(trx, id));
        if (isOver(before.state as TaskState)) throw new AppError('task-over');
        const now = new Date();
        await trx
          .updateTable('task')
          .set({ state: 'cancelled', reason: reason || null, over_at: now, changed_at: now, seq_no: before.seq_no + 1 })
          .where('id', '=', id)
          .execute();
        await note(trx, by, id, 'cancelled', now);
        const changes = changesBetween({}, { reason: reason || null });
        await audit(trx, author, { action: 'task.cancelled', target: { id, name: before.title }, changes });
        return { row: await again(trx, id), task: await whole(trx, id) };
      });
      tell(session.accountId, row);
      return task;
    },

    remove: ({ session, author }, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = held(session, await findTask(trx, id));
        const state = row.state as TaskState;
        if (!isOver(state) && state !== 'open') throw new AppError('task-under-way');
        await trx.deleteFrom('task').where('id', '=', id).execute();
        await audit(trx, author, { action: 'task.deleted', target: { id, name: row.title } });
      }),

    assign: async (by, task) => {
      const { session, author } = by;
      const driverId = given(session, task.driverId);
      const { vehicleImei } = task;
      const vehicle = vehicleImei ? directory.findByImei(vehicleImei) : null;
      if (vehicleImei && !visibility.sees(session, vehicle)) throw new AppError('not-found');
      const columns: Columns = {
        ...columnsOf({ ...task, answerBy: task.expectAckBy, stops: stopsOf(task) }),
        driver_id: driverId,
        vehicle_id: vehicle?.id ?? vehicleFor(session, null, driverId),
      };
      const { row, isNew } = await db.asAccount(session.accountId, async trx => {
        const before = await findTaskNamed(trx, task.taskId);
        if (before) held(session, before);
        if (before && before.seq_no >= task.seqNo) return { row: before, isNew: false };
        if (before) {
          const anew = { ...assigned(by, driverId), reason: null, over_at: null, changed_at: new Date() };
          await trx
            .updateTable('task')
            .set({ ...columns, ...anew, seq_no: task.seqNo })
            .where('id', '=', before.id)
            .execute();
          await note(trx, by, before.id, 'assigned');
        }
        const row = before ? await again(trx, before.id) : await insert(trx, by, columns, task.taskId, task.seqNo);
        await audit(trx, author, assignment(row));
        return { row, isNew: true };
      });
      if (isNew) tell(session.accountId, row);
      return toAssigned(row, directory);
    },

    proof: (viewer, id, part, seesTasks) =>
      db.asAccount(viewer.accountId, async trx => {
        const row = await findTask(trx, id);
        const isOwn =
          row !== undefined &&
          row.driver_id !== null &&
          driverOf(viewer.accountId, row.driver_id)?.userId === viewer.userId;
        if (!row || !(isOwn || (seesTasks && sees(viewer, row)))) throw new AppError('not-found');
        const found = await trx
          .selectFrom('task_proof')
          .select('content')
          .where('task_id', '=', id)
          .where('kind', '=', part === 'signature' ? 'signature' : 'photo')
          .orderBy('written_at')
          .orderBy('proof_id')
          .offset(part === 'signature' ? 0 : Number(part))
          .limit(1)
          .executeTakeFirst();
        if (!found) throw new AppError('not-found');
        return found.content;
      }),
  };
}

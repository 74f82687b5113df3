import {
  type AssignedTask,
  type addTaskProof,
  isOver,
  type RouteParsed,
  type reportTask,
  STEPS_FROM,
  TASK_PHOTOS_MAX,
  type Task,
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
import { encodeImage } from '../images/encode.ts';
import { completed, findTask, type TaskRow, tasksOfDriver, toAssigned } from './store.ts';

type Report = RouteParsed<typeof reportTask>['body'];
type ProofFile = RouteParsed<typeof addTaskProof>['body'];

/** What is over leaves the driver's list after this. */
const SHOWN_AFTER_MS = 2 * 86_400_000;
/** A phone's clock may be ahead of ours by as much. */
const AHEAD_MS = 5 * 60_000;

/** What drivers do with the tasks that they have. */
export interface DriverTasks {
  /** A driver's own; throws `not-found` for anyone else. */
  mine(viewer: Viewer): Promise<Task[]>;
  report(by: By, id: number, report: Report): Promise<Task>;
  addProof(by: By, id: number, proof: ProofFile): Promise<Task>;
  /** What a driver has been given and has not answered, for a connection that comes back. */
  waitingFor(viewer: Viewer): Promise<AssignedTask[]>;
}

/** `whole` reads a task as it is answered. */
export function createDriverTasks(
  { db }: Pick<Context, 'db'>,
  { directory, roster }: Pick<Organisation, 'directory' | 'roster'>,
  parts: Parameters<typeof completed>[1],
  whole: (trx: AccountTransaction, id: number) => Promise<Task>,
): DriverTasks {
  const own = (viewer: Viewer): RosterDriver => {
    const driver = roster.driverOfUser(viewer.accountId, viewer.userId);
    if (!driver) throw new AppError('not-found');
    return driver;
  };
  const ownTask = async (trx: AccountTransaction, viewer: Viewer, id: number): Promise<TaskRow> => {
    const row = await findTask(trx, id);
    if (row?.driver_id !== own(viewer).id) throw new AppError('not-found');
    return row;
  };

  return {
    mine: viewer => {
      const { id } = own(viewer);
      return db.asAccount(viewer.accountId, async trx =>
        completed(trx, parts, await tasksOfDriver(trx, id, new Date(Date.now() - SHOWN_AFTER_MS))),
      );
    },

    report: async ({ session, author }, id, { reportId, step, at, reason, note: text, signedBy }) =>
      db.asAccount(session.accountId, async trx => {
        const row = await ownTask(trx, session, id);
        const known = await trx
          .selectFrom('task_step')
          .select('report_id')
          .where('task_id', '=', id)
          .where('report_id', '=', reportId)
          .executeTakeFirst();
        if (known) return whole(trx, id);
        const isOvertaken = !STEPS_FROM[row.state as TaskState].includes(step);
        if (isOvertaken && !(await isOvertakenByVehicle(trx, row, step))) throw new AppError('task-step');
        if (step === 'done') await refuseWithoutProof(trx, row, signedBy);
        const moment = new Date(Math.min(Date.parse(at), Date.now() + AHEAD_MS));
        await trx
          .insertInto('task_step')
          .values({
            account_id: session.accountId,
            task_id: id,
            report_id: reportId,
            state: step,
            at: moment,
            done_by: 'driver',
            user_id: session.userId,
          })
          .execute();
        await trx
          .updateTable('task')
          .set({
            state: isOvertaken ? row.state : step,
            changed_at: new Date(),
            over_at: isOver(step) ? new Date() : null,
            ...(reason && { reason }),
            ...(text && { note: text }),
            ...(signedBy && { signed_by: signedBy }),
          })
          .where('id', '=', id)
          .execute();
        const changes = changesBetween({ state: row.state }, { state: step });
        await audit(trx, author, { action: 'task.reported', target: { id, name: row.title }, changes });
        return whole(trx, id);
      }),

    addProof: async ({ session, author }, id, { proofId, kind, file, signedBy }) => {
      const content = await encodeImage(file, 'proof');
      return db.asAccount(session.accountId, async trx => {
        const row = await ownTask(trx, session, id);
        const proofs = await trx
          .selectFrom('task_proof')
          .select(['proof_id', 'kind'])
          .where('task_id', '=', id)
          .execute();
        if (proofs.some(proof => proof.proof_id === proofId)) return whole(trx, id);
        if (isOver(row.state as TaskState)) throw new AppError('task-over');
        if (kind === 'photo' && proofs.filter(proof => proof.kind === 'photo').length >= TASK_PHOTOS_MAX) {
          throw new AppError('too-many-photos', { limit: TASK_PHOTOS_MAX });
        }
        // A signature that was given again takes the place of the first.
        if (kind === 'signature') {
          await trx.deleteFrom('task_proof').where('task_id', '=', id).where('kind', '=', 'signature').execute();
        }
        await trx
          .insertInto('task_proof')
          .values({ account_id: session.accountId, task_id: id, proof_id: proofId, kind, content })
          .execute();
        if (kind === 'signature' && signedBy) {
          await trx.updateTable('task').set({ signed_by: signedBy }).where('id', '=', id).execute();
        }
        const changes = changesBetween({}, { kind });
        await audit(trx, author, { action: 'task.proof-added', target: { id, name: row.title }, changes });
        return whole(trx, id);
      });
    },

    waitingFor: async viewer => {
      const driver = roster.driverOfUser(viewer.accountId, viewer.userId);
      if (!driver) return [];
      return db.asAccount(viewer.accountId, async trx =>
        (await tasksOfDriver(trx, driver.id, new Date()))
          .filter(({ state }) => state === 'assigned' || state === 'seen')
          .map(row => toAssigned(row, directory)),
      );
    },
  };
}

/**
 * A phone without a network reports its way later than the vehicle, whose position has said that it arrived: such a step
 * is kept with its time, and the task stays as it is.
 */
async function isOvertakenByVehicle(trx: AccountTransaction, row: TaskRow, step: string): Promise<boolean> {
  if (row.state !== 'arrived' || (step !== 'enroute' && step !== 'arrived')) return false;
  const steps = await trx.selectFrom('task_step').select(['state', 'done_by']).where('task_id', '=', row.id).execute();
  const has = (state: string, by: string) => steps.some(one => one.state === state && one.done_by === by);
  return has('arrived', 'vehicle') && !has(step, 'driver');
}

async function refuseWithoutProof(trx: AccountTransaction, row: TaskRow, signedBy: string): Promise<void> {
  const kinds = (await trx.selectFrom('task_proof').select('kind').where('task_id', '=', row.id).execute()).map(
    ({ kind }) => kind,
  );
  const lacksSignature = row.needs_signature && !(kinds.includes('signature') && (signedBy || row.signed_by));
  if ((row.needs_photo && !kinds.includes('photo')) || lacksSignature) throw new AppError('task-proof-missing');
}

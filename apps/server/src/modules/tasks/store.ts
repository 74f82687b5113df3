import { type AssignedTask, isOver, type Task, type TaskEta, type TaskState, type TaskStop } from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Directory } from '../../fleet/directory.ts';

/** A task as stored, with the names of the people in it. */
export type TaskRow = Selectable<Database['task']> & {
  readonly driver_name: string | null;
  /** Of a vehicle that was deleted. */
  readonly former_imei: string | null;
  readonly former_name: string | null;
  readonly assigner: string | null;
};

type Step = Selectable<Database['task_step']> & { readonly name: string | null };
type Proof = Pick<Selectable<Database['task_proof']>, 'task_id' | 'kind'>;

const tasks = (trx: AccountTransaction) =>
  trx
    .selectFrom('task')
    .leftJoin('named_driver', join =>
      join.onRef('named_driver.account_id', '=', 'task.account_id').onRef('named_driver.id', '=', 'task.driver_id'),
    )
    .leftJoin('person', join =>
      join.onRef('person.account_id', '=', 'task.account_id').onRef('person.id', '=', 'task.assigned_by'),
    )
    .leftJoin('former_vehicle', join =>
      join
        .onRef('former_vehicle.account_id', '=', 'task.account_id')
        .onRef('former_vehicle.id', '=', 'task.vehicle_id'),
    )
    .selectAll('task')
    .select(['former_vehicle.imei as former_imei', 'former_vehicle.name as former_name'])
    .select(['named_driver.name as driver_name', 'person.display_name as assigner']);

export const findTask = (trx: AccountTransaction, id: number): Promise<TaskRow | undefined> =>
  tasks(trx).where('task.id', '=', id).forUpdate('task').executeTakeFirst();

export const findTaskNamed = (trx: AccountTransaction, taskId: string): Promise<TaskRow | undefined> =>
  tasks(trx).where('task.task_id', '=', taskId).forUpdate('task').executeTakeFirst();

/** What is not over, and what is due, was under way or ended between the two moments; by when it is due. */
export const tasksBetween = (trx: AccountTransaction, from: Date, to: Date, most: number): Promise<TaskRow[]> =>
  tasks(trx)
    .where(eb =>
      eb.or([
        eb('over_at', 'is', null),
        eb.and([eb('over_at', '>=', from), eb('over_at', '<', to)]),
        eb.and([eb('due_to', '>=', from), eb('due_to', '<', to)]),
        // It ended after midnight.
        eb.and([eb('over_at', '>=', from), eb('due_from', '<', to)]),
        eb.and([
          eb('over_at', '>=', from),
          eb.exists(
            eb
              .selectFrom('task_step')
              .select('task_step.at')
              .whereRef('task_step.task_id', '=', 'task.id')
              .where('task_step.state', '=', 'enroute')
              .where('task_step.at', '<', to),
          ),
        ]),
      ]),
    )
    .orderBy(sql`coalesce(task.due_to, task.due_from, task.created_at)`)
    .orderBy('task.id')
    .limit(most)
    .execute();

/** A driver's tasks: what is not over, and what ended since. */
export const tasksOfDriver = (trx: AccountTransaction, driverId: number, since: Date): Promise<TaskRow[]> =>
  tasks(trx)
    .where('task.driver_id', '=', driverId)
    .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>=', since)]))
    .orderBy(sql`coalesce(task.due_to, task.due_from, task.created_at)`)
    .orderBy('task.id')
    .execute();

export async function countOpen(trx: AccountTransaction): Promise<number> {
  const { count } = await trx
    .selectFrom('task')
    .select(trx.fn.countAll<string>().as('count'))
    .where('over_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface TaskParts {
  readonly directory: Directory;
  /** When the driver will be there; null if not known. */
  readonly etaOf: (taskId: number) => TaskEta | null;
}

/** The tasks with their steps and what proves them. */
export async function completed(
  trx: AccountTransaction,
  { directory, etaOf }: TaskParts,
  rows: readonly TaskRow[],
): Promise<Task[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const ofThese = sql<boolean>`task_id = any (${ids}::int4[])`;
  const steps = await trx
    .selectFrom('task_step')
    .leftJoin('person', join =>
      join.onRef('person.account_id', '=', 'task_step.account_id').onRef('person.id', '=', 'task_step.user_id'),
    )
    .selectAll('task_step')
    .select('person.display_name as name')
    .where(ofThese)
    .orderBy('task_step.at')
    .orderBy('task_step.written_at')
    .execute();
  const proofs = await trx.selectFrom('task_proof').select(['task_id', 'kind']).where(ofThese).execute();
  const stepsOf = Map.groupBy(steps, step => step.task_id);
  const proofsOf = Map.groupBy(proofs, proof => proof.task_id);
  return rows.map(row => toTask(row, stepsOf.get(row.id) ?? [], proofsOf.get(row.id) ?? [], directory, etaOf(row.id)));
}

function toTask(
  row: TaskRow,
  steps: readonly Step[],
  proofs: readonly Proof[],
  directory: Directory,
  eta: TaskEta | null,
): Task {
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
  const hasSignature = proofs.some(({ kind }) => kind === 'signature');
  const photos = proofs.filter(({ kind }) => kind === 'photo').length;
  const hasProof = proofs.length > 0 || row.note !== null || row.signed_by !== null;
  return {
    id: String(row.id),
    taskId: row.task_id,
    seqNo: row.seq_no,
    title: row.title,
    ref: row.ref,
    priority: row.priority as Task['priority'],
    notes: row.notes,
    dueFrom: iso(row.due_from),
    dueTo: iso(row.due_to),
    stops: [...row.stops],
    needsPhoto: row.needs_photo,
    needsSignature: row.needs_signature,
    state: row.state as TaskState,
    reason: row.reason,
    driver: row.driver_id === null ? null : { id: String(row.driver_id), name: row.driver_name ?? '' },
    vehicle: vehicleOf(row, directory),
    assignedBy: row.assigner,
    assignedAt: iso(row.assigned_at),
    answerBy: iso(row.answer_by),
    steps: steps.map(({ state, at, done_by, name }) => ({
      state: state as TaskState,
      at: at.toISOString(),
      by: done_by,
      name,
    })),
    proof: hasProof ? { note: row.note ?? '', signedBy: row.signed_by, hasSignature, photos } : null,
    eta: isOver(row.state as TaskState) ? null : eta,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  };
}

function vehicleOf({ former_imei, former_name, vehicle_id }: TaskRow, directory: Directory): Task['vehicle'] {
  if (vehicle_id === null) return null;
  const { imei = former_imei, name = former_name } = directory.findById(vehicle_id) ?? {};
  return imei === null || name === null ? null : { id: String(vehicle_id), imei, deviceName: name };
}

/** The task as the socket carries it [R7.36]. */
export function toAssigned(row: TaskRow, directory: Directory): AssignedTask {
  const vehicle = row.vehicle_id === null ? null : directory.findById(row.vehicle_id);
  return {
    v: 1,
    taskId: row.task_id,
    seqNo: row.seq_no,
    ref: row.ref,
    title: row.title,
    priority: row.priority as Task['priority'],
    driverId: String(row.driver_id),
    vehicleImei: vehicle?.imei ?? null,
    ...(row.assigned_by !== null && { assignedBy: row.assigned_by }),
    ...(row.assigned_at !== null && { assignedAt: row.assigned_at.toISOString() }),
    dueFrom: row.due_from?.toISOString() ?? null,
    dueTo: row.due_to?.toISOString() ?? null,
    stops: row.stops.map((stop, i) => ({ ...stop, seq: i + 1 })),
    status: row.state === 'open' ? 'assigned' : (row.state as AssignedTask['status']),
    reason: row.reason,
    expectAckBy: row.answer_by?.toISOString() ?? null,
  };
}

/** The stops of a socket's payload, in their order. */
export const stopsOf = ({ stops }: AssignedTask): TaskStop[] =>
  stops.toSorted((a, b) => a.seq - b.seq).map(({ seq: _seq, ...stop }) => stop);

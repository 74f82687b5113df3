import {
  type Command,
  type CommandAction,
  type CommandMode,
  commandKind,
  type TrackerProtocol,
} from '@milepost/contract';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import { NODE_RUNS } from '../../db/leader.ts';
import type { Database } from '../../db/schema.ts';
import type { Session } from '../../http/session.ts';
import type { CommandRecord, Step } from './record.ts';
import { isOpen, OPEN_STATES } from './transitions.ts';

type Row = Database['command'];

/**
 * Where several nodes take commands in: of each vehicle, one at a time, how many are open and when this one was last
 * asked for.
 */
export async function readAsked(
  trx: AccountTransaction,
  vehicleId: number,
  action: CommandAction,
): Promise<{ readonly open: number; readonly lastAt: number | null }> {
  await sql`select pg_advisory_xact_lock(${ASKING}, ${vehicleId})`.execute(trx);
  const { last, open } = await trx
    .selectFrom('command')
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere('state', 'in', OPEN_STATES).as('open'),
      fn.max('created_at').filterWhere('action', '=', action).as('last'),
    ])
    .where('vehicle_id', '=', vehicleId)
    .executeTakeFirstOrThrow();
  return { open: Number(open), lastAt: last?.getTime() ?? null };
}

/** The first number of the two that name the lock; the second is the vehicle. */
const ASKING = 0x6d_69_6c_69;

/** `grantHash` for control commands, and for them alone. */
export async function insertCommand(
  trx: AccountTransaction,
  record: CommandRecord,
  grantHash: Buffer | null,
): Promise<void> {
  const row: Insertable<Row> = {
    ...columnsOf(record),
    id: record.id,
    account_id: record.accountId,
    vehicle_id: record.vehicleId,
    imei: record.imei,
    action: record.action,
    category: commandKind(record.action).category,
    params: JSON.stringify(record.params),
    mode: record.mode,
    reason: record.reason,
    created_at: new Date(record.createdAt),
    created_by: record.createdBy,
    created_by_name: record.createdByName,
    grant_hash: grantHash,
    needs_second: record.needsSecond,
  };
  await trx.insertInto('command').values(row).execute();
}

/** Writes what a step has changed. False if the command is no longer as it was: deleted, or changed by another writer. */
export async function writeStep(
  trx: AccountTransaction,
  before: CommandRecord,
  after: CommandRecord,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('command')
    .set(columnsOf(after))
    .where('id', '=', before.id)
    .where('state', '=', before.state)
    .where('sent', '=', before.sent)
    .where(sql<number>`jsonb_array_length(steps)`, '=', before.steps.length)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Makes a command the second person's too, by their own grant, in the transaction of the step that says so. */
export async function writeSecond(
  trx: AccountTransaction,
  id: string,
  { userId, userName }: Pick<Session, 'userId' | 'userName'>,
  grantHash: Buffer,
): Promise<void> {
  await trx
    .updateTable('command')
    .set({ second_by: userId, second_by_name: userName, second_grant_hash: grantHash })
    .where('id', '=', id)
    .where('state', '=', 'awaiting-second')
    .execute();
}

const columnsOf = (record: CommandRecord) => ({
  state: record.state,
  waiting_for: record.waitingFor,
  expires_at: new Date(record.expiresAt),
  effect: record.effect,
  sent: record.sent,
  published_at: record.publishedAt === null ? null : new Date(record.publishedAt),
  protocol: record.protocol,
  reference: record.reference,
  text: record.text,
  answer: record.answer,
  steps: JSON.stringify(record.steps),
  secrets: record.secrets === null || !isOpen(record.state) ? null : JSON.stringify(record.secrets),
});

/** All that are not at their end, or of which an effect is awaited: what a start takes up again. */
export async function readOpen(system: Kysely<Database>): Promise<CommandRecord[]> {
  const rows = await system
    .selectFrom('command')
    .selectAll()
    .where(({ eb, or }) => or([eb('state', 'in', OPEN_STATES), eb('effect', '=', 'awaited')]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toRecord);
}

/** Of one vehicle: those that a queue has. */
export async function readOfVehicle(
  system: Kysely<Database>,
  vehicleId: number,
  answeredSince: number,
): Promise<CommandRecord[]> {
  const rows = await system
    .selectFrom('command')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .where(({ eb, or }) =>
      or([
        eb('state', 'in', OPEN_STATES),
        eb('effect', '=', 'awaited'),
        eb('published_at', '>', new Date(answeredSince)),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toRecord);
}

/** Commands that have something to come, by vehicle: how many steps each has taken. Without IDs, of all vehicles whose
 * commands no other running node has. */
export async function readUnfinished(
  system: Kysely<Database>,
  node: string,
  vehicleIds: readonly number[] | null,
): Promise<ReadonlyMap<number, readonly { readonly id: string; readonly steps: number }[]>> {
  const rows = await system
    .selectFrom('command')
    .select(['vehicle_id', 'id', sql<number>`jsonb_array_length(steps)`.as('steps')])
    .where(({ eb, or }) => or([eb('state', 'in', OPEN_STATES), eb('effect', '=', 'awaited')]))
    .$if(vehicleIds !== null, query =>
      query.where(({ eb, fn, val }) => eb('vehicle_id', '=', fn.any(val(vehicleIds ?? [])))),
    )
    .$if(vehicleIds === null, query =>
      query.where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('tracker_way')
              .innerJoin('node', 'node.id', 'tracker_way.node')
              .select('node.id')
              .whereRef('tracker_way.vehicle_id', '=', 'command.vehicle_id')
              .where('node.id', '<>', node)
              .where(NODE_RUNS),
          ),
        ),
      ),
    )
    .execute();
  return Map.groupBy(rows, row => row.vehicle_id);
}

export interface ListFilter {
  /** Of one user's run. */
  readonly run: { readonly id: string; readonly userId: string } | null;
  /** Null: those of every vehicle. */
  readonly vehicleIds: readonly number[] | null;
  readonly openOnly: boolean;
  readonly state: Command['state'] | null;
  readonly limit: number;
  readonly before: string | null;
  /** Created by then. */
  readonly at: Date | null;
}

/** Newest first. */
export async function listRecords(trx: AccountTransaction, filter: ListFilter): Promise<CommandRecord[]> {
  const { at, before, limit, openOnly, run, state, vehicleIds } = filter;
  const rows = await trx
    .selectFrom('command')
    .selectAll()
    .$if(vehicleIds !== null, query =>
      query.where(({ eb, fn, val }) => eb('vehicle_id', '=', fn.any(val(vehicleIds ?? [])))),
    )
    .$if(openOnly, query => query.where('state', 'in', OPEN_STATES))
    .$if(state !== null, query => query.where('state', '=', state))
    .$if(run !== null, query =>
      query.where('id', 'in', ({ selectFrom }) =>
        selectFrom('command_run_vehicle')
          .innerJoin('job', 'job.id', 'command_run_vehicle.job_id')
          .select('command_id')
          .where('job_id', '=', run?.id ?? '')
          .where('job.user_id', '=', run?.userId ?? ''),
      ),
    )
    .$if(at !== null, query => query.where('created_at', '<=', at ?? new Date()))
    .$if(before !== null, query =>
      query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('created_at', 'id'),
          '<',
          selectFrom('command as earlier')
            .select(['earlier.created_at', 'earlier.id'])
            .where('earlier.id', '=', before ?? '')
            .$asTuple('created_at', 'id'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

export async function findRecord(trx: AccountTransaction, id: string): Promise<CommandRecord | null> {
  const row = await trx.selectFrom('command').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toRecord(row) : null;
}

/** What was written by us is what the types say. */
function toRecord(row: Selectable<Row>): CommandRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    vehicleId: row.vehicle_id,
    imei: row.imei,
    action: row.action as CommandAction,
    params: row.params as Command['params'],
    secrets: row.secrets as Command['params'] | null,
    mode: row.mode as CommandMode | null,
    reason: row.reason,
    state: row.state as Command['state'],
    waitingFor: row.waiting_for as Command['waitingFor'],
    effect: row.effect as Command['effect'],
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    needsSecond: row.needs_second,
    secondBy: row.second_by,
    secondByName: row.second_by_name,
    sent: row.sent,
    publishedAt: row.published_at?.getTime() ?? null,
    protocol: row.protocol as TrackerProtocol | null,
    reference: row.reference,
    text: row.text,
    answer: row.answer,
    steps: row.steps as Step[],
  };
}

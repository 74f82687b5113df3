import {
  type CommandAction,
  type CommandMode,
  type CommandRun,
  type CommandRunResults,
  commandKind,
  type createCommandRun,
  may,
  type Problem,
  type RouteParsed,
} from '@milepost/contract';
import { sql } from 'kysely';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { problemOf } from '../../http/problem.ts';
import type { Session } from '../../http/session.ts';
import { JobProblem, type JobRun } from '../../jobs/one-off.ts';
import { loadSession } from '../accounts/load-session.ts';
import type { Author } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { type Grants, purposeOf } from './grants.ts';
import { PERMISSION_OF } from './senders.ts';
import type { Commands, NewCommandFields } from './service.ts';
import { modeOf } from './words.ts';

type NewRun = RouteParsed<typeof createCommandRun>['body'];

/** A command for several vehicles: the server sends them one after the other, whatever becomes of the page. */
export interface CommandRuns {
  /** Throws what stands against all of them: a wrong password counts as one try. */
  start(by: By, wanted: NewRun): Promise<CommandRun>;
  /** One's own. */
  list(session: Session): Promise<CommandRun[]>;
  read(session: Session, id: string): Promise<CommandRunResults>;
  cancel(session: Session, id: string): Promise<CommandRun>;
}

interface RunParts extends Pick<DispatcherParts, 'directory' | 'visibility'> {
  readonly commands: Pick<Commands, 'ask' | 'preview'>;
  readonly grants: Pick<Grants, 'confirm' | 'give'>;
}

/** What the run needs until it ends; `params` may hold secrets. */
interface Work {
  readonly sessionId: string;
  readonly author: Author;
  readonly wanted: Pick<NewCommandFields, 'action' | 'params' | 'mode' | 'reason'>;
  /** When the control password that was confirmed was set; null where none is needed. */
  readonly passwordSetAt: string | null;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

const KIND = 'command-run';
const LISTED = 20;
/** Nobody expects an engine to stop because a server came back hours later. */
const CONFIRMED_FOR_MS = 15 * 60_000;
/** Said of one vehicle, true for all that are left. */
const CONCERN_ALL: ReadonlySet<string> = new Set(['not-allowed', 'read-only', 'invalid-input', 'grant-needed']);

export function createCommandRuns(context: Context, parts: RunParts): CommandRuns {
  const { db, jobs, log } = context;
  const { commands, directory, grants, visibility } = parts;

  const passwordSetAt = async (accountId: number): Promise<string | null> => {
    const row = await db.asAccount(accountId, trx =>
      trx.selectFrom('control_password').select('set_at').executeTakeFirst(),
    );
    return row?.set_at.toISOString() ?? null;
  };

  /** The session as it is now: a run ends with it, with the control password that was confirmed, and in time. */
  const stillConfirmed = async ({ accountId }: JobRun, work: Work): Promise<Session> => {
    const session = await loadSession(db.system, { id: work.sessionId });
    if (!session) throw new AppError('session-ended');
    if (work.passwordSetAt === null) return session;
    const isOver = Date.now() > work.startedAt + CONFIRMED_FOR_MS;
    if (isOver || work.passwordSetAt !== (await passwordSetAt(accountId))) throw new AppError('grant-refused');
    return session;
  };

  const sendOne = async (run: JobRun, work: Work, vehicleId: number, commandId: string): Promise<void> => {
    const { author, wanted } = work;
    const sent = await db.asAccount(run.accountId, trx =>
      trx.selectFrom('command').select('id').where('id', '=', commandId).executeTakeFirst(),
    );
    // By a server that was killed before it could say so.
    if (sent) return;
    const session = await stillConfirmed(run, work).catch((error: unknown) => {
      throw error instanceof AppError ? concerningAll(error) : error;
    });
    const vehicle = directory.findById(vehicleId);
    if (!vehicle || !visibility.sees(session, vehicle)) throw new AppError('not-found');
    const by = { session, author };
    const grant =
      work.passwordSetAt === null
        ? undefined
        : await grants.give(by, { vehicle, action: wanted.action, mode: modeOf(wanted), commandId: null });
    await commands.ask(by, { ...wanted, imei: vehicle.imei, ...(grant && { grant }) }, commandId);
  };

  /** Answers why not; null when it was sent. */
  const tried = async (send: () => Promise<void>): Promise<Problem | null> => {
    try {
      await send();
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (CONCERN_ALL.has(error.code)) throw concerningAll(error);
      return problemOf(error);
    }
  };

  const perform = async (run: JobRun): Promise<void> => {
    const work = run.work as Work;
    const rows = await db.asAccount(run.accountId, trx =>
      trx
        .selectFrom('command_run_vehicle')
        .select(['place', 'vehicle_id', 'command_id', 'state'])
        .where('job_id', '=', run.id)
        .orderBy('place')
        .execute(),
    );
    let done = rows.filter(({ state }) => state !== 'waiting').length;
    for (const { place, vehicle_id, command_id, state } of rows) {
      if (run.signal.aborted) break;
      if (state !== 'waiting') continue;
      const problem = await tried(() => sendOne(run, work, vehicle_id, command_id));
      await db.asAccount(run.accountId, trx =>
        trx
          .updateTable('command_run_vehicle')
          .set({ state: problem ? 'refused' : 'sent', problem: problem && JSON.stringify(problem) })
          .where('job_id', '=', run.id)
          .where('place', '=', place)
          .execute(),
      );
      await run.progress(++done);
    }
  };
  jobs.oneOffs.define({ kind: KIND, run: perform });

  /** Checks what can be checked before the first leaves. */
  const judged = async (by: By, { imeis, controlPassword, ...wanted }: NewRun) => {
    const { session } = by;
    const { action } = wanted;
    const { category } = commandKind(action);
    if (!may(session, PERMISSION_OF[category])) throw new AppError('not-allowed');
    const vehicles = [...new Set(imeis)].map((imei): DirectoryEntry => {
      const vehicle = directory.findByImei(imei);
      if (!vehicle || !visibility.sees(session, vehicle)) throw new AppError('not-found');
      return vehicle;
    });
    const mode = modeOf(wanted);
    refuseWrongParameters(session, vehicles, wanted);
    const [first] = vehicles;
    if (category !== 'control' || !first) return { vehicles, wanted, mode, passwordSetAt: null };
    if (!wanted.reason) throw invalidField('reason', 'reason');
    if (!controlPassword) throw new AppError('grant-needed');
    // Before the password is looked at: one that is set meanwhile ends the run.
    const setAt = await passwordSetAt(session.accountId);
    await grants.confirm(by, purposeOf({ vehicle: first, action, mode, commandId: null }), controlPassword);
    return { vehicles, wanted, mode, passwordSetAt: setAt };
  };

  const refuseWrongParameters = (
    session: Session,
    vehicles: readonly DirectoryEntry[],
    { action, params, mode }: Omit<NewRun, 'imeis' | 'controlPassword'>,
  ): void => {
    for (const { imei } of vehicles) {
      try {
        commands.preview(session, { imei, action, ...(params && { params }), ...(mode && { mode }) });
        return;
      } catch (error) {
        // A vehicle whose tracker doesn't have it gets that answer in its turn.
        if (!(error instanceof AppError) || error.code !== 'command-not-offered') throw error;
      }
    }
  };

  const rowOf = async (session: Session, id: string): Promise<RunRow> => {
    const row = await db.asAccount(session.accountId, trx =>
      selectRuns(trx).where('id', '=', id).where('user_id', '=', session.userId).executeTakeFirst(),
    );
    if (!row) throw new AppError('not-found');
    return row;
  };

  return {
    start: async (by, body) => {
      const { session, author } = by;
      const { vehicles, wanted, mode, passwordSetAt: setAt } = await judged(by, body);
      const { sessionId } = session;
      const work: Work = { sessionId, author, wanted, passwordSetAt: setAt, startedAt: Date.now() };
      const { accountId, userId } = session;
      const id = await db.asAccount(accountId, async trx => {
        const about = { action: wanted.action, mode } satisfies About;
        const made = await jobs.oneOffs.add(trx, {
          accountId,
          userId,
          kind: KIND,
          about,
          work,
          total: vehicles.length,
        });
        await sql`
          insert into command_run_vehicle (account_id, job_id, place, vehicle_id)
          select ${accountId}, ${made}, place, id
          from unnest(${vehicles.map(vehicle => vehicle.id)}::integer[]) with ordinality as listed (id, place)
        `.execute(trx);
        return made;
      });
      log.info({ run: id, vehicles: vehicles.length, action: wanted.action }, 'Sending a command to several vehicles');
      await jobs.oneOffs.begin(id);
      return toRun(await rowOf(session, id));
    },

    list: async session =>
      (
        await db.asAccount(session.accountId, trx =>
          selectRuns(trx).where('user_id', '=', session.userId).orderBy('created_at', 'desc').limit(LISTED).execute(),
        )
      ).map(toRun),

    read: async (session, id) => {
      const row = await rowOf(session, id);
      const results = await db.asAccount(session.accountId, trx =>
        trx
          .selectFrom('command_run_vehicle')
          .select(['vehicle_id', 'command_id', 'state', 'problem'])
          .where('job_id', '=', id)
          .orderBy('place')
          .execute(),
      );
      return {
        ...toRun(row),
        vehicles: results.flatMap(({ vehicle_id, command_id, state, problem }) => {
          const vehicle = directory.findById(vehicle_id);
          if (!vehicle || !visibility.sees(session, vehicle)) return [];
          return [
            {
              deviceId: String(vehicle.id),
              imei: vehicle.imei,
              deviceName: vehicle.name,
              commandId: state === 'sent' ? command_id : null,
              problem: problem as Problem | null,
            },
          ];
        }),
      };
    },

    cancel: async (session, id) => {
      await rowOf(session, id);
      if (!(await jobs.oneOffs.cancel(session.accountId, id))) throw new AppError('command-gone');
      return toRun(await rowOf(session, id));
    },
  };
}

interface About {
  readonly action: CommandAction;
  readonly mode: CommandMode | null;
}

const selectRuns = (trx: Parameters<Parameters<Context['db']['asAccount']>[1]>[0]) =>
  trx
    .selectFrom('job')
    .select(['id', 'state', 'about', 'done', 'total', 'problem', 'created_at', 'ended_at'])
    .where('kind', '=', KIND);
type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>;

function toRun({ id, state, about, done, total, problem, created_at, ended_at }: RunRow): CommandRun {
  const { action, mode } = about as About;
  return {
    id,
    action,
    mode,
    state,
    done,
    total,
    problem: problem as Problem | null,
    createdAt: created_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
  };
}

const concerningAll = (error: AppError): JobProblem => new JobProblem(problemOf(error));

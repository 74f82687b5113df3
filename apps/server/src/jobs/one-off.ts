import { englishText, PROBLEMS, type Problem } from '@milepost/contract';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { AccountTransaction, Databases } from '../db/database.ts';

/** Work that a user starts and that goes on without them. */
export interface OneOffJob {
  /** In kebab case, and kept: the database knows the job by it. */
  readonly kind: string;
  /**
   * Safe to run again: a server that is killed in the middle has another try. Throws `JobProblem` for what another try
   * can't mend; anything else is tried again.
   */
  readonly run: (run: JobRun) => Promise<void>;
}

export interface JobRun {
  readonly id: string;
  readonly accountId: number;
  readonly userId: string;
  /** As given to `add`. */
  readonly work: unknown;
  /** As given to `add`, or to `next` since. */
  readonly about: unknown;
  /** Aborted when a user cancels the job (reason `CANCELLED`) or this server stops: begin nothing new, and return. */
  readonly signal: AbortSignal;
  /** How much of `total` is done. Written a few times a second at most. */
  progress(done: number): Promise<void>;
  /** Goes on to another part of the work, of which this much is to be done; a later try finds it in `about`. */
  next(about: object, total: number): Promise<void>;
  /**
   * What came of it, in the transaction of the work where it has one: from here on the job is done, even if it is
   * cancelled or killed. False: a user has cancelled it; undo the work.
   */
  finish(result: object, trx?: AccountTransaction): Promise<boolean>;
}

export interface NewJob {
  readonly accountId: number;
  readonly userId: string;
  readonly kind: string;
  /** For users who may see the job. */
  readonly about: object;
  /** For the runner only; gone when the job ends. */
  readonly work: object;
  readonly total: number;
  /** How long what came of it can be looked up, if longer than of most. */
  readonly keptDays?: number;
}

/** Why a job fails for good, in the words of the contract. */
export class JobProblem extends Error {
  override name = 'JobProblem';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

export interface OneOffs {
  /** Before the runner starts. */
  define(job: OneOffJob): void;
  /** In the transaction of whatever belongs to it; `begin` after its commit. */
  add(trx: AccountTransaction, job: NewJob): Promise<string>;
  /** Without it the job begins within a minute. */
  begin(id: string): Promise<void>;
  /** When each that failed is tried again. */
  retries(ids: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** Makes one that waits to be tried again due. */
  runNow(id: string): Promise<void>;
  /** False where it has ended already. A job that runs ends where it next looks. */
  cancel(accountId: number, id: string): Promise<boolean>;
}

export interface OneOffRunner extends OneOffs {
  open(boss: PgBoss): Promise<void>;
  /** Puts what nobody has queued into the queue, and ends what was given up. */
  takeUp(): Promise<void>;
  forget(): Promise<void>;
  stop(): void;
}

const ONE_OFF = 'one-off';
export const CANCELLED = 'cancelled';
const AT_ONCE = 2;
const LONGEST_RUN_SECONDS = 6 * 3600;
const TRIES = 10;
const RETRY_SECONDS = 5;
const RETRY_AT_MOST_SECONDS = 300;
const PROGRESS_EVERY_MS = 500;
/** How long what came of a job can be looked up. */
const KEPT_DAYS = 7;

interface Row {
  readonly id: string;
  readonly account_id: number;
  readonly user_id: string;
  readonly kind: string;
  readonly work: unknown;
  readonly about: unknown;
  readonly cancel_asked: boolean;
  /** Of a try that was killed once its work was done. */
  readonly result: unknown;
}

export function createOneOffs(
  { pool, system }: Pick<Databases, 'pool' | 'system'>,
  log: Logger,
  pace: { readonly lookEverySeconds: number; readonly heartbeatSeconds: number },
): OneOffRunner {
  const kinds = new Map<string, OneOffJob>();
  const running = new Map<string, AbortController>();
  let boss: PgBoss | null = null;
  let workers: readonly string[] = [];
  let isStopped = false;

  const claim = async (id: string): Promise<Row | undefined> => {
    const { rows } = await pool.query<Row>(
      `update job set state = 'running', started_at = coalesce(started_at, now())
        where id = $1 and state in ('waiting', 'running') returning id, account_id, user_id, kind, work, about, cancel_asked, result`,
      [id],
    );
    return rows[0];
  };

  const end = async (id: string, state: 'done' | 'failed' | 'cancelled', problem: Problem | null = null) => {
    await pool.query(
      `update job set work = '{}', ended_at = now(),
          state = case when result is null then $2 else 'done' end,
          problem = case when result is null then $3::jsonb end,
          done = case when result is not null or $2 = 'done' then total else done end
        where id = $1 and state in ('waiting', 'running')`,
      [id, state, problem && JSON.stringify(problem)],
    );
  };

  /** Answers whether a user has cancelled it. */
  const write = async (id: string, done: number): Promise<boolean> => {
    const { rows } = await pool.query<{ cancel_asked: boolean }>(
      'update job set done = $2 where id = $1 returning cancel_asked',
      [id, done],
    );
    // A job without a row went with its user or account.
    return rows[0]?.cancel_asked ?? true;
  };

  const perform = async (row: Row, controller: AbortController): Promise<'done' | 'cancelled'> => {
    let wasCancelled = row.cancel_asked;
    let writtenAt = 0;
    let last = 0;
    let isFinished = row.result !== null;
    const look = async (): Promise<void> => {
      if (!(await write(row.id, last))) return;
      wasCancelled = true;
      controller.abort(CANCELLED);
    };
    const run: JobRun = {
      id: row.id,
      accountId: row.account_id,
      userId: row.user_id,
      work: row.work,
      about: row.about,
      signal: controller.signal,
      progress: async done => {
        last = done;
        if (Date.now() - writtenAt < PROGRESS_EVERY_MS) return;
        writtenAt = Date.now();
        await look();
      },
      next: async (about, total) => {
        last = 0;
        await pool.query('update job set about = $2, total = $3 where id = $1', [row.id, JSON.stringify(about), total]);
        writtenAt = Date.now();
        await look();
      },
      finish: async (result, trx = system) => {
        const kept = await trx
          .updateTable('job')
          .set({ result: JSON.stringify(result) })
          .where('id', '=', row.id)
          .where('cancel_asked', '=', false)
          .returning('id')
          .executeTakeFirst();
        isFinished = kept !== undefined;
        return isFinished;
      },
    };
    if (isFinished) return 'done';
    if (wasCancelled) return 'cancelled';
    const job = kinds.get(row.kind);
    if (!job) throw new Error(`No job is called ${row.kind}`);
    await job.run(run);
    if (isFinished || !controller.signal.aborted) return 'done';
    await look();
    if (!wasCancelled) throw new Error('The server stopped');
    return 'cancelled';
  };

  const runOne = async (id: string, isLastTry: boolean): Promise<void> => {
    const row = await claim(id);
    if (!row) return;
    const controller = new AbortController();
    if (isStopped) controller.abort();
    running.set(id, controller);
    try {
      await end(id, await perform(row, controller));
    } catch (error) {
      if (error instanceof JobProblem) return await end(id, 'failed', error.problem);
      if (!isStopped) log.error({ err: error, job: row.kind, id }, 'Could not finish a job');
      if (isLastTry) await end(id, 'failed', UNEXPECTED);
      throw error;
    } finally {
      running.delete(id);
    }
  };

  const send = async (id: string): Promise<void> => {
    // With its own id: who comes second adds none.
    await boss?.send(ONE_OFF, { id }, { id, heartbeatSeconds: pace.heartbeatSeconds });
    for (const worker of workers) boss?.notifyWorker(worker);
  };

  const runNow = async (id: string): Promise<void> => {
    if (!boss) return;
    await pool.query(`update jobs.job set start_after = now() where name = $1 and id = $2 and state = 'retry'`, [
      ONE_OFF,
      id,
    ]);
    for (const worker of workers) boss.notifyWorker(worker);
  };

  return {
    define: job => {
      if (kinds.has(job.kind)) throw new Error(`There are two jobs called ${job.kind}`);
      kinds.set(job.kind, job);
    },
    add: async (trx, { accountId, userId, kind, about, work, total, keptDays = null }) => {
      const { id } = await trx
        .insertInto('job')
        .values({
          account_id: accountId,
          user_id: userId,
          kind,
          about: JSON.stringify(about),
          work: JSON.stringify(work),
          total,
          kept_days: keptDays,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    begin: id =>
      send(id).catch((error: unknown) => log.warn({ err: error, id }, 'Could not queue a job; it begins later')),
    retries: async ids => {
      if (!boss || ids.length === 0) return new Map();
      const { rows } = await pool.query<{ id: string; start_after: Date }>(
        `select id, start_after from jobs.job where name = $1 and state = 'retry' and id = any($2)`,
        [ONE_OFF, ids],
      );
      return new Map(rows.map(({ id, start_after }) => [id, start_after]));
    },
    runNow,
    cancel: async (accountId, id) => {
      const { rowCount } = await pool.query(
        `update job set cancel_asked = true,
          state = case when state = 'waiting' then 'cancelled' else state end,
          work = case when state = 'waiting' then '{}' else work end,
          ended_at = case when state = 'waiting' then now() end
        where account_id = $1 and id = $2 and state in ('waiting', 'running')`,
        [accountId, id],
      );
      running.get(id)?.abort(CANCELLED);
      // One that waits to be tried again ends by that try.
      if (rowCount === 1) await runNow(id);
      return rowCount === 1;
    },
    open: async opening => {
      await opening.createQueue(ONE_OFF, {
        retryLimit: TRIES - 1,
        retryDelay: RETRY_SECONDS,
        retryBackoff: true,
        retryDelayMax: RETRY_AT_MOST_SECONDS,
        expireInSeconds: LONGEST_RUN_SECONDS,
        deleteAfterSeconds: KEPT_DAYS * 86_400,
      });
      boss = opening;
      // Each a worker of its own: of several in one, only the first can be woken.
      workers = await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          opening.work<{ id: string }>(ONE_OFF, { pollingIntervalSeconds: pace.lookEverySeconds }, async ([job]) => {
            if (job) await runOne(job.data.id, job.retryCount >= TRIES - 1);
          }),
        ),
      );
    },
    takeUp: async () => {
      const { rows } = await pool.query<{ id: string; state: string | null }>(
        `select job.id, queued.state::text as state
          from job left join jobs.job queued on queued.name = $1 and queued.id = job.id
          where job.state in ('waiting', 'running') and (queued.id is null or queued.state in ('failed', 'cancelled'))`,
        [ONE_OFF],
      );
      for (const { id, state } of rows) {
        // Every try ended with its server.
        if (state !== null) await end(id, 'failed', UNEXPECTED);
        else await send(id);
      }
    },
    forget: async () => {
      await pool.query(`delete from job where ended_at < now() - coalesce(kept_days, $1) * interval '1 day'`, [
        KEPT_DAYS,
      ]);
    },
    stop: () => {
      isStopped = true;
      for (const controller of running.values()) controller.abort();
    },
  };
}

const UNEXPECTED: Problem = {
  type: '/problems/internal',
  title: englishText(PROBLEMS.internal.title, {}),
  status: PROBLEMS.internal.status,
  code: 'internal',
};

import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Databases } from '../db/database.ts';
import { ALONE, type Leader } from '../db/leader.ts';
import { createOneOffs, type OneOffs } from './one-off.ts';

/** Recurring work, on the server that leads. */
export interface RepeatedJob {
  /** In kebab case, and kept: the database knows the job by it. */
  readonly name: string;
  /** From the end of one run to the beginning of the next, and from a failure to the next try. */
  readonly everySeconds: number;
  /** Safe to run again: a server that is killed in the middle has another try. What it throws is logged and kept. */
  readonly run: () => Promise<unknown>;
}

export interface RepeatedJobState {
  readonly name: string;
  readonly everySeconds: number;
  readonly state: 'waiting' | 'running' | 'failed';
  readonly nextAt: Date | null;
  readonly startedAt: Date | null;
  readonly last: LastRun | null;
  readonly failure: string | null;
}

/** Carried by the run that waits: pg-boss forgets the ones that ended. */
interface LastRun {
  readonly endedAt: string;
  readonly tookMs: number;
}

/** What a run that waits carries. */
interface Waiting {
  readonly name: string;
  readonly last?: LastRun;
}

/** docs/architecture.md, "Jobs". */
export interface Jobs {
  /** Before `start`. */
  repeat(job: RepeatedJob): void;
  /** Every recurring job of this server, and how it is. */
  list(): Promise<RepeatedJobState[]>;
  /** Makes one that waits due. False: there is none of that name. */
  runNow(name: string): Promise<boolean>;
  /** Work that a user starts. */
  readonly oneOffs: OneOffs;
  /** Takes up jobs in the background. */
  start(): void;
  /** Lets runs that began end. */
  stop(): Promise<void>;
}

export interface JobsPace {
  /** How late a job that is due may begin. */
  readonly lookEverySeconds: number;
  /** How often runs that a killed server left behind are looked for. */
  readonly superviseEverySeconds: number;
  /** A run without a heartbeat for this long is retried. */
  readonly heartbeatSeconds: number;
}

const PACE: JobsPace = { lookEverySeconds: 10, superviseEverySeconds: 60, heartbeatSeconds: 60 };
const JOB_SCHEMA = 'jobs';
export const REPEATED = 'repeated';
const RETRY_START_MS = 5000;
/** How often a server asks whether it leads. */
const LEAD_LOOK_MS = 5000;
/** Runs at the same time; each costs a query every `lookEverySeconds`. */
const AT_ONCE = 2;
const LONGEST_RUN_SECONDS = 6 * 3600;
/** A job that has had its run is of no interest any more. */
const KEPT_SECONDS = 3600;
/** Above any number of failures in a row: a repeated job doesn't give up. */
const RETRIES = 1_000_000_000;
const STOP_WITHIN_MS = 8000;

export function createJobs(
  { pool, system }: Pick<Databases, 'pool' | 'system'>,
  log: Logger,
  pace: JobsPace = PACE,
  leader: Pick<Leader, 'leads'> = ALONE,
): Jobs {
  const repeated = new Map<string, RepeatedJob>();
  const oneOffs = createOneOffs({ pool, system }, log, pace);
  let boss: PgBoss | null = null;
  let starting: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let isStopped = false;

  const sendNext = async (
    to: PgBoss,
    { name, everySeconds }: Omit<RepeatedJob, 'run'>,
    last?: LastRun,
  ): Promise<void> => {
    // There is one that waits, at most: who comes second adds none.
    await to.send(
      REPEATED,
      { name, ...(last && { last }) },
      {
        singletonKey: name,
        startAfter: everySeconds,
        retryDelay: everySeconds,
        heartbeatSeconds: pace.heartbeatSeconds,
      },
    );
  };

  const runOne = async (by: PgBoss, { last, name }: Waiting): Promise<void> => {
    const job = repeated.get(name);
    // Of another version.
    if (!job) return;
    // Taken by a server that has hung since and leads no more: the one that does is to have it.
    if (!(await leader.leads())) return sendNext(by, { name, everySeconds: 0 }, last);
    const began = performance.now();
    try {
      await job.run();
    } catch (error) {
      log.error({ err: error, job: name }, `Could not finish a job; retrying in ${job.everySeconds} s`);
      throw error;
    }
    const tookMs = Math.round(performance.now() - began);
    await sendNext(by, job, { endedAt: new Date().toISOString(), tookMs });
  };

  const open = async (): Promise<void> => {
    const opening = openBoss(pool, pace);
    boss = opening;
    opening.on('error', error => {
      if (!isStopped) log.warn({ err: error }, 'Could not look for jobs; retrying');
    });
    await opening.start();
    await opening.createQueue(REPEATED, {
      policy: 'stately',
      retryLimit: RETRIES,
      expireInSeconds: LONGEST_RUN_SECONDS,
      deleteAfterSeconds: KEPT_SECONDS,
    });
    for (const job of repeated.values()) await sendNext(opening, job);
    if (isStopped) return;
    lookAgain(opening, await takeRepeated(opening, false));
    await oneOffs.open(opening);
    // What was asked for before the runner was there.
    await oneOffs.takeUp();
  };

  /** Recurring work remembers from one run to the next, so of several servers the one that leads does all of it. */
  const takeRepeated = async (by: PgBoss, isTaking: boolean): Promise<boolean> => {
    const leads = await leader.leads();
    if (isStopped || leads === isTaking) return isTaking;
    if (!leads) {
      await by.offWork(REPEATED, { wait: false });
      return false;
    }
    await by.work<Waiting>(
      REPEATED,
      { pollingIntervalSeconds: pace.lookEverySeconds, localConcurrency: AT_ONCE },
      async ([job]) => {
        if (job) await runOne(by, job.data);
      },
    );
    return true;
  };
  const lookAgain = (by: PgBoss, isTaking: boolean): void => {
    if (isStopped || leader === ALONE) return;
    looking = setTimeout(async () => {
      const next = await takeRepeated(by, isTaking).catch((error: unknown) => {
        log.warn({ err: error }, 'Could not take up recurring jobs; retrying');
        return isTaking;
      });
      lookAgain(by, next);
    }, LEAD_LOOK_MS).unref();
  };

  const start = (): void => {
    if (isStopped) return;
    starting = open().catch(async (error: unknown) => {
      await boss?.stop({ graceful: false }).catch(() => {});
      if (isStopped) return;
      log.warn({ err: error }, 'Could not start the job runner; retrying');
      retry = setTimeout(start, RETRY_START_MS).unref();
    });
  };

  const repeat: Jobs['repeat'] = job => {
    if (repeated.has(job.name)) throw new Error(`There are two jobs called ${job.name}`);
    repeated.set(job.name, job);
  };
  repeat({ name: 'lost-jobs', everySeconds: pace.superviseEverySeconds, run: () => oneOffs.takeUp() });
  repeat({ name: 'old-jobs', everySeconds: 3600, run: () => oneOffs.forget() });

  return {
    repeat,
    list: async () => {
      const known = await readRepeated(pool);
      return [...repeated.values()].map(({ name, everySeconds }) => ({
        name,
        everySeconds,
        ...(known.get(name) ?? NEVER),
      }));
    },
    runNow: async name => {
      if (!repeated.has(name)) return false;
      if (!(await isPrepared(pool))) return true;
      await pool.query(
        `update ${JOB_SCHEMA}.job set start_after = now()
          where name = $1 and singleton_key = $2 and state in ('created', 'retry') and start_after > now()`,
        [REPEATED, name],
      );
      return true;
    },
    oneOffs,
    start,
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      clearTimeout(looking);
      oneOffs.stop();
      await starting;
      await boss?.stop({ graceful: true, timeout: STOP_WITHIN_MS });
    },
  };
}

/** The tables of jobs, made or brought up to date: `start` does so too, which takes longer on a new database. */
export async function prepareJobs(databases: Pick<Databases, 'pool'>): Promise<void> {
  const boss = openBoss(databases.pool, PACE);
  boss.on('error', () => {});
  await boss.start();
  await boss.stop({ graceful: false });
}

/** Which jobs failed when they ran last; null when none did. Why is in the log: `/health` answers anyone. */
export async function readJobTrouble({ pool }: Pick<Databases, 'pool'>): Promise<string | null> {
  if (!(await isPrepared(pool))) return 'The job runner is starting.';
  const { rows } = await pool.query<{ job: string }>(
    `select singleton_key as job from ${JOB_SCHEMA}.job
      where name = $1 and state = 'retry' order by singleton_key`,
    [REPEATED],
  );
  if (rows.length === 0) return null;
  return `Jobs that failed and will be tried again: ${rows.map(({ job }) => job).join(', ')}. The log says why.`;
}

/** False on a new database, until the runner has made its tables. */
async function isPrepared(pool: Databases['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(`select to_regclass('${JOB_SCHEMA}.job') is not null as found`);
  return rows[0]?.found ?? false;
}

type Known = Omit<RepeatedJobState, 'name' | 'everySeconds'>;
const NEVER: Known = { state: 'waiting', nextAt: null, startedAt: null, last: null, failure: null };

async function readRepeated(pool: Databases['pool']): Promise<ReadonlyMap<string, Known>> {
  if (!(await isPrepared(pool))) return new Map();
  const { rows } = await pool.query<{
    job: string;
    state: 'created' | 'retry' | 'active';
    start_after: Date;
    started_on: Date | null;
    last: LastRun | null;
    failure: string | null;
  }>(
    // While one runs, nothing is said of the one that may wait behind it.
    `select distinct on (singleton_key) singleton_key as job, state::text, start_after, started_on,
        data->'last' as last, output->>'message' as failure
      from ${JOB_SCHEMA}.job where name = $1 and state in ('created', 'retry', 'active')
      order by singleton_key, state = 'active' desc, state = 'retry' desc`,
    [REPEATED],
  );
  return new Map(
    rows.map(({ job, state, start_after, started_on, last, failure }) => [
      job,
      {
        state: ({ created: 'waiting', retry: 'failed', active: 'running' } as const)[state],
        nextAt: state === 'active' ? null : start_after,
        startedAt: state === 'active' ? started_on : null,
        last,
        failure: state === 'created' ? null : failure,
      },
    ]),
  );
}

/** Over the server's own connections: a runner needs none of its own. */
const openBoss = (pool: Databases['pool'], pace: JobsPace): PgBoss =>
  new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: JOB_SCHEMA,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: pace.superviseEverySeconds,
    monitorIntervalSeconds: pace.superviseEverySeconds,
    queueCacheIntervalSeconds: 3600,
    maintenanceIntervalSeconds: 3600,
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
  });

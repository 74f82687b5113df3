import type { ChangeKind } from '@milepost/contract';
import type { Logger } from 'pino';
import type { Databases } from '../db/database.ts';

/** One committed change to an account's data. */
export interface Change {
  /**
   * Increases with each commit, across all accounts. Data read after this change was announced is at least this new.
   */
  readonly number: number;
  readonly accountId: number;
  readonly kind: ChangeKind;
  readonly id: string;
  readonly how: 'made' | 'changed' | 'gone';
  /** The vehicle, driver or user that decides who is notified. */
  readonly vehicleId: number | null;
  readonly driverId: number | null;
  readonly userId: string | null;
}

/**
 * When a follower gets a batch: `memory` updates the data in memory (other stages wait for it), `before` runs before
 * that, `after` runs after it.
 */
export type Stage = 'before' | 'memory' | 'after';
export type Follower = (changes: readonly Change[]) => void | Promise<void>;

/** The changes an account has missed; null if there are too many, or they are too old: refetch everything. */
export type Missed = readonly Change[] | null;

/** Every committed change to accounts' data, in the order of commits. See docs/architecture.md, "The change feed". */
export interface ChangeFeed {
  /**
   * Opens the feed: from now on no change is missed. Call it before filling any memory from the database; repeated
   * calls do nothing.
   */
  open(): Promise<void>;
  follow(stage: Stage, follower: Follower): () => void;
  /** Resolves when all changes committed until now have been followed and are in memory. */
  settled(): Promise<void>;
  /** The number of the last change followed. */
  readonly number: number;
  /** An account's changes after `since`, up to and including `until`. */
  missed(accountId: number, since: number, until: number): Promise<Missed>;
  /**
   * The first `limit` of an account's changes after `since`, up to and including `until`; null if they are too old to be
   * known.
   */
  page(accountId: number, since: number, until: number, limit: number): Promise<readonly Change[] | null>;
  /** Starts checking for changes regularly. */
  start(): void;
  stop(): Promise<void>;
}

/** How long a commit can go unnoticed if nothing waits for it, in ms. */
const LOOK_EVERY_MS = 100;
/** The delay after a failure, in ms. */
const RETRY_MS = 1000;
const AT_ONCE = 5000;
/** Above this, it is cheaper for the browser to refetch everything. */
const MISSED_AT_MOST = 1000;
/** A browser that was offline longer refetches everything. */
const KEPT_HOURS = 48;

const STAGES = ['before', 'memory', 'after'] as const satisfies readonly Stage[];

export function createChangeFeed({ pool }: Pick<Databases, 'pool'>, log: Logger): ChangeFeed {
  const followers = { before: new Set<Follower>(), memory: new Set<Follower>(), after: new Set<Follower>() };
  let last: number | null = null;
  let opening: Promise<void> | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let looking: NodeJS.Timeout | null = null;
  let isStopped = false;

  /** Numbers the committed changes and reads them, in one round trip. */
  const read = async (): Promise<readonly Change[]> => {
    const answers = (await pool.query(
      `select number_changes(); ${COLUMNS} where number > ${Number(last)} order by number limit ${AT_ONCE}`,
    )) as unknown as readonly { readonly rows: readonly ChangeRow[] }[];
    return answers[1]?.rows.map(toChange) ?? [];
  };

  const tell = async (stage: Stage, changes: readonly Change[]): Promise<void> => {
    const told = [...followers[stage]].map(async follower => follower(changes));
    for (const outcome of await Promise.allSettled(told)) {
      // One follower's failure does not affect the others.
      if (outcome.status === 'rejected') log.error({ err: outcome.reason, stage }, 'Could not process a change');
    }
  };

  const pass = async (): Promise<void> => {
    await feed.open();
    for (;;) {
      const changes = await read();
      if (changes.length === 0) return;
      for (const stage of STAGES) await tell(stage, changes);
      last = changes.at(-1)?.number ?? last;
      if (changes.length < AT_ONCE) return;
    }
  };

  const lookAgain = (delayMs: number): void => {
    if (isStopped) return;
    looking = setTimeout(() => {
      feed.settled().then(
        () => lookAgain(LOOK_EVERY_MS),
        (error: unknown) => {
          if (!isStopped) log.warn({ err: error }, 'Could not read changes; retrying');
          lookAgain(RETRY_MS);
        },
      );
    }, delayMs).unref();
  };

  const feed: ChangeFeed = {
    open: () => {
      opening ??= (async () => {
        await numberAll(pool);
        last = await newest(pool);
      })().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      return opening;
    },
    follow: (stage, follower) => {
      followers[stage].add(follower);
      return () => void followers[stage].delete(follower);
    },
    settled: () => {
      if (!running) {
        running = pass().finally(() => {
          running = null;
        });
        return running;
      }
      // A pass in progress may have looked too early, so the next one looks again for everyone who asked meanwhile.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = null;
          return feed.settled();
        });
      return next;
    },
    get number() {
      return last ?? 0;
    },
    missed: async (accountId, since, until) => {
      const changes = await feed.page(accountId, since, until, MISSED_AT_MOST + 1);
      return changes && changes.length <= MISSED_AT_MOST ? changes : null;
    },
    page: async (accountId, since, until, limit) => {
      if (since > until) return null;
      const { rows } = await pool.query<ChangeRow>(
        `${COLUMNS} where account_id = $1 and number > $2 and number <= $3 order by number limit $4`,
        [accountId, since, until, limit],
      );
      const oldest = await pool.query<{ number: string | null }>('select min(number) as number from change');
      // Some of the later changes may have been deleted.
      const isKnown = since === until || since >= Number(oldest.rows[0]?.number ?? Number.POSITIVE_INFINITY) - 1;
      return isKnown ? rows.map(toChange) : null;
    },
    start: () => {
      lookAgain(LOOK_EVERY_MS);
    },
    stop: async () => {
      isStopped = true;
      if (looking) clearTimeout(looking);
      await Promise.allSettled([running, next]);
    },
  };
  return feed;
}

/** Deletes old changes but keeps the newest one, which shows that older ones are gone. */
export async function forgetOldChanges({ pool }: Pick<Databases, 'pool'>, hours = KEPT_HOURS): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from change where at < now() - $1 * interval '1 hour' and number < (select max(number) from change)`,
    [hours],
  );
  return rowCount ?? 0;
}

/**
 * Numbers changes written earlier, in as many steps as needed: at a first start, or after an import while the server
 * was down.
 */
async function numberAll(pool: Databases['pool']): Promise<void> {
  for (;;) {
    await pool.query('select number_changes()');
    const { rowCount } = await pool.query('select from change where number is null limit 1');
    if (rowCount === 0) return;
  }
}

async function newest(pool: Databases['pool']): Promise<number> {
  const { rows } = await pool.query<{ number: string | null }>('select max(number) as number from change');
  return Number(rows[0]?.number ?? 0);
}

const COLUMNS = 'select number, account_id, kind, thing, how, vehicle_id, driver_id, user_id from change';

interface ChangeRow {
  readonly number: string;
  readonly account_id: number;
  readonly kind: ChangeKind;
  readonly thing: string;
  readonly how: Change['how'];
  readonly vehicle_id: number | null;
  readonly driver_id: number | null;
  readonly user_id: string | null;
}

const toChange = (row: ChangeRow): Change => ({
  number: Number(row.number),
  accountId: row.account_id,
  kind: row.kind,
  id: row.thing,
  how: row.how,
  vehicleId: row.vehicle_id,
  driverId: row.driver_id,
  userId: row.user_id,
});

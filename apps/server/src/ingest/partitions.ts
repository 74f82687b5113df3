import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';

/** A month in UTC, counted from January of year 0. */
type Month = number;

/** Keeps `position` in monthly partitions: those around now made ahead, others when the first position asks for them. */
export interface PartitionManager {
  /** Makes the months that these positions need. Never fails: what has no month goes to the default partition. */
  cover(rows: readonly { readonly position: { readonly fixAt: number } }[]): Promise<void>;
  stop(): void;
}

const MONTHS_BEFORE = 1;
const MONTHS_AHEAD = 2;
/** Older fixes stay in the default partition, so that a tracker with a wrong clock can't make a partition a message. */
const OLDEST_ON_DEMAND = 24;
const LOOK_AHEAD_EVERY_MS = 6 * 3_600_000;
/** After a failure the default partition serves this long before the next try. */
const RETRY_AFTER_MS = 60_000;
/** Any number that is ours: two servers don't make the same month at once. */
const LOCK = 0x6d_69_6c_66;

export const monthOf = (timeMs: number): Month => {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
export const startOf = (month: Month): string => new Date(Date.UTC(Math.floor(month / 12), month % 12)).toISOString();
export const partitionName = (month: Month): string =>
  `position_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`;

export async function keepPartitions(pool: Pool, log: Logger, now: () => number = Date.now): Promise<PartitionManager> {
  const made = await existingMonths(pool);
  const postponed = new Map<Month, number>();
  let making: Promise<void> = Promise.resolve();

  const make = async (months: readonly Month[]): Promise<void> => {
    for (const month of months) {
      if (made.has(month) || now() < (postponed.get(month) ?? 0)) continue;
      try {
        await createMonth(pool, month);
        made.add(month);
        log.info({ partition: partitionName(month) }, 'Created a partition for a month of positions');
      } catch (error) {
        postponed.set(month, now() + RETRY_AFTER_MS);
        log.warn(
          { err: error, partition: partitionName(month) },
          'Could not create a partition; using the default one',
        );
      }
    }
  };
  /** One after the other, so that two batches that need the same month make it once. */
  const makeInTurn = (months: readonly Month[]): Promise<void> => {
    making = making.then(() => make(months));
    return making;
  };
  const lookAhead = (): Promise<void> => {
    const current = monthOf(now());
    const count = MONTHS_BEFORE + 1 + MONTHS_AHEAD;
    return makeInTurn(Array.from({ length: count }, (_, index) => current - MONTHS_BEFORE + index));
  };

  await lookAhead();
  const timer = setInterval(lookAhead, LOOK_AHEAD_EVERY_MS);
  timer.unref();

  return {
    cover: async rows => {
      const missing = new Set<Month>();
      for (const { position } of rows) {
        const month = monthOf(position.fixAt);
        if (!made.has(month)) missing.add(month);
      }
      if (missing.size === 0) return;
      const current = monthOf(now());
      const wanted = [...missing].filter(
        month => month >= current - OLDEST_ON_DEMAND && month <= current + MONTHS_AHEAD,
      );
      if (wanted.length > 0) await makeInTurn(wanted.sort((a, b) => a - b));
    },
    stop: () => clearInterval(timer),
  };
}

async function existingMonths(pool: Pool): Promise<Set<Month>> {
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'position'::regclass`,
  );
  const months = new Set<Month>();
  for (const { name } of rows) {
    const [, year, month] = /^position_(\d{4})_(\d{2})$/.exec(name) ?? [];
    if (year && month) months.add(Number(year) * 12 + Number(month) - 1);
  }
  return months;
}

/**
 * Made beside `position`, filled with what the default partition holds of that month, then attached: attaching checks
 * that the default partition keeps no row of it, so nothing may be added in between.
 */
async function createMonth(pool: Pool, month: Month): Promise<void> {
  const name = partitionName(month);
  const [from, to] = [startOf(month), startOf(month + 1)];
  await inTransaction(pool, async client => {
    // Behind a long reader of the default partition every writer to it would wait too.
    await client.query(`set local lock_timeout = '3s'`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    // Another server may have been quicker.
    const { rowCount } = await client.query('select from pg_inherits where inhrelid = to_regclass($1)', [name]);
    if (rowCount) return;
    await client.query(`create table ${name} (like position including all)`);
    await client.query('lock table position_other in access exclusive mode');
    await client.query(
      `with moved as (delete from position_other where fix_at >= '${from}' and fix_at < '${to}' returning *)
       insert into ${name} select * from moved`,
    );
    await client.query(`alter table position attach partition ${name} for values from ('${from}') to ('${to}')`);
  });
}

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
    client.release();
  } catch (error) {
    // Closing the connection rolls back, also when it is the connection that failed.
    client.release(true);
    throw error;
  }
}

import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from './in-transaction.ts';

/** A month in UTC, counted from January of year 0. */
type Month = number;

/** Keeps `position` in monthly partitions: those around now are created ahead, others with their first position. */
export interface PartitionManager {
  /** Creates the months that these positions need. Never fails: the rest goes to the default partition. */
  cover(rows: readonly { readonly position: { readonly fixAt: number } }[]): Promise<void>;
  stop(): void;
}

const MONTHS_BEFORE = 1;
const MONTHS_AHEAD = 2;
/** Older fixes stay in the default partition, so a tracker with a wrong clock can't create a partition per message. */
const OLDEST_ON_DEMAND = 24;
const LOOK_AHEAD_EVERY_MS = 6 * 3_600_000;
/** After a failure, positions go to the default partition this long before the next try. */
const RETRY_AFTER_MS = 60_000;
/** Our own lock number, so that two servers don't create the same month at once. */
const LOCK = 0x6d_69_6c_66;

const monthOf = (timeMs: number): Month => {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
const startOf = (month: Month): string => new Date(Date.UTC(Math.floor(month / 12), month % 12)).toISOString();
const partitionName = (month: Month): string =>
  `position_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`;

export async function keepPartitions(pool: Pool, log: Logger, now: () => number = Date.now): Promise<PartitionManager> {
  let made = await existingMonths(pool);
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
  /** One at a time, so that two batches that need the same month create it once. */
  const makeInTurn = (months: readonly Month[]): Promise<void> => {
    making = making.then(() => make(months));
    return making;
  };
  const lookAhead = async (): Promise<void> => {
    // Empty months have been dropped meanwhile.
    made = await existingMonths(pool);
    const current = monthOf(now());
    const count = MONTHS_BEFORE + 1 + MONTHS_AHEAD;
    return makeInTurn(Array.from({ length: count }, (_, index) => current - MONTHS_BEFORE + index));
  };

  await lookAhead();
  const timer = setInterval(
    () => lookAhead().catch(error => log.warn({ err: error }, 'Could not look for partitions; using those known')),
    LOOK_AHEAD_EVERY_MS,
  );
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
 * that the default partition keeps no row of it, so nothing may be added in between. Nor may a row be on its way: one
 * that had chosen the default partition before and waits for it is put there afterward, where no query of that month
 * looks.
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
    // Writers are let finish, others wait. In the order in which writers take these locks, too.
    await client.query('lock table only position in share row exclusive mode');
    await client.query('lock table position_other in access exclusive mode');
    await client.query(
      `with moved as (delete from position_other where fix_at >= '${from}' and fix_at < '${to}' returning *)
       insert into ${name} select * from moved`,
    );
    await client.query(`alter table position attach partition ${name} for values from ('${from}') to ('${to}')`);
  });
}

/** Drops the months that end before a moment: what is dropped as a whole costs nothing. */
export async function dropMonthsBefore(pool: Pool, log: Logger, beforeMs: number): Promise<void> {
  // The month of the moment itself still holds what is kept.
  for (const month of await existingMonths(pool)) {
    if (month >= monthOf(beforeMs)) continue;
    const partition = partitionName(month);
    await inTransaction(pool, async client => {
      // Behind a long reader every writer would wait, too.
      await client.query(`set local lock_timeout = '3s'`);
      await client.query(`drop table ${partition}`);
    });
    log.info({ partition }, 'Dropped a month of positions past every retention limit');
  }
}

/** Drops the months that end before a moment and hold nothing any more, because all their days are sealed. */
export async function dropEmptyMonths(pool: Pool, log: Logger, beforeMs: number, nowMs: number): Promise<void> {
  for (const month of await existingMonths(pool)) {
    // Those that are made ahead stay.
    if (month >= Math.min(monthOf(beforeMs), monthOf(nowMs) - MONTHS_BEFORE)) continue;
    const partition = partitionName(month);
    if (!(await isEmpty(pool, partition))) continue;
    const isDropped = await inTransaction(pool, async client => {
      await client.query(`set local lock_timeout = '3s'`);
      // Until it is locked, a late position may come.
      await client.query('lock table only position, only position_other in access exclusive mode');
      await client.query(`lock table ${partition} in access exclusive mode`);
      if (!(await isEmpty(client, partition))) return false;
      await client.query(`drop table ${partition}`);
      return true;
    });
    if (isDropped) log.info({ partition }, 'Dropped a month of positions whose days are all packed');
  }
}

async function isEmpty(db: Pick<Pool, 'query'>, partition: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from ${partition} limit 1`);
  return rowCount === 0;
}

import { settingsSchema } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { LiveStates } from '../../ingest/live.ts';
import { monthOf, partitionName } from '../../ingest/partitions.ts';
import { audit, systemAuthor } from '../audit/audit.ts';
import { dropRoadsBefore, firstDayKept } from '../roads/store.ts';

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;

export interface Kept {
  readonly accountId: number;
  readonly days: number;
}

/** Deletes for good what accounts no longer want to keep, every hour. Answers how to stop. */
export function keepRetention(context: Context, live: LiveStates): () => void {
  const look = (): void => {
    dropOldPositions(context, live).catch((error: unknown) =>
      context.log.error({ err: error }, 'Could not delete old positions; retrying within the hour'),
    );
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Deletes every account's positions that are older than it keeps them, and the last known place with them. Where all
 * accounts keep less than a month goes back, the month goes as a whole: that costs nothing. Answers what was deleted
 * row by row, by account.
 */
export async function dropOldPositions(
  context: Pick<Context, 'db' | 'log'>,
  live: LiveStates,
  nowMs = Date.now(),
): Promise<ReadonlyMap<number, number>> {
  const { db, log } = context;
  const kept = await readKept(db);
  const accounts = await db.system.selectFrom('account').select('id').execute();
  if (accounts.length > 0 && accounts.every(({ id }) => kept.some(({ accountId }) => accountId === id))) {
    const longest = Math.max(...kept.map(({ days }) => days));
    await dropMonthsBefore(context, nowMs - longest * DAY_MS);
  }

  const deleted = new Map<number, number>();
  for (const { accountId, days } of kept) {
    const before = new Date(nowMs - days * DAY_MS);
    let rows = 0;
    const vehicles = await db.system.selectFrom('vehicle').select('id').where('account_id', '=', accountId).execute();
    // A vehicle at a time, along the primary key: nothing waits for long.
    for (const { id } of vehicles) {
      const { numDeletedRows } = await db.system
        .deleteFrom('position')
        .where('vehicle_id', '=', id)
        .where('fix_at', '<', before)
        .executeTakeFirstOrThrow();
      rows += Number(numDeletedRows);
      const newest = live.of(id)?.newest;
      if (newest && newest.fixAt < before.getTime()) {
        await db.system.deleteFrom('vehicle_state').where('vehicle_id', '=', id).execute();
        live.delete(accountId, id);
      }
    }
    // They say where vehicles were, too.
    await db.system.deleteFrom('alert').where('account_id', '=', accountId).where('updated_at', '<', before).execute();
    // Figures rest on positions: of what is deleted nobody says anything.
    await db.system
      .deleteFrom('vehicle_day')
      .where('account_id', '=', accountId)
      .where('from_at', '<', before)
      .execute();
    await dropRoadsBefore(db.system, accountId, firstDayKept(days, nowMs));
    deleted.set(accountId, rows);
    if (rows === 0) continue;
    log.info({ accountId, rows, before }, 'Deleted positions past their retention limit');
    await db.asAccount(accountId, trx =>
      audit(trx, systemAuthor(accountId), {
        action: 'positions.dropped',
        changes: [{ field: 'positions', from: rows, to: 0 }],
      }),
    );
  }
  return deleted;
}

async function readKept(db: Context['db']): Promise<Kept[]> {
  const rows = await db.system
    .selectFrom('account_setting')
    .select(['account_id', 'value'])
    .where('name', '=', 'keepPositionsDays')
    .execute();
  return rows.flatMap(({ account_id: accountId, value }) => {
    const days = settingsSchema.shape.keepPositionsDays.safeParse(value).data ?? null;
    return days === null ? [] : { accountId, days };
  });
}

async function dropMonthsBefore({ db, log }: Pick<Context, 'db' | 'log'>, beforeMs: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'position'::regclass`.execute(db.system);
  // Names sort as their months do; the month of the moment itself still holds what is kept.
  const first = partitionName(monthOf(beforeMs));
  for (const { name } of rows) {
    if (!/^position_\d{4}_\d{2}$/.test(name) || name >= first) continue;
    await db.system.transaction().execute(async trx => {
      // Behind a long reader every writer would wait, too.
      await sql`set local lock_timeout = '3s'`.execute(trx);
      await sql`drop table ${sql.table(name)}`.execute(trx);
    });
    log.info({ partition: name }, 'Dropped a month of positions past every retention limit');
  }
}

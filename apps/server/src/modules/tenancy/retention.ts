import { DEFAULT_SETTINGS, settingsSchema } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { LiveStates } from '../../fleet/live.ts';
import { dropMonthsBefore } from '../../tracks/partitions.ts';
import { deletePrivateBefore } from '../../tracks/private.ts';
import { deletePositionsBefore } from '../../tracks/seal.ts';
import { audit, systemAuthor } from '../audit/audit.ts';
import { dropRoadsBefore, firstDayKept } from '../roads/store.ts';

const DAY_MS = 24 * 3_600_000;

export interface Kept {
  readonly accountId: number;
  readonly days: number;
}

/** Deletes looks older than each account keeps them; the database keeps the newest 30 days whatever the setting. */
export async function dropOldLooks({ system }: Context['db'], nowMs = Date.now()): Promise<void> {
  const rows = await system
    .selectFrom('account')
    .leftJoin('account_setting', join =>
      join.onRef('account_setting.account_id', '=', 'account.id').on('account_setting.name', '=', 'keepLooksDays'),
    )
    .select(['account.id', 'value'])
    .execute();
  for (const { id, value } of rows) {
    const days = settingsSchema.shape.keepLooksDays.safeParse(value).data ?? DEFAULT_SETTINGS.keepLooksDays;
    const before = new Date(nowMs - days * DAY_MS);
    await system.deleteFrom('look').where('account_id', '=', id).where('began_at', '<', before).execute();
  }
}

const FORGOTTEN = 'state-forgotten';
interface Forgotten {
  readonly accountId: number;
  readonly id: number;
  readonly before: number;
}

/** The last known positions that another node deletes are not shown by this one either. */
export function followForgotten({ bus }: Pick<Context, 'bus'>, live: LiveStates): void {
  bus.listen(FORGOTTEN, payload => {
    const { accountId, id, before } = JSON.parse(payload) as Forgotten;
    if ((live.of(id)?.newest?.fixAt ?? Number.POSITIVE_INFINITY) < before) live.delete(accountId, id);
  });
}

/**
 * Deletes positions older than each account keeps them, and a vehicle's last known position if it is as old. If every
 * account has a limit, whole months older than the longest one are dropped, which costs nothing. Returns the rows
 * deleted one by one, by account.
 */
export async function dropOldPositions(
  context: Pick<Context, 'bus' | 'db' | 'log'>,
  live: LiveStates,
  nowMs = Date.now(),
): Promise<ReadonlyMap<number, number>> {
  const { bus, db, log } = context;
  const kept = await readKept(db);
  const accounts = await db.system.selectFrom('account').select('id').execute();
  if (accounts.length > 0 && accounts.every(({ id }) => kept.some(({ accountId }) => accountId === id))) {
    const longest = Math.max(...kept.map(({ days }) => days));
    await dropMonthsBefore(db.pool, log, nowMs - longest * DAY_MS);
  }

  const deleted = new Map<number, number>();
  for (const { accountId, days } of kept) {
    const before = new Date(nowMs - days * DAY_MS);
    let rows = 0;
    const vehicles = await db.system.selectFrom('vehicle').select('id').where('account_id', '=', accountId).execute();
    // One vehicle at a time, along the primary key, so that no lock is held for long.
    for (const { id } of vehicles) {
      rows += await deletePositionsBefore(db.pool, id, before);
      const newest = live.of(id)?.newest;
      if (newest && newest.fixAt < before.getTime()) {
        await db.system.deleteFrom('vehicle_state').where('vehicle_id', '=', id).execute();
        live.delete(accountId, id);
        bus.publish(FORGOTTEN, JSON.stringify({ accountId, id, before: before.getTime() } satisfies Forgotten));
      }
    }
    await deletePrivateBefore(db.pool, accountId, before);
    // Alerts, too, show where vehicles were.
    await db.system.deleteFrom('alert').where('account_id', '=', accountId).where('updated_at', '<', before).execute();
    // Figures and trips come from positions, so they are deleted with them.
    for (const table of ['vehicle_day', 'trip_day'] as const) {
      await db.system.deleteFrom(table).where('account_id', '=', accountId).where('from_at', '<', before).execute();
    }
    await db.system.deleteFrom('visit').where('account_id', '=', accountId).where('out_at', '<', before).execute();
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

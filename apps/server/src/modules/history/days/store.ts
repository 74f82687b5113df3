import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Followed, Look, Projection } from '../../../projections/projection.ts';
import { Reading } from '../../../projections/reading.ts';
import type { AccountCalendars } from './account-calendars.ts';
import type { Counter, KeptDay } from './open-day.ts';
import { type Changed, type DayKind, type DayTable, type Stored, VehicleDays, type Written } from './vehicle-days.ts';

export interface DayProjectionParts<C extends Counter> extends DayKind<C> {
  readonly name: string;
  readonly calendars: AccountCalendars;
  /** The columns of a day besides those of every table of days. */
  readonly columns: (day: Written<C>, nowMs: number) => object;
  /** What else is written with the days. */
  readonly writeMore?: (trx: AccountTransaction, days: readonly Written<C>[], nowMs: number) => Promise<void>;
}

/** Daily counts of each vehicle, as a projection. */
export function dayProjection<C extends Counter>({
  name,
  calendars,
  columns,
  writeMore,
  ...kind
}: DayProjectionParts<C>): Projection<VehicleDays<C>> {
  return {
    name,
    load: async (db, vehicles) => {
      const ids = vehicles.map(({ id }) => id);
      const stored = Map.groupBy(await readStored(db, kind.table, ids), ({ vehicleId }) => vehicleId);
      const loaded = new Map<number, VehicleDays<C>>();
      for (const vehicle of vehicles) {
        const days = await loadOne(vehicle, stored.get(vehicle.id));
        if (days !== null) loaded.set(vehicle.id, days);
      }
      return loaded;

      async function loadOne({ id, accountId, ...look }: Followed & Look, days: readonly Stored[] = []) {
        const calendar = calendars.of(accountId);
        const [first, ...others] = days;
        if (first) {
          const known = VehicleDays.fromStored(kind, calendar, [first, ...others]);
          await known.recall(new Reading(db, id), look);
          return known;
        }
        // A tracker that never sent a plausible time has no days.
        if (look.newestMs === null) return null;
        return VehicleDays.begin(kind, calendar, { accountId, vehicleId: id }, look.nowMs, look.newestMs);
      }
    },
    write: async (trx, folds, nowMs) => {
      const changes = folds.map(fold => ({ fold, ...fold.takeChanged(nowMs) }));
      for (const { fold, emptied } of changes) await deleteDays(trx, kind.table, fold, emptied);
      const written = changes.flatMap(change => change.written);
      await writeDays(trx, kind.table, written, columns, nowMs);
      await writeMore?.(trx, written, nowMs);
      for (const { day } of written) {
        day.isChanged = false;
        day.writtenUntilMs = day.untilMs(nowMs);
      }
    },
  };
}

/** Of each of these vehicles its newest day, and the open ones that can be gone on with, oldest first. */
async function readStored(db: AccountTransaction, table: DayTable, vehicleIds: readonly number[]): Promise<Stored[]> {
  const { rows } = await sql<{
    account_id: number;
    vehicle_id: number;
    day: string;
    through_at: Date;
    until_at: Date;
    count: KeptDay | null;
  }>`
    select account_id, vehicle_id, day, through_at, until_at, case when open then count end as count
    from ${sql.table(table)} known
    where vehicle_id = any (${vehicleIds}) and ((open and count is not null)
      or day = (select max(day) from ${sql.table(table)} newest where newest.vehicle_id = known.vehicle_id))
    order by vehicle_id, day`.execute(db);
  return rows.map(row => ({
    accountId: row.account_id,
    vehicleId: row.vehicle_id,
    day: row.day,
    throughMs: row.through_at.getTime(),
    untilMs: row.until_at.getTime(),
    kept: row.count,
  }));
}

async function deleteDays<C extends Counter>(
  trx: AccountTransaction,
  table: DayTable,
  { vehicleId, calendar }: VehicleDays<C>,
  days: Changed<C>['emptied'],
): Promise<void> {
  if (days.length === 0) return;
  await trx
    .deleteFrom(table)
    .where('vehicle_id', '=', vehicleId)
    .where(
      'day',
      'in',
      days.map(day => calendar.dateOf(day)),
    )
    .execute();
}

async function writeDays<C extends Counter>(
  trx: AccountTransaction,
  table: DayTable,
  days: readonly Written<C>[],
  more: DayProjectionParts<C>['columns'],
  nowMs: number,
): Promise<void> {
  if (days.length === 0) return;
  const rows = days.map(written => {
    const { accountId, vehicleId, calendar, day, throughMs, isKept } = written;
    return {
      account_id: accountId,
      vehicle_id: vehicleId,
      day: calendar.dateOf(day.day),
      from_at: new Date(day.fromMs),
      to_at: new Date(day.toMs),
      until_at: new Date(day.untilMs(nowMs)),
      through_at: new Date(throughMs),
      open: !day.isSettled,
      count: isKept && !day.isSettled ? JSON.stringify(day.kept()) : null,
      ...more(written, nowMs),
    };
  });
  const columns = Object.keys(rows[0] as object).map(column => sql.ref(column));
  const values = Object.keys(rows[0] as object).filter(column => !['account_id', 'vehicle_id', 'day'].includes(column));
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns)})
    values ${sql.join(rows.map(row => sql`(${sql.join(Object.values(row))})`))}
    on conflict (vehicle_id, day) do update set
      ${sql.join(values.map(column => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}`.execute(trx);
}

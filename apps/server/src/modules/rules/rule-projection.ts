import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Projection } from '../../projections/projection.ts';
import type { FenceBook } from '../geofences/visits/account-fences.ts';
import { toDate } from '../geofences/visits/day-number.ts';
import { RecentTracks } from './recent-tracks.ts';
import { openRuleBook, type RuleBook } from './rule-book.ts';
import { VehicleRules } from './vehicle-rules.ts';
import { closeOthers, writeEvents } from './write-alerts.ts';

export type RuleProjection = Projection<VehicleRules>;

export interface WatchedRules {
  readonly projection: RuleProjection;
  readonly book: RuleBook;
}

/** The rules of vehicles, as a projection: their alerts are written with the cursor of the positions they come from. */
export async function openRuleProjection(
  context: Pick<Context, 'db' | 'feed' | 'signals'>,
  { directory, driving, roster }: Pick<Organisation, 'directory' | 'driving' | 'roster'>,
  fences: FenceBook,
): Promise<WatchedRules> {
  const { db, signals } = context;
  /** Alerts that are written, but not committed yet. */
  const written = new WeakMap<VehicleRules, readonly string[]>();
  const recent = new RecentTracks();
  const book = await openRuleBook(
    context,
    roster,
    accountId => directory.ofAccount(accountId),
    id => driving.seats(id, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  );

  const followedAt = (vehicleId: number) => async (day: number) => {
    const row = await db.system
      .selectFrom('visit_day')
      .select('state')
      .where('vehicle_id', '=', vehicleId)
      .where('day', '=', toDate(day))
      .executeTakeFirst();
    return row?.state ?? null;
  };

  const projection: RuleProjection = {
    name: 'rules',
    load: async (trx, vehicles) => {
      const ids = vehicles.map(({ id }) => id);
      const rows = await trx
        .selectFrom('rule_fold')
        .selectAll()
        .where(sql<boolean>`vehicle_id = any (${ids}::int4[])`)
        .execute();
      const stored = new Map(rows.map(row => [row.vehicle_id, row]));
      return new Map(
        vehicles.flatMap(({ id, accountId, newestMs }): [number, VehicleRules][] => {
          const row = stored.get(id);
          const entry = () => directory.findById(id);
          const parts = { vehicle: { id, accountId }, rules: book, recent, fences, entry, followedAt: followedAt(id) };
          if (!row) return newestMs === null ? [] : [[id, VehicleRules.begin(parts, newestMs)]];
          const { again, mornings, near, state } = row;
          const kept = { throughMs: row.through_at.getTime(), fencesVersion: Number(row.fences_version) };
          return [[id, new VehicleRules(parts, { ...kept, state, mornings, again, near })]];
        }),
      );
    },
    write: async (trx, folds, nowMs) => {
      const changes = folds.map(fold => ({ fold, ...fold.vehicle, ...fold.takeChanged() }));
      if (changes.length === 0) return;
      await writeFolds(trx, changes);
      const found = changes.flatMap(({ accountId, events, id: vehicleId }) => {
        if (events.length === 0) return [];
        const vehicle = directory.findById(vehicleId);
        const driverId = (vehicle && driving.of(vehicle)?.driver.id) ?? null;
        return { vehicleId, accountId, driverId, nowMs, events };
      });
      const alerts = Map.groupBy(await writeEvents(trx, found), ({ vehicleId }) => vehicleId);
      for (const { fold, id: vehicleId, standing } of changes) {
        const ids = (alerts.get(vehicleId) ?? []).map(({ id }) => id);
        if (standing !== null) ids.push(...(await closeOthers(trx, vehicleId, standing, nowMs)));
        if (ids.length > 0) written.set(fold, ids);
      }
    },
    written: folds => {
      const ids = folds.flatMap(fold => written.get(fold) ?? []);
      for (const fold of folds) written.delete(fold);
      if (ids.length > 0) signals.emit('alerts-written', { ids });
    },
  };
  return { projection, book };
}

type Changes = { readonly id: number; readonly accountId: number } & ReturnType<VehicleRules['takeChanged']>;

async function writeFolds(trx: AccountTransaction, changes: readonly Changes[]): Promise<void> {
  const idle = changes.filter(({ kept }) => kept === null).map(({ id }) => id);
  if (idle.length > 0) {
    await trx.deleteFrom('rule_fold').where(sql<boolean>`vehicle_id = any (${idle}::int4[])`).execute();
  }
  const rowOf = ({ areMorningsNew, id, accountId, kept }: Changes) =>
    kept && {
      account_id: accountId,
      vehicle_id: id,
      through_at: iso(kept.throughMs),
      fences_version: kept.fencesVersion,
      state: kept.state,
      ...(areMorningsNew && { mornings: kept.mornings }),
      again: kept.again,
      near: kept.near,
    };
  // How its days began is most of what is kept of a vehicle, and changes once a day.
  const [whole, others] = [true, false].map(is =>
    changes.filter(({ areMorningsNew }) => areMorningsNew === is).flatMap(change => rowOf(change) ?? []),
  );
  if (whole?.length) {
    await sql`
      insert into rule_fold select * from json_populate_recordset(null::rule_fold, ${JSON.stringify(whole)}::json)
      on conflict (vehicle_id) do update set
        through_at = excluded.through_at, fences_version = excluded.fences_version, state = excluded.state,
        mornings = excluded.mornings, again = excluded.again, near = excluded.near`.execute(trx);
  }
  if (others?.length) {
    await sql`
      update rule_fold set through_at = next.through_at, fences_version = next.fences_version, state = next.state,
        again = next.again, near = next.near
      from json_populate_recordset(null::rule_fold, ${JSON.stringify(others)}::json) as next
      where rule_fold.vehicle_id = next.vehicle_id`.execute(trx);
  }
  const heeded = changes.filter(({ heededLate }) => heededLate !== null);
  if (heeded.length === 0) return;
  await sql`
    update rule_fold set near_late_at = null
    from unnest(${heeded.map(({ id }) => id)}::int4[], ${heeded.map(each => each.heededLate?.marks)}::int8[])
      as heeded (vehicle_id, marks)
    where rule_fold.vehicle_id = heeded.vehicle_id and near_late_marks = heeded.marks`.execute(trx);
}

const iso = (ms: number): string => new Date(ms).toISOString();

import { randomUUID } from 'node:crypto';
import { type BacktestAlert, DATED_TRIGGERS } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Projection } from '../../projections/projection.ts';
import type { FenceBook } from '../geofences/visits/account-fences.ts';
import { toDate } from '../geofences/visits/day-number.ts';
import { openRuleBook, type RuleBook } from './rule-book.ts';
import { type FoundEvent, VehicleRules } from './vehicle-rules.ts';

export type RuleProjection = Projection<VehicleRules>;

export interface WatchedRules {
  readonly projection: RuleProjection;
  readonly book: RuleBook;
}

/** What happened longer ago when it became known is in the history, and alerts nobody. */
const NEWS_MS = 24 * 3_600_000;

/** The rules of vehicles, as a projection: their alerts are written with the cursor of the positions they come from. */
export async function openRuleProjection(
  context: Pick<Context, 'db' | 'feed' | 'signals'>,
  { directory, driving, roster }: Pick<Organisation, 'directory' | 'driving' | 'roster'>,
  fences: FenceBook,
): Promise<WatchedRules> {
  const { db, signals } = context;
  /** Alerts that are written, but not committed yet. */
  const written = new WeakMap<VehicleRules, readonly string[]>();
  const book = await openRuleBook(context, roster, accountId => directory.ofAccount(accountId));

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
          const parts = { vehicle: { id, accountId }, rules: book, fences, entry, followedAt: followedAt(id) };
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
      for (const { fold, id: vehicleId, accountId, events, standing } of changes) {
        if (events.length === 0 && standing === null) continue;
        const vehicle = directory.findById(vehicleId);
        const driverId = (vehicle && driving.of(vehicle)?.driver.id) ?? null;
        const about = { vehicleId, accountId, driverId, nowMs };
        const ids = await writeEvents(trx, about, events);
        if (standing !== null) ids.push(...(await closeOthers(trx, vehicleId, standing, nowMs)));
        written.set(fold, ids);
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
  const rows = changes.flatMap(({ id, accountId, kept }) =>
    kept === null
      ? []
      : {
          account_id: accountId,
          vehicle_id: id,
          through_at: iso(kept.throughMs),
          fences_version: kept.fencesVersion,
          state: kept.state,
          mornings: kept.mornings,
          again: kept.again,
          near: kept.near,
        },
  );
  if (rows.length === 0) return;
  await sql`
    insert into rule_fold select * from json_populate_recordset(null::rule_fold, ${JSON.stringify(rows)}::json)
    on conflict (vehicle_id) do update set
      through_at = excluded.through_at, fences_version = excluded.fences_version, state = excluded.state,
      mornings = excluded.mornings, again = excluded.again, near = excluded.near`.execute(trx);
  const heeded = changes.filter(({ heededLate }) => heededLate !== null);
  if (heeded.length === 0) return;
  await sql`
    update rule_fold set near_late_at = null
    from unnest(${heeded.map(({ id }) => id)}::int4[], ${heeded.map(each => each.heededLate?.marks)}::int8[])
      as heeded (vehicle_id, marks)
    where rule_fold.vehicle_id = heeded.vehicle_id and near_late_marks = heeded.marks`.execute(trx);
}

export interface About {
  readonly vehicleId: number;
  readonly accountId: number;
  readonly driverId: number | null;
  readonly nowMs: number;
}

/** Writes the alerts of one vehicle, in the order of time; answers those that are new or changed. */
async function writeEvents(trx: AccountTransaction, about: About, events: readonly FoundEvent[]): Promise<string[]> {
  const ids: string[] = [];
  for (const event of events) {
    if (event.what === 'alert') ids.push(...(await open(trx, about, event)));
    else if (event.what === 'ended') ids.push(...(await end(trx, about, event)));
  }
  return ids;
}

/** What a test on the past found of one vehicle, written as what is over and alerts nobody. */
export async function writePast(
  trx: AccountTransaction,
  about: About,
  ruleId: number,
  alerts: readonly PastAlert[],
): Promise<void> {
  for (const { at, beganAt, crossing, endedAt, expectedId, figures, geofenceId, lat, lon, otherId } of alerts) {
    const [fenceId, other, expected] = [geofenceId, otherId, expectedId].map(id => (id === null ? null : Number(id)));
    const event = {
      ...{ ruleId, crossing, lat, lon, figures, found: 'past' as const, began: epochMs(Date.parse(beganAt)) },
      ...{ fenceId: fenceId ?? null, otherId: other ?? null, expected: expected ?? null },
    };
    await open(trx, about, { ...event, what: 'alert', at: epochMs(Date.parse(at)) });
    await end(trx, about, { ...event, what: 'ended', at: epochMs(Date.parse(endedAt)) });
  }
}

type PastAlert = Omit<BacktestAlert, 'figures' | 'endedAt'> & {
  readonly figures: FoundEvent['figures'];
  readonly endedAt: string;
};

/** Not if it is known, nor if one of the same rule covers what was watched again; nor if the rule was deleted meanwhile. */
async function open(trx: AccountTransaction, about: About, event: FoundEvent): Promise<string[]> {
  const { accountId, driverId, nowMs, vehicleId } = about;
  const { at, began, crossing, expected, fenceId, found, lat, lon, otherId, ruleId } = event;
  const isLate = found === 'late';
  const isAgain = found !== 'live';
  const isOld = isLate || found === 'past' || nowMs - at > NEWS_MS;
  const figures = event.figures && JSON.stringify(event.figures);
  const { rows } = await sql<{ id: string }>`
    insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, late, lat, lon, figures,
      driver_id, acknowledged_at, escalate_at, rule_id, geofence_id, began_at, rule)
    select ${randomUUID()}::uuid, rule.account_id, ${vehicleId}::int4, 'rule', rule.severity, null,
      ${iso(at)}::timestamptz, ${iso(at)}::timestamptz, ${isLate}::bool, ${lat}::float8, ${lon}::float8,
      ${figures}::jsonb, ${isOld ? null : driverId}::int4, ${isOld ? iso(nowMs) : null}::timestamptz,
      case when not ${isOld}::bool then now() + make_interval(mins => rule.escalate_minutes) end, rule.id,
      geofence.id, ${iso(began)}::timestamptz,
      jsonb_build_object('name', rule.name, 'action', rule.action, 'geofence', geofence.name,
        'crossing', ${crossing}::text,
        'expected', (select name from geofence where account_id = rule.account_id and id = ${expected}::int4),
        'other', (select jsonb_build_object('id', id, 'name', name)
          from vehicle where account_id = rule.account_id and id = ${otherId}::int4),
        'message', rule.message, 'version', rule.version)
    from rule left join geofence on geofence.account_id = rule.account_id and geofence.id = ${fenceId}::int4
    where rule.account_id = ${accountId} and rule.id = ${ruleId} and not (${isAgain}::bool and exists (
      select from alert known
      where known.rule_id = rule.id and known.vehicle_id = ${vehicleId}
        and known.geofence_id is not distinct from geofence.id and known.began_at <= ${iso(at)}::timestamptz
        and coalesce(known.closed_at, 'infinity') > ${iso(began)}::timestamptz
    ))
    on conflict do nothing returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Not the one that begins where this one ends, which is known already if both are watched again. */
async function end(
  trx: AccountTransaction,
  { accountId, vehicleId }: About,
  { at, began, fenceId, figures, ruleId }: FoundEvent,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alert set closed_at = greatest(opened_at, ${iso(at)}::timestamptz), 
      figures = coalesce(${figures && JSON.stringify(figures)}::jsonb, figures)
    where account_id = ${accountId} and rule_id = ${ruleId} and vehicle_id = ${vehicleId} and closed_at is null
      and geofence_id is not distinct from ${fenceId}::int4
      and (began_at < ${iso(at)}::timestamptz or began_at = ${iso(began)}::timestamptz)
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Everything was watched again, or a rule is gone: no other alerts last. */
async function closeOthers(
  trx: AccountTransaction,
  vehicleId: number,
  standing: readonly { readonly ruleId: number; readonly fenceId: number | null }[],
  nowMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alert set closed_at = greatest(opened_at, ${iso(nowMs)}::timestamptz)
    where vehicle_id = ${vehicleId} and kind = 'rule' and closed_at is null and not exists (
        select from rule where rule.id = alert.rule_id and rule.trigger ->> 'kind' = any (${DATED_TRIGGERS}::text[]))
      and (rule_id, coalesce(geofence_id, 0)) not in (select * from unnest(
        ${standing.map(({ ruleId }) => ruleId)}::int4[], ${standing.map(({ fenceId }) => fenceId ?? 0)}::int4[]))
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

const iso = (ms: number): string => new Date(ms).toISOString();

import { randomUUID } from 'node:crypto';
import { type BacktestAlert, DATED_TRIGGERS } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { FoundEvent, Standing } from './vehicle-rules.ts';

/** What happened longer ago when it became known is in the history, and alerts nobody. */
const NEWS_MS = 24 * 3_600_000;

/** A vehicle, and who drives it now. */
export interface About {
  readonly vehicleId: number;
  readonly accountId: number;
  readonly driverId: number | null;
  readonly nowMs: number;
}

/** Of one vehicle, in the order of time. */
export interface Found extends About {
  readonly events: readonly FoundEvent[];
}

/** An alert that is new, or has ended. */
export interface WrittenAlert {
  readonly id: string;
  readonly vehicleId: number;
}

/**
 * Writes the alerts of vehicles. What comes after one another of the same rule, vehicle and geofence is written one
 * after the other; everything else together, because statements cost more than rows.
 */
export async function writeEvents(trx: AccountTransaction, found: readonly Found[]): Promise<WrittenAlert[]> {
  const written: WrittenAlert[] = [];
  for (const round of roundsOf(found)) {
    const opened = round.filter(({ event }) => event.what === 'alert');
    const ended = round.filter(({ event }) => event.what === 'ended');
    if (opened.length > 0) written.push(...(await open(trx, opened)));
    if (ended.length > 0) written.push(...(await end(trx, ended)));
  }
  return written;
}

interface Row {
  readonly about: About;
  readonly event: FoundEvent;
}

/** The first events of each rule, vehicle and geofence, then the second ones, and so on. */
function roundsOf(found: readonly Found[]): Row[][] {
  const rounds: Row[][] = [];
  const nextOf = new Map<string, number>();
  for (const { events, ...about } of found) {
    for (const event of events) {
      if (event.what !== 'alert' && event.what !== 'ended') continue;
      const key = `${about.vehicleId} ${event.ruleId} ${event.fenceId}`;
      const nth = nextOf.get(key) ?? 0;
      nextOf.set(key, nth + 1);
      const round = rounds[nth] ?? [];
      rounds[nth] = round;
      round.push({ about, event });
    }
  }
  return rounds;
}

/** What a test on the past found of one vehicle, written as what is over and alerts nobody. */
export async function writePast(
  trx: AccountTransaction,
  about: About,
  ruleId: number,
  alerts: readonly PastAlert[],
): Promise<void> {
  const events: FoundEvent[] = [];
  for (const { at, beganAt, crossing, endedAt, expectedId, figures, geofenceId, lat, lon, otherId } of alerts) {
    const [fenceId, other, expected] = [geofenceId, otherId, expectedId].map(id => (id === null ? null : Number(id)));
    const event = {
      ...{ ruleId, crossing, lat, lon, figures, found: 'past' as const, began: epochMs(Date.parse(beganAt)) },
      ...{ fenceId: fenceId ?? null, otherId: other ?? null, expected: expected ?? null },
    };
    events.push({ ...event, what: 'alert', at: epochMs(Date.parse(at)) });
    events.push({ ...event, what: 'ended', at: epochMs(Date.parse(endedAt)) });
  }
  await writeEvents(trx, [{ ...about, events }]);
}

type PastAlert = Omit<BacktestAlert, 'figures' | 'endedAt'> & {
  readonly figures: FoundEvent['figures'];
  readonly endedAt: string;
};

/** Not if it is known, nor if one of the same rule covers what was watched again; nor if the rule was deleted meanwhile. */
async function open(trx: AccountTransaction, found: readonly Row[]): Promise<WrittenAlert[]> {
  const events = found.map(({ about: { accountId, driverId, nowMs, vehicleId }, event }) => {
    const { at, began, crossing, expected, fenceId, figures, found, lat, lon, otherId, ruleId } = event;
    const isLate = found === 'late';
    const isOld = isLate || found === 'past' || nowMs - at > NEWS_MS;
    return {
      ...{ id: randomUUID(), account_id: accountId, vehicle_id: vehicleId, rule_id: ruleId, fence_id: fenceId },
      ...{ at: iso(at), began_at: iso(began), now_at: iso(nowMs), late: isLate, old: isOld, again: found !== 'live' },
      ...{ crossing, lat, lon, figures, driver_id: driverId, other_id: otherId, expected_id: expected },
    };
  });
  const { rows } = await sql<WrittenAlert>`
    insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, late, lat, lon, figures,
      driver_id, acknowledged_at, escalate_at, rule_id, geofence_id, began_at, rule)
    select event.id, rule.account_id, event.vehicle_id, 'rule', rule.severity, null, event.at, event.at, event.late,
      event.lat, event.lon, event.figures, case when not event.old then event.driver_id end,
      case when event.old then event.now_at end,
      case when not event.old then now() + make_interval(mins => rule.escalate_minutes) end, rule.id,
      geofence.id, event.began_at,
      jsonb_build_object('name', rule.name, 'action', rule.action, 'needsNote', rule.needs_note, 'geofence', geofence.name,
        'crossing', event.crossing,
        'expected', (select name from geofence expected
          where expected.account_id = rule.account_id and expected.id = event.expected_id),
        'other', (select jsonb_build_object('id', vehicle.id, 'name', vehicle.name)
          from vehicle where vehicle.account_id = rule.account_id and vehicle.id = event.other_id),
        'message', rule.message, 'version', rule.version)
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (
      id uuid, account_id int4, vehicle_id int4, rule_id int4, fence_id int4, at timestamptz, began_at timestamptz,
      now_at timestamptz, late bool, old bool, again bool, crossing text, lat float8, lon float8, figures jsonb,
      driver_id int4, other_id int4, expected_id int4
    )
    join rule on rule.account_id = event.account_id and rule.id = event.rule_id
    left join geofence on geofence.account_id = rule.account_id and geofence.id = event.fence_id
    where not (event.again and exists (
      select from alert known
      where known.rule_id = rule.id and known.vehicle_id = event.vehicle_id
        and known.geofence_id is not distinct from geofence.id and known.began_at <= event.at
        and coalesce(known.closed_at, 'infinity') > event.began_at
    ))
    on conflict do nothing returning id, vehicle_id as "vehicleId"`.execute(trx);
  return rows;
}

/** Not the one that begins where this one ends, which is known already if both are watched again. */
async function end(trx: AccountTransaction, found: readonly Row[]): Promise<WrittenAlert[]> {
  const events = found.map(({ about: { accountId, vehicleId }, event: { at, began, fenceId, figures, ruleId } }) => ({
    ...{ account_id: accountId, vehicle_id: vehicleId, rule_id: ruleId, fence_id: fenceId },
    ...{ at: iso(at), began_at: iso(began), figures },
  }));
  const { rows } = await sql<WrittenAlert>`
    update alert set closed_at = greatest(opened_at, event.at), figures = coalesce(event.figures, alert.figures)
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (
      account_id int4, vehicle_id int4, rule_id int4, fence_id int4, at timestamptz, began_at timestamptz, figures jsonb
    )
    where alert.account_id = event.account_id and alert.rule_id = event.rule_id
      and alert.vehicle_id = event.vehicle_id and alert.closed_at is null
      and alert.geofence_id is not distinct from event.fence_id
      and (alert.began_at < event.at or alert.began_at = event.began_at)
    returning alert.id, alert.vehicle_id as "vehicleId"`.execute(trx);
  return rows;
}

/** Everything was watched again, or a rule is gone: no other alerts last. */
export async function closeOthers(
  trx: AccountTransaction,
  vehicleId: number,
  standing: readonly Standing[],
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

import { randomUUID } from 'node:crypto';
import { DATED_TRIGGERS, type RuleTrigger, SUBSCRIPTION_DAYS } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readParts } from './rule-terms.ts';

/** What ends on one day, of one vehicle. */
interface Due {
  readonly vehicleId: number;
  readonly on: string;
  readonly titles: readonly string[];
}

type DueContext = Pick<Context, 'db' | 'log' | 'signals'>;
type DueParts = Pick<Organisation, 'directory' | 'driving' | 'roster'>;

/**
 * Alerts of rules about dates: a vehicle's documents and subscription that are about to end. One alert for each rule,
 * vehicle and date, which ends when nothing ends on that date any more. Whatever ended before the rule was turned on is
 * not alerted.
 */
export async function noteDueDates(context: DueContext, parts: DueParts, now: Date): Promise<void> {
  const { db, log, signals } = context;
  const { rows: accounts } = await sql<{ accountId: number }>`
    select distinct account_id as "accountId" from rule
    where trigger ->> 'kind' = any (${DATED_TRIGGERS}::text[])`.execute(db.system);
  for (const { accountId } of accounts) {
    try {
      const ids = await noteOf(context, parts, accountId, now);
      if (ids.length > 0) signals.emit('alerts-written', { ids });
    } catch (error) {
      log.error({ err: error, accountId }, 'Could not look for what is about to end; it is tried again in an hour');
    }
  }
}

/** Returns the alerts that are new or ended. */
async function noteOf({ db }: DueContext, parts: DueParts, accountId: number, now: Date): Promise<string[]> {
  const { directory, driving, roster } = parts;
  const due = await db.asAccount(accountId, async trx => {
    const rules = await trx
      .selectFrom('rule')
      .select(['id', 'trigger', 'since', 'is_for_all'])
      .where('is_on', '=', true)
      .where(sql<boolean>`trigger ->> 'kind' = any (${DATED_TRIGGERS}::text[])`)
      .execute();
    const { settings } = await readAccountSettings(trx);
    const calendar = calendarOf(settings.timeZone);
    const dateAt = (at: Date): string => calendar.dateOf(calendar.dayOf(at.getTime()));
    const partsOf = await readParts(
      trx,
      rules.map(({ id }) => id),
    );
    const found: { readonly ruleId: number; readonly due: Due }[] = [];
    for (const { id, is_for_all, since, trigger } of rules) {
      const { vehicles } = partsOf(id);
      const [folders, named] = [new Set(vehicles.folderIds.map(Number)), new Set(vehicles.deviceIds.map(Number))];
      const all = await readDue(trx, trigger as RuleTrigger, dateAt(since), dateAt(now));
      for (const one of all) {
        const vehicle = directory.findById(one.vehicleId);
        if (!vehicle) continue;
        const isFor =
          is_for_all || named.has(vehicle.id) || roster.isInside('folder', accountId, vehicle.folderId, folders);
        if (isFor) found.push({ ruleId: id, due: one });
      }
    }
    return found;
  });
  return db.system.transaction().execute(async trx => {
    const ids: string[] = [];
    for (const { due: one, ruleId } of due) {
      const vehicle = directory.findById(one.vehicleId);
      const driverId = (vehicle && driving.of(vehicle)?.driver.id) ?? null;
      const about = JSON.stringify({ titles: one.titles, on: one.on });
      const { rows } = await sql<{ id: string }>`
        insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, driver_id,
          escalate_at, rule_id, began_at, rule)
        select ${randomUUID()}::uuid, account_id, ${one.vehicleId}::int4, 'rule', severity, null, ${now}, ${now},
          ${driverId}::int4, now() + make_interval(mins => escalate_minutes), id, ${one.on}::date at time zone 'UTC',
          jsonb_build_object('name', name, 'action', action, 'geofence', null, 'message', message, 'version', version,
            'about', ${about}::jsonb)
        from rule where account_id = ${accountId} and id = ${ruleId} and is_on
        on conflict do nothing returning id`.execute(trx);
      ids.push(...rows.map(({ id }) => id));
    }
    const { rows: ended } = await sql<{ id: string }>`
      update alert set closed_at = greatest(opened_at, ${now}::timestamptz)
      from rule
      where alert.account_id = ${accountId} and alert.kind = 'rule' and alert.closed_at is null
        and rule.id = alert.rule_id and rule.trigger ->> 'kind' = any (${DATED_TRIGGERS}::text[])
        and (alert.rule_id, alert.vehicle_id, (alert.began_at at time zone 'UTC')::date) not in (
          select * from unnest(${due.map(({ ruleId }) => ruleId)}::int4[],
            ${due.map(each => each.due.vehicleId)}::int4[], ${due.map(each => each.due.on)}::date[]))
      returning alert.id`.execute(trx);
    ids.push(...ended.map(({ id }) => id));
    return ids;
  });
}

/** What ends from one date on, and is due today. */
async function readDue(trx: AccountTransaction, trigger: RuleTrigger, since: string, today: string): Promise<Due[]> {
  if (!('withinDays' in trigger)) return [];
  const { kind, withinDays } = trigger;
  const { rows } = await (kind === 'document'
    ? sql<Due>`
        select vehicle_id as "vehicleId", expires_on::text as "on", array_agg(title order by title) as titles
        from document
        where vehicle_id is not null and expires_on >= ${since}::date
          and expires_on <= ${today}::date + ${withinDays}::int4
        group by vehicle_id, expires_on order by expires_on, vehicle_id`
    : sql<Due>`
        select vehicle.id as "vehicleId", ends.on::text as "on", '{}'::text[] as titles
        from subscription join vehicle on vehicle.imei = subscription.imei
        cross join lateral (select (subscription.created_at at time zone 'UTC')::date + ${SUBSCRIPTION_DAYS}::int4) as ends ("on")
        where ends.on >= ${since}::date and ends.on <= ${today}::date + ${withinDays}::int4
        order by ends.on, vehicle.id`
  ).execute(trx);
  return rows;
}

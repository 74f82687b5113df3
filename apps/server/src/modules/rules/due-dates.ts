import { randomUUID } from 'node:crypto';
import { DATED_TRIGGERS, type Language, type RuleTrigger, SUBSCRIPTION_DAYS } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readParts } from './rule-terms.ts';

/** What ends on one day, of one vehicle or of its drivers. */
interface Due {
  readonly vehicleId: number;
  readonly on: string;
  readonly titles: readonly string[];
}

interface DueOfRule extends Due {
  readonly ruleId: number;
}

type DueContext = Pick<Context, 'db' | 'log' | 'signals'>;
type DueParts = Pick<Organisation, 'directory' | 'driving' | 'roster'>;

/**
 * Alerts of rules about dates: documents of a vehicle or its drivers, and subscriptions, that are about to end. One alert
 * for each rule, vehicle and date names all that end then; what is added for that date later is another one. An alert
 * ends when nothing that it names ends on that date any more. Whatever ended before the rule was turned on is not
 * alerted.
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
    const found: DueOfRule[] = [];
    for (const { id, is_for_all, since, trigger } of rules) {
      const { vehicles } = partsOf(id);
      const [folders, named] = [new Set(vehicles.folderIds.map(Number)), new Set(vehicles.deviceIds.map(Number))];
      const span = { since: dateAt(since), today: dateAt(now) };
      const all =
        trigger.kind === 'driverDocument'
          ? await readDueOfDrivers(trx, parts, accountId, LICENSE[settings.language], { ...span, ...trigger })
          : await readDue(trx, trigger as RuleTrigger, span);
      for (const one of all) {
        const vehicle = directory.findById(one.vehicleId);
        if (!vehicle) continue;
        const isFor =
          is_for_all || named.has(vehicle.id) || roster.isInside('folder', accountId, vehicle.folderId, folders);
        if (isFor) found.push({ ruleId: id, ...one });
      }
    }
    return found;
  });
  return db.system.transaction().execute(async trx => {
    const { rows: known } = await sql<Known>`
      select alert.id, rule_id as "ruleId", vehicle_id as "vehicleId", alert.rule -> 'about' ->> 'on' as "on",
        alert.rule -> 'about' -> 'titles' as titles, closed_at is null as "isOpen"
      from alert join rule on rule.id = alert.rule_id
      where alert.account_id = ${accountId} and alert.kind = 'rule'
        and rule.trigger ->> 'kind' = any (${DATED_TRIGGERS}::text[])`.execute(trx);
    const knownOf = Map.groupBy(known, keyOf);
    const dueOf = new Map(due.map(one => [keyOf(one), one]));
    const ids: string[] = [];
    for (const one of due) {
      const before = knownOf.get(keyOf(one)) ?? [];
      const named = new Set(before.flatMap(({ titles }) => titles));
      const titles = one.titles.filter(title => !named.has(title));
      if (before.length > 0 && titles.length === 0) continue;
      const vehicle = directory.findById(one.vehicleId);
      const driverId = (vehicle && driving.of(vehicle)?.driver.id) ?? null;
      const about = JSON.stringify({ titles, on: one.on });
      const { rows } = await sql<{ id: string }>`
        insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, driver_id,
          escalate_at, rule_id, began_at, rule)
        select ${randomUUID()}::uuid, account_id, ${one.vehicleId}::int4, 'rule', severity, null, ${now}, ${now},
          ${driverId}::int4, now() + make_interval(mins => escalate_minutes), id,
          ${one.on}::date at time zone 'UTC' + make_interval(secs => ${before.length}),
          jsonb_build_object('name', name, 'action', action, 'needsNote', needs_note, 'geofence', null,
            'message', message, 'version', version, 'about', ${about}::jsonb)
        from rule where account_id = ${accountId} and id = ${one.ruleId} and is_on
        on conflict do nothing returning id`.execute(trx);
      ids.push(...rows.map(({ id }) => id));
    }
    const over = known.filter(alert => {
      const still = dueOf.get(keyOf(alert));
      return (
        alert.isOpen && !(still && (alert.titles.length === 0 || alert.titles.some(t => still.titles.includes(t))))
      );
    });
    const { rows: ended } = await sql<{ id: string }>`
      update alert set closed_at = greatest(opened_at, ${now}::timestamptz)
      where account_id = ${accountId} and closed_at is null and id = any (${over.map(({ id }) => id)}::uuid[])
      returning id`.execute(trx);
    ids.push(...ended.map(({ id }) => id));
    return ids;
  });
}

interface Known extends DueOfRule {
  readonly id: string;
  readonly isOpen: boolean;
}

const keyOf = ({ on, ruleId, vehicleId }: DueOfRule): string => `${ruleId} ${vehicleId} ${on}`;

/** How a license is named that is not among the documents. */
const LICENSE: Readonly<Record<Language, string>> = { 'en-US': 'License', es: 'Licencia', fr: 'Permis' };

/** First and last date, and those who ask for `withinDays` from today. */
interface DueSpan {
  readonly since: string;
  readonly today: string;
}

/** Documents and licenses of drivers, by the vehicle that each usually drives, or drives now; nobody's vehicle, no alert. */
async function readDueOfDrivers(
  trx: AccountTransaction,
  { directory, driving, roster }: DueParts,
  accountId: number,
  license: string,
  { since, today, withinDays }: DueSpan & { readonly withinDays: number },
): Promise<Due[]> {
  const { rows } = await sql<{ driverId: number; on: string; title: string }>`
    select ends.driver_id as "driverId", ends.on::text as "on", ends.title from (
      select driver_id, expires_on as "on", title from document where driver_id is not null
      union
      select id, licence_expires_on, ${license}::text from driver where not exists (
        select from document where driver_id = driver.id and kind = 'licence' and expires_on = licence_expires_on)
    ) ends
    where ends.on >= ${since}::date and ends.on <= ${today}::date + ${withinDays}::int4
    order by ends.on, ends.title, ends.driver_id`.execute(trx);
  const vehicleOf = new Map<number, number>();
  for (const vehicle of directory.ofAccount(accountId)) {
    const now = driving.of(vehicle)?.driver.id;
    if (now !== undefined) vehicleOf.set(now, vehicle.id);
  }
  for (const { id } of roster.driversOf(accountId)) {
    const usual = directory.findByUsualDriver(id);
    if (usual) vehicleOf.set(id, usual.id);
  }
  const found = new Map<string, Due & { readonly titles: string[] }>();
  for (const { driverId, on, title } of rows) {
    const vehicleId = vehicleOf.get(driverId);
    const name = roster.driver(accountId, driverId)?.name;
    if (vehicleId === undefined || name === undefined) continue;
    const due = found.get(`${vehicleId} ${on}`) ?? { vehicleId, on, titles: [] };
    due.titles.push(`${name}: ${title}`);
    found.set(`${vehicleId} ${on}`, due);
  }
  return [...found.values()];
}

/** What ends from one date on, and is due today. */
async function readDue(trx: AccountTransaction, trigger: RuleTrigger, { since, today }: DueSpan): Promise<Due[]> {
  if (!('withinDays' in trigger)) return [];
  const { kind, withinDays } = trigger;
  const { rows } = await (kind === 'document'
    ? sql<Due>`
        select vehicle_id as "vehicleId", expires_on::text as "on", array_agg(distinct title order by title) as titles
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

import {
  BUILT_IN_KINDS,
  type BuiltInConditions,
  type BuiltInKind,
  type BuiltInRule,
  type BuiltInTest,
  builtInDefaults,
  isAboutVehicle,
  isReported,
  type RouteParsed,
  RULE_ALERT_DAYS,
  type RuleConditions,
  type RuleMutes,
  type RuleWhen,
  type Severity,
  type testBuiltInRule,
  type updateBuiltInRule,
} from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { accountCalendar, scheduleOf } from '../../watching/watched.ts';
import { isForSql } from '../alerts/audience.ts';
import { alertsInSight } from '../alerts/in-sight.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { changeAccountSettings, readAccountSettings } from '../tenancy/settings.ts';
import { type Mute, readMutes, setMute } from './mutes.ts';
import { onlyTold, readParts, termsOfRow, writeVehicles } from './rule-terms.ts';
import { refuseUnknown } from './unknown-parts.ts';

const MINUTE_MS = 60_000;

type Change = RouteParsed<typeof updateBuiltInRule>['body'];
type Asked = RouteParsed<typeof testBuiltInRule>['body'];
/** All that its users decide on. */
type Kept = Omit<BuiltInRule, 'alerts' | 'changedAt' | 'mutes'>;

export interface BuiltInRules {
  /** A limited user is not told of vehicles that they don't see, and only their vehicles' alerts are counted. */
  list(viewer: Session): Promise<BuiltInRule[]>;
  /** Turning one off ends its alerts; what happened before it was turned on is not alerted. */
  update(by: By, kind: BuiltInKind, change: Change): Promise<BuiltInRule>;
  /** For everyone; null ends it. */
  mute(by: By, kind: BuiltInKind, mute: Mute): Promise<BuiltInRule>;
  muteForMe(by: By, kind: BuiltInKind, mute: Mute): Promise<Pick<RuleMutes, 'me'>>;
  /** Which of the alerts of the past there would have been. */
  test(viewer: Session, kind: BuiltInKind, asked: Asked): Promise<BuiltInTest>;
}

export function createBuiltInRules(
  { db, feed, signals }: Pick<Context, 'db' | 'feed' | 'signals'>,
  { directory, roster, visibility }: Organisation,
): BuiltInRules {
  const seenOf = (viewer: Session): number[] | null =>
    visibility.seesAll(viewer) ? null : visibility.vehicles(viewer).map(({ id }) => id);

  const read = async (trx: AccountTransaction, viewer: Session): Promise<BuiltInRule[]> => {
    const rows = await trx.selectFrom('rule').selectAll().where('built_in', 'is not', null).execute();
    const { settings } = await readAccountSettings(trx);
    const parts = await readParts(
      trx,
      rows.map(({ id }) => id),
    );
    const isSeen = (id: string): boolean =>
      visibility.seesAll(viewer) || visibility.sees(viewer, directory.findById(Number(id)));
    const isTold = (driverId: string): boolean => {
      const driver = roster.driver(viewer.accountId, Number(driverId));
      return visibility.seesAll(viewer) || (driver !== null && visibility.seesDriver(viewer, driver));
    };
    const counts = await countAlerts(trx, seenOf(viewer));
    const mutesOf = await readMutes(trx, viewer);
    return BUILT_IN_KINDS.map(kind => {
      const row = rows.find(each => each.built_in === kind);
      const usual = { ...builtInDefaults(kind), minutes: kind === 'silent' ? settings.offlineAfterMinutes : null };
      const alerts = counts.get(kind) ?? { count: 0, acknowledged: 0, lastAt: null };
      const mutes = mutesOf(kind);
      if (!row) return { ...usual, alerts, mutes, changedAt: null };
      const { conditions, repeatMinutes, when } = onlyTold(termsOfRow(row, []), isTold, isSeen);
      return {
        ...{ kind, isOn: row.is_on, severity: row.severity as Severity, minutes: usual.minutes },
        vehicles: row.is_for_all ? null : parts(row.id, isSeen).vehicles,
        ...{
          when,
          conditions: conditions && builtInOf(conditions),
          repeatMinutes,
          action: row.action,
          needsNote: row.needs_note,
          message: row.message,
        },
        ...{ mailTo: row.mail_to, pushTo: row.push_to, webhookIds: row.webhook_ids?.map(String) ?? null },
        escalation: row.escalate_minutes === null ? null : { minutes: row.escalate_minutes, to: row.escalate_to ?? [] },
        ...{ alerts, mutes, changedAt: row.changed_at.toISOString() },
      };
    });
  };
  const found = async (trx: AccountTransaction, viewer: Session, kind: BuiltInKind): Promise<BuiltInRule> => {
    const rule = (await read(trx, viewer)).find(each => each.kind === kind);
    if (!rule) throw new AppError('not-found');
    return rule;
  };

  return {
    list: viewer => db.asAccount(viewer.accountId, trx => read(trx, viewer)),

    update: async (by, kind, change) => {
      const { author, session } = by;
      const { accountId } = session;
      const closed: string[] = [];
      const rule = await db.asAccount(accountId, async trx => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`built-in ${accountId} ${kind}`}, 0))`.execute(trx);
        const before = await found(trx, session, kind);
        const { minutes = before.minutes, ...rest } = change;
        const after: Kept = { ...keptOf(before), ...rest, minutes };
        if ((minutes === null) !== (kind !== 'silent'))
          throw invalidField('minutes', 'unknown-field', { name: 'minutes' });
        refuseUnreported(kind, after);
        if (minutes !== null && minutes !== before.minutes) {
          await changeAccountSettings(trx, by, { offlineAfterMinutes: minutes });
        }
        await refuseUnknown(trx, {
          ...{ vehicles: change.vehicles ?? null, conditions: change.conditions ?? null },
          ...{ mailTo: change.mailTo ?? null, pushTo: change.pushTo ?? null, webhookIds: change.webhookIds ?? null },
          escalation: change.escalation ?? null,
        });
        const changes = changesBetween(said(before), said(after));
        if (changes.length > 0) {
          const id = await store(trx, accountId, after, after.isOn && !before.isOn);
          if (!after.isOn) closed.push(...(await closeAll(trx, kind)));
          const sentence = { ...said(after), minutes, builtIn: kind };
          await audit(trx, author, {
            ...{ action: 'built-in-rule.changed', target: { id, name: kind }, changes, rule: sentence },
          });
        }
        return found(trx, session, kind);
      });
      await feed.settled();
      if (closed.length > 0) signals.emit('alerts-written', { ids: closed });
      return rule;
    },

    mute: (by, kind, mute) =>
      db.asAccount(by.session.accountId, async trx => {
        await setMute(trx, by, { kind, name: kind }, 'everyone', mute);
        return found(trx, by.session, kind);
      }),

    muteForMe: (by, kind, mute) =>
      db.asAccount(by.session.accountId, trx => setMute(trx, by, { kind, name: kind }, 'me', mute)),

    test: (viewer, kind, { from, rule: { conditions, repeatMinutes = 0, vehicles, when }, to }) =>
      db.asAccount(viewer.accountId, async trx => {
        const { settings } = await readAccountSettings(trx);
        const calendar = calendarOf(settings.timeZone);
        const schedule = scheduleOf(when as RuleWhen | null, accountCalendar(settings));
        const [folders, named] = [new Set(vehicles?.folderIds.map(Number)), new Set(vehicles?.deviceIds.map(Number))];
        const isFor = (vehicleId: number | null): boolean =>
          vehicles === null ||
          vehicleId === null ||
          named.has(vehicleId) ||
          roster.isInside('folder', viewer.accountId, directory.findById(vehicleId)?.folderId ?? null, folders);
        const drivers = conditions?.drivers ?? null;
        const departments = new Set(drivers?.departmentIds.map(Number));
        const isBy = (driverId: number | null): boolean => {
          if (drivers === null) return true;
          const driver = driverId === null ? null : roster.driver(viewer.accountId, driverId);
          return (
            driver !== null &&
            (drivers.driverIds.includes(String(driver.id)) ||
              roster.isInside('department', viewer.accountId, driver.departmentId, departments))
          );
        };
        const seen = visibility.seesAll(viewer) ? null : visibility.vehicles(viewer);
        const isSeen = seen && (await alertsInSight(trx, viewer, seen, visibility, true));
        const rows = await trx
          .selectFrom('alert')
          .select(['vehicle_id', 'driver_id', 'opened_at'])
          .where('kind', '=', kind)
          .where(isForSql(viewer))
          .where('opened_at', '>=', new Date(from))
          .where('opened_at', '<', new Date(to))
          .orderBy('opened_at')
          .$if(isSeen !== null, query => query.where(isSeen as NonNullable<typeof isSeen>))
          .execute();
        const days = new Map<string, { all: number; kept: number }>();
        const byVehicle = new Map<number, number>();
        const lastKept = new Map<number, number>();
        for (const { driver_id, opened_at, vehicle_id } of rows) {
          const at = epochMs(opened_at.getTime());
          const day = calendar.dateOf(calendar.dayOf(at));
          const isQuiet =
            vehicle_id !== null && at - (lastKept.get(vehicle_id) ?? -Infinity) < repeatMinutes * MINUTE_MS;
          const isKept = isFor(vehicle_id) && isBy(driver_id) && (schedule?.isWithin(at) ?? true) && !isQuiet;
          if (isKept && vehicle_id !== null) lastKept.set(vehicle_id, at);
          const known = days.get(day) ?? { all: 0, kept: 0 };
          days.set(day, { all: known.all + 1, kept: known.kept + Number(isKept) });
          if (isKept && vehicle_id !== null) byVehicle.set(vehicle_id, (byVehicle.get(vehicle_id) ?? 0) + 1);
        }
        return {
          days: [...days].map(([day, counts]) => ({ day, ...counts })).toSorted((a, b) => a.day.localeCompare(b.day)),
          vehicles: [...byVehicle]
            .map(([id, kept]) => ({ deviceId: String(id), kept }))
            .toSorted((a, b) => b.kept - a.kept),
        };
      }),
  };
}

const keptOf = ({ alerts: _alerts, changedAt: _changedAt, mutes: _mutes, ...kept }: BuiltInRule): Kept => kept;

/** What is not reported by a tracker has no speed and no ignition, and one alert for as long as it lasts. */
const builtInOf = ({ drivers, fromKmh, ignition }: RuleConditions): BuiltInConditions => ({
  drivers,
  fromKmh,
  ignition,
});

function refuseUnreported(kind: BuiltInKind, { conditions, repeatMinutes, vehicles }: Kept): void {
  if (!isAboutVehicle(kind)) {
    if (vehicles !== null) throw invalidField('vehicles', 'unknown-field', { name: 'vehicles' });
    if (conditions !== null) throw invalidField('conditions', 'unknown-field', { name: 'conditions' });
  }
  if (isReported(kind)) return;
  if (conditions && (conditions.fromKmh !== null || conditions.ignition !== null)) {
    throw invalidField('conditions', 'unknown-field', { name: 'conditions' });
  }
  if (repeatMinutes > 0) throw invalidField('repeatMinutes', 'unknown-field', { name: 'repeatMinutes' });
}

/** As the audit log says it; how long silence takes is a setting, and in the log as such. */
const said = ({ kind: _kind, minutes: _minutes, ...rest }: Kept) => rest;

/** Creates the account's rule for the kind, or changes it. */
async function store(trx: AccountTransaction, accountId: number, kept: Kept, beginsAnew: boolean): Promise<number> {
  const { action, conditions, escalation, isOn, kind, mailTo, message, pushTo, severity, vehicles, when } = kept;
  const row = {
    ...{ is_on: isOn, severity, when: when && JSON.stringify(when), is_for_all: vehicles === null },
    ...{ conditions: conditions && JSON.stringify(conditions), repeat_minutes: kept.repeatMinutes, action, message },
    needs_note: kept.needsNote,
    mail_to: mailTo && [...mailTo],
    push_to: pushTo && [...pushTo],
    webhook_ids: kept.webhookIds?.map(Number) ?? null,
    escalate_minutes: escalation?.minutes ?? null,
    escalate_to: escalation && [...escalation.to],
    changed_at: new Date(),
  };
  const known = await trx.selectFrom('rule').select('id').where('built_in', '=', kind).executeTakeFirst();
  if (known) {
    await trx
      .updateTable('rule')
      .set({ ...row, version: sql`version + 1`, ...(beginsAnew && { since: new Date() }) })
      .where('id', '=', known.id)
      .execute();
  }
  const { id } =
    known ??
    (await trx
      .insertInto('rule')
      .values({
        ...row,
        ...{ account_id: accountId, name: kind, built_in: kind, trigger: '{}', since: new Date(0) },
        ...{ is_any_geofence: true, is_inside: true, owner_id: null },
        created_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow());
  await writeVehicles(trx, accountId, id, vehicles);
  return id;
}

/** Ends what lasts. Returns the IDs. */
async function closeAll(trx: AccountTransaction, kind: BuiltInKind): Promise<string[]> {
  const rows = await trx
    .updateTable('alert')
    .set({ closed_at: sql`greatest(now(), opened_at)` })
    .where('kind', '=', kind)
    .where('closed_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function countAlerts(
  trx: AccountTransaction,
  vehicleIds: readonly number[] | null,
): Promise<ReadonlyMap<string, BuiltInRule['alerts']>> {
  const { rows } = await sql<{ kind: string; count: number; acknowledged: number; last_at: Date | null }>`
    select kind, count(*)::int4 as count, count(acknowledged_by)::int4 as acknowledged, max(opened_at) as last_at
    from alert
    where kind <> 'rule' and opened_at > now() - make_interval(days => ${RULE_ALERT_DAYS})
      and (${vehicleIds}::int4[] is null or vehicle_id = any (${vehicleIds}::int4[]))
    group by kind`.execute(trx);
  return new Map(
    rows.map(({ acknowledged, count, kind, last_at }) => [
      kind,
      { count, acknowledged, lastAt: last_at?.toISOString() ?? null },
    ]),
  );
}

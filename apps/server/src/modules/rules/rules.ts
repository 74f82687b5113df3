import {
  hasOnlyItsConditions,
  hasOrder,
  type newRuleSchema,
  RULE_ALERT_DAYS,
  RULES_MAX,
  type Rule,
  type RuleMutes,
  type ruleChangeSchema,
  type Severity,
} from '@milepost/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { isSameTerms } from '../../watching/watched.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { named } from '../geofences/taken.ts';
import { type Mute, readMutes, setMute } from './mutes.ts';
import { refuseCrowd } from './rule-facts.ts';
import { onlyTold, type RuleParts, type RuleRow, readParts, termsOfRow, writeVehicles } from './rule-terms.ts';
import { refuseUnknown } from './unknown-parts.ts';

type Fields = z.output<typeof newRuleSchema>;
type Change = z.output<typeof ruleChangeSchema>;
/** All of a rule that its users decide on. */
type Kept = Required<Change>;

export interface Rules {
  /** By name. A limited user is not told of vehicles and drivers that they don't see, and only their vehicles' alerts are counted. */
  list(viewer: Session): Promise<Rule[]>;
  create(by: By, fields: Fields): Promise<Rule>;
  /** What decides about its alerts begins anew if it changes, or if the rule is turned on. */
  update(by: By, id: number, change: Change): Promise<Rule>;
  /** For everyone; null ends it. */
  mute(by: By, id: number, mute: Mute): Promise<Rule>;
  muteForMe(by: By, id: number, mute: Mute): Promise<Pick<RuleMutes, 'me'>>;
  remove(by: By, id: number): Promise<void>;
}

/** What a new rule begins with, off until someone turns it on. */
export const RULE_DEFAULTS: Omit<Kept, 'name' | 'trigger'> = {
  isOn: false,
  severity: 'warning',
  geofenceIds: null,
  where: 'inside',
  vehicles: null,
  when: null,
  conditions: null,
  repeatMinutes: 0,
  action: null,
  needsNote: false,
  message: null,
  mailTo: null,
  pushTo: null,
  webhookIds: null,
  ownerId: null,
  escalation: null,
};

export function createRules({ db }: Pick<Context, 'db'>, { visibility, directory, roster }: Organisation): Rules {
  const read = async (trx: AccountTransaction, viewer: Session, id: number | null): Promise<Rule[]> => {
    const rows = await trx
      .selectFrom('rule')
      .leftJoin('person', join =>
        join.onRef('person.account_id', '=', 'rule.account_id').onRef('person.id', '=', 'rule.created_by'),
      )
      .selectAll('rule')
      .select('person.display_name as creator')
      .where('built_in', 'is', null)
      .$if(id !== null, query => query.where('rule.id', '=', id))
      .orderBy(sql`lower(rule.name)`)
      .$if(id !== null, query => query.forUpdate('rule'))
      .execute();
    const ids = rows.map(row => row.id);
    if (ids.length === 0) return [];
    const parts = await readParts(trx, ids);
    const seesAll = visibility.seesAll(viewer);
    const seen = seesAll ? null : visibility.vehicles(viewer).map(vehicle => vehicle.id);
    const alerts = await alertsOf(trx, ids, seen);
    const mutesOf = await readMutes(trx, viewer);
    const isSeen = (vehicleId: string): boolean =>
      seesAll || visibility.sees(viewer, directory.findById(Number(vehicleId)));
    const isTold = (driverId: string): boolean => {
      const driver = roster.driver(viewer.accountId, Number(driverId));
      return seesAll || (driver !== null && visibility.seesDriver(viewer, driver));
    };
    return rows.map(row =>
      onlyTold(toRule(row, parts(row.id, isSeen), alerts.get(row.id), mutesOf(row.id)), isTold, isSeen),
    );
  };
  const found = async (trx: AccountTransaction, viewer: Session, id: number): Promise<Rule> => {
    const [rule] = await read(trx, viewer, id);
    if (!rule) throw new AppError('not-found');
    return rule;
  };

  return {
    list: viewer => db.asAccount(viewer.accountId, trx => read(trx, viewer, null)),

    create: ({ author, session }, fields) =>
      named('rule_name', 'rule-name-taken', () =>
        db.asAccount(session.accountId, async trx => {
          const { accountId, userId } = session;
          const { count } = await trx
            .selectFrom('rule')
            .select(trx.fn.countAll<string>().as('count'))
            .where('built_in', 'is', null)
            .executeTakeFirstOrThrow();
          if (Number(count) >= RULES_MAX) throw new AppError('too-many-rules', { limit: RULES_MAX });
          const kept: Kept = { ...RULE_DEFAULTS, ownerId: userId, ...fields };
          await refuseUnknown(trx, kept);
          refuseCrowd(roster, directory.ofAccount(accountId), kept.trigger);
          const { id } = await trx
            .insertInto('rule')
            .values({ account_id: accountId, created_by: userId, ...toRow(kept) })
            .returning('id')
            .executeTakeFirstOrThrow();
          await writeParts(trx, accountId, id, kept);
          const changes = changesBetween({}, said(kept));
          const rule = said(kept);
          await audit(trx, author, { action: 'rule.created', target: { id, name: kept.name }, changes, rule });
          return found(trx, session, id);
        }),
      ),

    update: ({ author, session }, id, change) =>
      named('rule_name', 'rule-name-taken', () =>
        db.asAccount(session.accountId, async trx => {
          const before = await found(trx, session, id);
          const after: Kept = { ...before, ...change };
          if (after.trigger.kind === 'absent' && after.geofenceIds === null) {
            throw invalidField('geofenceIds', 'at-least-one');
          }
          if (!hasOrder(after)) throw invalidField('geofenceIds', 'at-least-two');
          if (!hasOnlyItsConditions(after)) throw invalidField('conditions', 'unknown-field', { name: 'minutes' });
          const { trigger, ...others } = onlyNamed(after, change);
          await refuseUnknown(trx, change.trigger ? { ...others, trigger } : others);
          if (change.trigger) refuseCrowd(roster, directory.ofAccount(session.accountId), trigger);
          const changes = changesBetween(said(before), said(after));
          if (changes.length === 0) return before;
          const beginsAnew = !isSameTerms(before, after) || (after.isOn && !before.isOn);
          await trx
            .updateTable('rule')
            .set({ ...toRow(after), changed_at: new Date() })
            .$if(beginsAnew, query => query.set({ version: sql`version + 1`, since: new Date() }))
            .where('id', '=', id)
            .execute();
          await writeParts(trx, session.accountId, id, after);
          await audit(trx, author, {
            ...{ action: 'rule.changed', target: { id, name: after.name }, changes, rule: said(after) },
          });
          return found(trx, session, id);
        }),
      ),

    mute: (by, id, mute) =>
      db.asAccount(by.session.accountId, async trx => {
        const { name } = await found(trx, by.session, id);
        await setMute(trx, by, { ruleId: id, name }, 'everyone', mute);
        return found(trx, by.session, id);
      }),

    muteForMe: (by, id, mute) =>
      db.asAccount(by.session.accountId, async trx => {
        const { name } = await found(trx, by.session, id);
        return setMute(trx, by, { ruleId: id, name }, 'me', mute);
      }),

    remove: ({ author, session }, id) =>
      db.asAccount(session.accountId, async trx => {
        const before = await found(trx, session, id);
        // Nothing will end them any more.
        await trx
          .updateTable('alert')
          .set({ closed_at: sql`greatest(now(), opened_at)` })
          .where('rule_id', '=', id)
          .where('closed_at', 'is', null)
          .execute();
        await trx.deleteFrom('rule').where('id', '=', id).execute();
        await audit(trx, author, { action: 'rule.deleted', target: before, rule: said(before) });
      }),
  };
}

/** What was deleted since a rule named it is no reason to refuse another change. */
const onlyNamed = (after: Kept, change: Change): Kept => ({
  ...after,
  geofenceIds: change.geofenceIds ?? null,
  mailTo: change.mailTo ?? null,
  pushTo: change.pushTo ?? null,
  conditions: change.conditions ?? null,
  webhookIds: change.webhookIds ?? null,
  ownerId: change.ownerId ?? null,
  escalation: change.escalation ?? null,
});

interface AlertCount {
  readonly rule_id: number | null;
  readonly count: number;
  readonly acknowledged: number;
  readonly last_at: Date | null;
}

async function alertsOf(
  trx: AccountTransaction,
  ids: readonly number[],
  vehicleIds: readonly number[] | null,
): Promise<Map<number | null, AlertCount>> {
  const { rows } = await sql<AlertCount>`
    select rule_id, count(*)::int4 as count, count(acknowledged_by)::int4 as acknowledged, max(opened_at) as last_at
    from alert
    where rule_id = any (${ids}::int4[]) and opened_at > now() - make_interval(days => ${RULE_ALERT_DAYS})
      and (${vehicleIds}::int4[] is null or vehicle_id = any (${vehicleIds}::int4[]))
    group by rule_id`.execute(trx);
  return new Map(rows.map(row => [row.rule_id, row]));
}

async function writeParts(
  trx: AccountTransaction,
  accountId: number,
  id: number,
  { geofenceIds, vehicles }: Kept,
): Promise<void> {
  await trx.deleteFrom('rule_geofence').where('rule_id', '=', id).execute();
  const geofences = [...new Set(geofenceIds)].map((geofence, place) => ({
    account_id: accountId,
    rule_id: id,
    geofence_id: Number(geofence),
    place,
  }));
  if (geofences.length > 0) await trx.insertInto('rule_geofence').values(geofences).execute();
  await writeVehicles(trx, accountId, id, vehicles);
}

const toRow = (kept: Kept) => ({
  name: kept.name,
  is_on: kept.isOn,
  severity: kept.severity,
  trigger: JSON.stringify(kept.trigger),
  when: kept.when && JSON.stringify(kept.when),
  conditions: kept.conditions && JSON.stringify(kept.conditions),
  is_any_geofence: kept.geofenceIds === null,
  is_inside: kept.where === 'inside',
  is_for_all: kept.vehicles === null,
  repeat_minutes: kept.repeatMinutes,
  action: kept.action || null,
  needs_note: kept.needsNote,
  message: kept.message || null,
  mail_to: kept.mailTo && [...kept.mailTo],
  push_to: kept.pushTo && [...kept.pushTo],
  webhook_ids: kept.webhookIds?.map(Number) ?? null,
  owner_id: kept.ownerId,
  escalate_minutes: kept.escalation?.minutes ?? null,
  escalate_to: kept.escalation && [...kept.escalation.to],
});

function toRule(
  row: RuleRow & { readonly creator: string | null },
  { geofenceIds, vehicles }: RuleParts,
  alerts: AlertCount | undefined,
  mutes: RuleMutes,
): Rule {
  return {
    id: String(row.id),
    name: row.name,
    isOn: row.is_on,
    severity: row.severity as Severity,
    ...termsOfRow(row, geofenceIds),
    vehicles: row.is_for_all ? null : vehicles,
    action: row.action,
    needsNote: row.needs_note,
    message: row.message,
    mailTo: row.mail_to,
    pushTo: row.push_to,
    webhookIds: row.webhook_ids?.map(String) ?? null,
    ownerId: row.owner_id,
    escalation: row.escalate_minutes === null ? null : { minutes: row.escalate_minutes, to: row.escalate_to ?? [] },
    alerts: {
      count: alerts?.count ?? 0,
      acknowledged: alerts?.acknowledged ?? 0,
      lastAt: alerts?.last_at?.toISOString() ?? null,
    },
    mutes,
    createdAt: row.created_at.toISOString(),
    createdBy: row.creator,
    changedAt: row.changed_at.toISOString(),
  };
}

/** As the audit log says it. */
const said = (kept: Kept) => ({
  name: kept.name,
  isOn: kept.isOn,
  severity: kept.severity,
  trigger: kept.trigger,
  geofenceIds: kept.geofenceIds,
  where: kept.where,
  vehicles: kept.vehicles,
  when: kept.when,
  conditions: kept.conditions,
  repeatMinutes: kept.repeatMinutes,
  action: kept.action || null,
  needsNote: kept.needsNote,
  message: kept.message || null,
  mailTo: kept.mailTo,
  pushTo: kept.pushTo,
  webhookIds: kept.webhookIds,
  ownerId: kept.ownerId,
  escalation: kept.escalation,
});

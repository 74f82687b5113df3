import type { Severity } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { seesAlert } from '../alerts/audience.ts';
import { countForDay } from '../notifications/daily-limit.ts';
import { type About, isMutedFor, isRecipient, MUTED, type RecipientParts } from '../notifications/is-recipient.ts';
import { readRecipients } from '../notifications/recipients.ts';

/** Looked at in one go. */
const AT_ONCE = 500;

interface Due extends About {
  readonly alertId: string;
  readonly accountId: number;
  readonly severity: Severity;
  readonly escalateTo: readonly string[];
}

/**
 * Alerts that nobody has acknowledged for as long as their rule says go to those it names for that: once, because the
 * emails and pushes are queued in the transaction that says it is done. Someone who may not see the vehicle, who has
 * muted the rule for themselves, or who has left, is left out. While the rule is muted for everyone, it goes to nobody,
 * and isn't made up for.
 */
export async function escalateAlerts(
  { db, signals }: Pick<Context, 'db' | 'signals'>,
  parts: RecipientParts,
  now: Date,
): Promise<void> {
  await db.system
    .updateTable('alert')
    .set({ escalate_at: null })
    .where('escalate_at', '<=', now)
    .where(({ eb, or }) => or([eb('acknowledged_at', 'is not', null), eb('rule_id', 'is', null), MUTED.isMuted]))
    .execute();
  const { rows } = await sql<Due>`
    select alert.id as "alertId", alert.account_id as "accountId", alert.vehicle_id as "vehicleId",
      alert.driver_id as "driverId", alert.kind, alert.severity, null as "askedBy", task.created_by as "taskBy", rule.mail_to as "mailTo",
      coalesce(rule.escalate_to, '{}') as "escalateTo", ${MUTED.isMuted} as "isMuted", ${MUTED.mutedBy} as "mutedBy"
    from alert join rule on rule.account_id = alert.account_id and rule.id = alert.rule_id
      left join task on task.id = alert.task_id
    where alert.escalate_at <= ${now} and alert.acknowledged_at is null
    order by alert.escalate_at limit ${AT_ONCE}`.execute(db.system);
  for (const [accountId, own] of Map.groupBy(rows, row => row.accountId)) {
    const userIds = [...new Set(own.flatMap(({ escalateTo }) => escalateTo))];
    const people = await readRecipients(db, accountId, userIds, 'push');
    const written: string[] = [];
    for (const due of own) {
      const named = due.escalateTo.flatMap(id => people.get(id) ?? []);
      const told = named.filter(recipient => seesAlert(recipient.viewer, due, parts) && !isMutedFor(recipient, due));
      const mailed = told.filter(
        recipient => recipient.address !== '' && isRecipient(recipient, due, 'ruleEscalated', parts),
      );
      const escalation = { at: now.toISOString(), to: told.map(({ name }) => name) };
      const isDone = await db.system.transaction().execute(async trx => {
        const { numUpdatedRows } = await trx
          .updateTable('alert')
          .set({ escalate_at: null, escalation: JSON.stringify(escalation) as never })
          .where('id', '=', due.alertId)
          .where('escalate_at', '<=', now)
          .where('acknowledged_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const { alertId, severity } = due;
        const counted = mailed.map(recipient => ({ recipient, alertId, severity, reason: 'ruleEscalated' as const }));
        await countForDay(trx, accountId, counted, now);
        const mail = { alert_id: due.alertId, account_id: accountId, severity: due.severity, noted_at: now };
        const nothingYet = { mail_id: null, begun_at: null, sent_at: null, given_up_at: null };
        if (mailed.length > 0) {
          await trx
            .insertInto('alert_mail')
            .values(
              mailed.map(({ viewer }) => ({
                ...{ ...mail, ...nothingYet },
                ...{ user_id: viewer.userId, reason: 'ruleEscalated' as const },
              })),
            )
            .onConflict(conflict => conflict.doNothing())
            .execute();
        }
        const ids = told.map(({ viewer }) => viewer.userId);
        await sql`
          insert into push_delivery (account_id, subscription_id, alert_id, noted_at, next_at, reason)
          select account_id, id, ${due.alertId}::uuid, ${now}, ${now}, 'ruleEscalated' from push_subscription
          where account_id = ${accountId} and user_id = any(${ids}::uuid[])`.execute(trx);
        return true;
      });
      if (isDone) written.push(due.alertId);
    }
    if (written.length > 0) signals.emit('alerts-written', { ids: written });
  }
}

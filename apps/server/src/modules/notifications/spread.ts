import type { AlertKind, Severity } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { countForDay, type ForSomeone } from './daily-limit.ts';
import { type About, isRecipient, MUTED, type RecipientParts } from './is-recipient.ts';
import type { Reason } from './mail-preferences.ts';
import { type Recipient, readRecipients } from './recipients.ts';

/** Looked at in one go; what is more waits for the next. */
const AT_ONCE = 500;
/** PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 5000;
/** What nobody has acknowledged for so long is no longer news to anybody. */
const OLD = '2 days';

interface Notice extends About {
  readonly alertId: string;
  readonly accountId: number;
  readonly severity: Severity;
}

/** Decides who gets emails about new alerts, and about critical ones that nobody has acknowledged. */
export async function spreadNotices(
  { db, log }: Pick<Context, 'db' | 'log'>,
  parts: RecipientParts,
  now: Date,
): Promise<void> {
  const told = async (reason: Reason, notices: readonly Notice[], settle: Settle): Promise<void> => {
    for (const [accountId, own] of Map.groupBy(notices, notice => notice.accountId)) {
      try {
        const recipients = await readRecipients(db, accountId);
        const asked = own.flatMap(notice => askedOf(notice, recipients, parts, reason));
        await db.system.transaction().execute(async trx => {
          const digests = await countForDay(trx, accountId, asked, now);
          const rows = asked.map((each, nth) => rowOf(each, accountId, digests[nth] ?? null, now));
          for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
            await trx
              .insertInto('alert_mail')
              .values(rows.slice(from, from + ROWS_AT_ONCE))
              .onConflict(conflict => conflict.doNothing())
              .execute();
          }
          await settle(
            trx,
            own.map(({ alertId }) => alertId),
          );
        });
      } catch (error) {
        // They stay where they are, and are tried again.
        log.error({ err: error, accountId }, 'Could not queue alert emails for their recipients');
      }
    }
  };

  await told('opened', await readNew(db.system), (trx, ids) =>
    trx.updateTable('alert_notice').set({ spread_at: now }).where('alert_id', 'in', ids).execute(),
  );
  await told('escalated', await readUnanswered(db.system, now), (trx, ids) =>
    trx.deleteFrom('alert_notice').where('alert_id', 'in', ids).execute(),
  );
  await forgetSettled(db.system, now);
}

type Settle = (trx: Kysely<Database>, alertIds: readonly string[]) => Promise<unknown>;

function askedOf(
  notice: Notice,
  recipients: ReadonlyMap<string, Recipient>,
  parts: RecipientParts,
  reason: Reason,
): ForSomeone[] {
  const { alertId, severity } = notice;
  return [...recipients.values()]
    .filter(recipient => isRecipient(recipient, notice, reason, parts))
    .map(recipient => ({ recipient, alertId, severity, reason }));
}

/** What is beyond someone's limit waits for their digest, as if it came up then. */
const rowOf = (
  { alertId, reason, recipient, severity }: ForSomeone,
  accountId: number,
  digestAt: Date | null,
  now: Date,
) => ({
  ...{ alert_id: alertId, account_id: accountId, user_id: recipient.viewer.userId, reason, severity },
  ...{ noted_at: digestAt ?? now, is_beyond: digestAt !== null },
  ...{ mail_id: null, begun_at: null, sent_at: null, given_up_at: null },
});

const selectNotices = (system: Kysely<Database>) =>
  system
    .selectFrom('alert_notice')
    .innerJoin('alert', 'alert.id', 'alert_notice.alert_id')
    .leftJoin('command', 'command.id', 'alert.command_id')
    .leftJoin('rule', 'rule.id', 'alert.rule_id')
    .leftJoin('task', 'task.id', 'alert.task_id')
    .select('task.created_by as taskBy')
    .select(['command.created_by as askedBy', 'rule.mail_to as mailTo', 'rule.escalate_to as escalateTo'])
    .select(['alert.id as alertId', 'alert.account_id as accountId', 'alert.vehicle_id as vehicleId'])
    .select('alert.driver_id as driverId')
    .select([MUTED.isMuted.as('isMuted'), MUTED.mutedBy.as('mutedBy')])
    // The columns hold the contract's words.
    .select(({ ref }) => [
      ref('alert.kind').$castTo<AlertKind>().as('kind'),
      ref('alert.severity').$castTo<Severity>().as('severity'),
    ])
    .orderBy('noted_at')
    .limit(AT_ONCE);

const readNew = (system: Kysely<Database>): Promise<Notice[]> =>
  selectNotices(system).where('spread_at', 'is', null).execute();

const readUnanswered = (system: Kysely<Database>, now: Date): Promise<Notice[]> =>
  selectNotices(system)
    .innerJoin('notification_setting as setting', 'setting.account_id', 'alert_notice.account_id')
    .where('spread_at', 'is not', null)
    .where('alert.severity', '=', 'critical')
    .where('acknowledged_at', 'is', null)
    .where('setting.mail', '=', true)
    // Its rule says itself to whom it goes then.
    .where('rule.escalate_minutes', 'is', null)
    .where(sql<boolean>`noted_at <= ${now}::timestamptz - make_interval(mins => escalate_after_minutes)`)
    .execute();

/** Only a critical alert that is still open can be escalated. */
async function forgetSettled(system: Kysely<Database>, now: Date): Promise<void> {
  await system
    .deleteFrom('alert_notice')
    .using('alert')
    .whereRef('alert.id', '=', 'alert_notice.alert_id')
    .where('spread_at', 'is not', null)
    .where(({ eb, or }) =>
      or([
        eb('severity', '!=', 'critical'),
        eb('acknowledged_at', 'is not', null),
        eb('noted_at', '<', sql<Date>`${now}::timestamptz - ${OLD}::interval`),
      ]),
    )
    .execute();
}

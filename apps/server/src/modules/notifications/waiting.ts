import type { AlertKind, Severity } from '@milepost/contract';
import { type Kysely, type NotNull, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { type About, MUTED } from './is-recipient.ts';
import type { Reason } from './mail-preferences.ts';

/** A burst is one email: alerts within this time are sent together. */
const GATHER_MS = 10_000;
/** In one mail; what is more goes with the next. */
const IN_ONE_MAIL = 500;

/** A recipient with something to send, who can get another email now. */
export interface Waiting {
  readonly userId: string;
  readonly accountId: number;
  /** Of all that waits for them. */
  readonly severities: readonly Severity[];
  readonly tries: number;
}

/** An alert waiting to be sent to them. */
export interface Item extends About {
  readonly id: string;
  readonly alertId: string;
  readonly reason: Reason;
  readonly notedAt: Date;
  readonly severity: Severity;
  readonly acknowledgedAt: Date | null;
  /** It was beyond their limit of alerts a day. */
  readonly isBeyond: boolean;
}

const unsent = sql<boolean>`alert_mail.sent_at is null and alert_mail.given_up_at is null`;
const gathered = (now: Date) => new Date(now.getTime() - GATHER_MS);

/** Looks at one row for each severity of each of them, however much is waiting. Those who have waited longest come first. */
export async function readWaiting(system: Kysely<Database>, now: Date): Promise<Waiting[]> {
  const oldest = sql`select user_id, account_id, severity, noted_at from alert_mail`;
  const order = sql`order by user_id, severity, noted_at limit 1`;
  const { rows } = await sql<Waiting>`
    with recursive oldest as (
      (${oldest} where ${unsent} ${order})
      union all
      select following.* from oldest cross join lateral (
        ${oldest} where ${unsent} and (user_id, severity) > (oldest.user_id, oldest.severity) ${order}
      ) as following
    )
    select oldest.user_id as "userId", oldest.account_id as "accountId", array_agg(severity) as severities,
      coalesce(pace.tries, 0) as tries
    from oldest left join alert_mail_pace as pace on pace.user_id = oldest.user_id
    where noted_at <= ${gathered(now)} and coalesce(next_at <= ${now}, true)
    group by oldest.user_id, oldest.account_id, tries, next_at
    order by greatest(next_at, min(noted_at))`.execute(system);
  return rows;
}

export interface BegunMail {
  readonly mailId: string;
  readonly since: Date;
}

/** Of the mails that were begun and did not end well, the one to try next: those that hold any of these severities. */
export const readBegun = (
  system: Kysely<Database>,
  userId: string,
  severities: readonly Severity[],
): Promise<BegunMail | undefined> =>
  system
    .selectFrom('alert_mail')
    .select(({ fn }) => ['mail_id as mailId', fn.min('begun_at').as('since')])
    .$narrowType<{ mailId: NotNull; since: NotNull }>()
    .where('user_id', '=', userId)
    .where(unsent)
    .where('mail_id', 'is not', null)
    .where('severity', 'in', severities)
    .groupBy('mail_id')
    .orderBy(sql`bool_or(severity = 'critical')`, 'desc')
    .orderBy('since')
    .limit(1)
    .executeTakeFirst();

/** All that is in it. */
export const readBegunItems = (system: Kysely<Database>, userId: string, mailId: string): Promise<Item[]> =>
  selectItems(system, userId).where('mail_id', '=', mailId).execute();

/** What may go into a new mail. */
export const readNewItems = (
  system: Kysely<Database>,
  userId: string,
  severities: readonly Severity[],
  now: Date,
): Promise<Item[]> =>
  selectItems(system, userId)
    .where('mail_id', 'is', null)
    .where('alert_mail.severity', 'in', severities)
    .where('noted_at', '<=', gathered(now))
    .orderBy(sql`alert_mail.severity = 'critical'`, 'desc')
    .orderBy('noted_at')
    .limit(IN_ONE_MAIL)
    .execute();

const selectItems = (system: Kysely<Database>, userId: string) =>
  system
    .selectFrom('alert_mail')
    .innerJoin('alert', 'alert.id', 'alert_mail.alert_id')
    .leftJoin('command', 'command.id', 'alert.command_id')
    .leftJoin('rule', 'rule.id', 'alert.rule_id')
    .leftJoin('task', 'task.id', 'alert.task_id')
    .select('task.created_by as taskBy')
    .select(['rule.mail_to as mailTo', 'rule.escalate_to as escalateTo'])
    .select(['alert_mail.id', 'alert_id as alertId', 'alert_mail.reason', 'alert_mail.severity'])
    .select([MUTED.isMuted.as('isMuted'), MUTED.mutedBy.as('mutedBy')])
    .select('alert_mail.is_beyond as isBeyond')
    .select(['noted_at as notedAt', 'alert.vehicle_id as vehicleId', 'alert.driver_id as driverId'])
    .select(['alert.acknowledged_at as acknowledgedAt', 'command.created_by as askedBy'])
    .select(({ ref }) => ref('alert.kind').$castTo<AlertKind>().as('kind'))
    .where('user_id', '=', userId)
    .where(unsent);

export async function dropItems(system: Kysely<Database>, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  await system.deleteFrom('alert_mail').where('id', 'in', ids).execute();
}

/** Nothing is for them any more. */
export async function dropAll(system: Kysely<Database>, userId: string): Promise<void> {
  await system.deleteFrom('alert_mail').where('user_id', '=', userId).where(unsent).execute();
}

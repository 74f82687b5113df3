import type { AlertKind, Severity } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { About } from './hears.ts';
import type { Reason } from './wishes.ts';

/** A storm is one mail: what comes up within this is told together. */
const GATHER_MS = 10_000;
/** In one mail; what is more goes with the next. */
const IN_ONE_MAIL = 500;

/** Somebody for whom there is something to send, and who may get a mail again. */
export interface Waiting {
  readonly userId: string;
  readonly accountId: number;
  /** The mail that was begun before and did not end well. */
  readonly mailId: string | null;
  readonly mailSince: Date | null;
  readonly tries: number;
}

/** An alert that waits to be told to them. */
export interface Item extends About {
  readonly id: string;
  readonly alertId: string;
  readonly reason: Reason;
  readonly notedAt: Date;
  readonly severity: Severity;
  readonly acknowledgedAt: Date | null;
}

const unsent = sql<boolean>`alert_mail.sent_at is null and alert_mail.given_up_at is null`;
const gathered = (now: Date) => new Date(now.getTime() - GATHER_MS);

export const readWaiting = (system: Kysely<Database>, now: Date): Promise<Waiting[]> =>
  system
    .selectFrom('alert_mail')
    .leftJoin('alert_mail_pace as pace', 'pace.user_id', 'alert_mail.user_id')
    .select(['alert_mail.user_id as userId', 'alert_mail.account_id as accountId'])
    .select(['pace.mail_id as mailId', 'pace.mail_since as mailSince'])
    .select(sql<number>`coalesce(pace.tries, 0)`.as('tries'))
    .distinct()
    .where(unsent)
    .where('noted_at', '<=', gathered(now))
    .where(sql<boolean>`coalesce(pace.next_at <= ${now}, true)`)
    .execute();

/** What is in the mail that was begun; else all that may go into a new one. */
export const readItems = (system: Kysely<Database>, { mailId, userId }: Waiting, now: Date): Promise<Item[]> =>
  system
    .selectFrom('alert_mail')
    .innerJoin('alert', 'alert.id', 'alert_mail.alert_id')
    .leftJoin('command', 'command.id', 'alert.command_id')
    .select([
      'alert_mail.id',
      'alert_id as alertId',
      'alert_mail.reason',
      'noted_at as notedAt',
      'alert.vehicle_id as vehicleId',
    ])
    .select(['alert.acknowledged_at as acknowledgedAt', 'command.created_by as askedBy'])
    .select(({ ref }) => [
      ref('alert.kind').$castTo<AlertKind>().as('kind'),
      ref('alert.severity').$castTo<Severity>().as('severity'),
    ])
    .where('user_id', '=', userId)
    .where(unsent)
    .$if(mailId !== null, query => query.where('mail_id', '=', mailId))
    .$if(mailId === null, query => query.where('noted_at', '<=', gathered(now)))
    .orderBy('noted_at')
    .limit(IN_ONE_MAIL)
    .execute();

export async function dropItems(system: Kysely<Database>, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  await system.deleteFrom('alert_mail').where('id', 'in', ids).execute();
}

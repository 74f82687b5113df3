import {
  ALERT_KINDS,
  type AlertKind,
  DEFAULT_NOTIFICATION_CHOICE,
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationChoice,
  type NotificationSettings,
} from '@milepost/contract';
import type { Selectable } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { NotificationChoiceTable, NotificationSettingTable } from '../../db/notification-schema.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';

export interface SettingsAndAuthor {
  readonly settings: NotificationSettings;
  readonly changed: { readonly at: string; readonly by: string | null } | null;
}

export async function readSettings(trx: AccountTransaction): Promise<SettingsAndAuthor> {
  const row = await trx
    .selectFrom('notification_setting')
    .leftJoin('person', join =>
      join
        .onRef('person.account_id', '=', 'notification_setting.account_id')
        .onRef('person.id', '=', 'notification_setting.changed_by'),
    )
    .selectAll('notification_setting')
    .select('person.display_name as by')
    .executeTakeFirst();
  if (!row) return { settings: DEFAULT_NOTIFICATION_SETTINGS, changed: null };
  return { settings: toSettings(row), changed: { at: row.changed_at.toISOString(), by: row.by } };
}

export async function changeSettings(
  trx: AccountTransaction,
  { session, author }: By,
  wanted: NotificationSettings,
): Promise<void> {
  const settings = { ...wanted, kinds: knownKinds(wanted.kinds) };
  const { settings: before } = await readSettings(trx);
  const changes = changesBetween(before, settings);
  if (changes.length === 0) return;
  const { mail, kinds, escalateAfterMinutes } = settings;
  const row = {
    mail,
    kinds,
    ...toQuietColumns(settings),
    escalate_after_minutes: escalateAfterMinutes,
    changed_at: new Date(),
    changed_by: session.userId,
  };
  await trx
    .insertInto('notification_setting')
    .values({ ...row, account_id: session.accountId })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .execute();
  await audit(trx, author, { action: 'settings.changed', target: { id: session.accountId, name: '' }, changes });
}

export async function readChoice(trx: AccountTransaction, userId: string): Promise<NotificationChoice> {
  const row = await trx.selectFrom('notification_choice').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row ? toChoice(row) : DEFAULT_NOTIFICATION_CHOICE;
}

export async function changeChoice(
  trx: AccountTransaction,
  { session, author }: By,
  wanted: NotificationChoice,
): Promise<void> {
  const choice = { ...wanted, kinds: wanted.kinds && knownKinds(wanted.kinds) };
  const { accountId, userId, userName } = session;
  const changes = changesBetween(await readChoice(trx, userId), choice);
  if (changes.length === 0) return;
  const { dailyLimit, kinds, escalations, quiet } = choice;
  const row = { kinds, escalations, quiet, ...toQuietColumns(choice), daily_limit: dailyLimit };
  await trx
    .insertInto('notification_choice')
    .values({ ...row, account_id: accountId, user_id: userId })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(row))
    .execute();
  await audit(trx, author, { action: 'profile.changed', target: { id: userId, name: userName }, changes });
}

type SettingRow = Selectable<NotificationSettingTable>;
type ChoiceRow = Selectable<NotificationChoiceTable>;

const toSettings = (row: SettingRow): NotificationSettings => ({
  mail: row.mail,
  kinds: knownKinds(row.kinds),
  ...fromQuietColumns(row),
  escalateAfterMinutes: row.escalate_after_minutes,
});

export const toChoice = (row: ChoiceRow): NotificationChoice => ({
  kinds: row.kinds && knownKinds(row.kinds),
  escalations: row.escalations,
  quiet: row.quiet as NotificationChoice['quiet'],
  dailyLimit: row.daily_limit,
  ...fromQuietColumns(row),
});

/** Each once and in order; another version's kind is no failure. */
const knownKinds = (stored: readonly string[]): AlertKind[] => ALERT_KINDS.filter(kind => stored.includes(kind));

type Quiet = Pick<NotificationSettings, 'quietFrom' | 'quietTo' | 'criticalBreaks'>;

const toQuietColumns = ({ quietFrom, quietTo, criticalBreaks }: Quiet) => ({
  quiet_from: quietFrom,
  quiet_to: quietTo,
  critical_breaks: criticalBreaks,
});

const fromQuietColumns = (row: Pick<SettingRow, 'quiet_from' | 'quiet_to' | 'critical_breaks'>): Quiet => ({
  quietFrom: row.quiet_from,
  quietTo: row.quiet_to,
  criticalBreaks: row.critical_breaks,
});

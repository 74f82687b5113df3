import type { RouteParsed } from '@milepost/contract';
import {
  DEFAULT_SETTINGS,
  type RouteAnswer,
  type readSettingChanges,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  settingsSchema,
  type updateSettings,
} from '@milepost/contract';
import type { AccountTransaction } from '../../db/database.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';

export type SettingChanges = RouteAnswer<typeof readSettingChanges>;

/** The account's changes to the default settings, and who made them. */
export async function readAccountSettings(trx: AccountTransaction): Promise<SettingChanges> {
  const rows = await trx
    .selectFrom('account_setting')
    .leftJoin('person', join =>
      join
        .onRef('person.account_id', '=', 'account_setting.account_id')
        .onRef('person.id', '=', 'account_setting.changed_by'),
    )
    .select(['account_setting.name', 'value', 'changed_at', 'person.display_name as by'])
    .execute();
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const changed: SettingChanges['changed'] = {};
  for (const { name, value, changed_at, by } of rows) {
    if (!isSetting(name)) continue;
    const read = settingsSchema.shape[name].safeParse(value);
    // A value that this version can't read counts as the default.
    if (!read.success) continue;
    settings[name] = read.data;
    changed[name] = { at: changed_at.toISOString(), by };
  }
  return { settings: settings as Settings, changed };
}

const isSetting = (name: string): name is SettingName => SETTING_NAMES.some(setting => setting === name);

/** Stores settings that differ from their default, deletes the others, and adds the changes to the audit log. */
export async function changeAccountSettings(
  trx: AccountTransaction,
  { session, author }: By,
  change: RouteParsed<typeof updateSettings>['body'],
): Promise<SettingChanges> {
  const { settings: before } = await readAccountSettings(trx);
  for (const name of SETTING_NAMES) {
    const value = change[name];
    if (value === undefined) continue;

    if (value === null || value === DEFAULT_SETTINGS[name]) {
      await trx.deleteFrom('account_setting').where('name', '=', name).execute();
    } else if (value !== before[name]) {
      const row = { value: JSON.stringify(value), changed_at: new Date(), changed_by: session.userId };
      await trx
        .insertInto('account_setting')
        .values({ ...row, account_id: session.accountId, name })
        .onConflict(conflict => conflict.columns(['account_id', 'name']).doUpdateSet(row))
        .execute();
    }
  }
  const after = await readAccountSettings(trx);
  const changes = changesBetween(before, after.settings);
  if (changes.length > 0) {
    const target = { id: session.accountId, name: '' };
    await audit(trx, author, { action: 'settings.changed', target, changes });
  }
  return after;
}

import {
  type Actor,
  DEFAULT_NOTIFICATION_CHOICE,
  type Language,
  may,
  type NotificationChoice,
  type NotificationSettings,
  type Permission,
  type Role,
  type Settings,
} from '@milepost/contract';
import { sql } from 'kysely';
import type { Databases } from '../../db/database.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { customPermissions } from '../accounts/load-session.ts';
import { readPreferences } from '../accounts/preferences.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readSettings, toChoice } from './settings.ts';

/** A user who can get messages: active, with an address for emails, allowed to know what they are about. */
export interface Recipient {
  readonly viewer: Viewer & Actor;
  readonly name: string;
  /** Empty only where one without an address was asked for. */
  readonly address: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly distanceUnit: Settings['distanceUnit'];
  readonly temperatureUnit: Settings['temperatureUnit'];
  /** Owners and admins hear of what nobody has acknowledged. */
  readonly getsEscalations: boolean;
  readonly choice: NotificationChoice;
  readonly organisation: Organisation;
}

export interface Organisation {
  readonly name: string;
  readonly timeZone: string;
  readonly settings: NotificationSettings;
}

/** By email or push; `own-log`: by push, about their own log. */
type Reach = 'mail' | 'push' | 'own-log';

const NEEDS: Readonly<Record<Reach, Permission>> = {
  mail: 'alerts.read',
  push: 'alerts.read',
  'own-log': 'logbook.own',
};

/**
 * Those of an account, or of these users alone. As it is at this moment: a change of rights, address or language holds
 * for the next mail.
 */
export function readRecipients(
  db: Databases,
  accountId: number,
  userIds: readonly string[] | 'all' = 'all',
  reach: Reach = 'mail',
): Promise<ReadonlyMap<string, Recipient>> {
  return db.asAccount(accountId, async trx => {
    const { settings } = await readSettings(trx);
    const { settings: account } = await readAccountSettings(trx);
    const { name } = await trx.selectFrom('account').select('name').executeTakeFirstOrThrow();
    const organisation = { name, timeZone: account.timeZone, settings };
    const choices = await trx.selectFrom('notification_choice').selectAll().execute();
    const choiceOf = new Map(choices.map(row => [row.user_id, toChoice(row)]));
    const rows = await trx
      .selectFrom('app_user')
      .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
      .select(['app_user.id', 'email', 'display_name', 'role', 'scope_folders', 'scope_departments', 'preferences'])
      .select('custom_role.permissions')
      .where('active', '=', true)
      .where(sql<boolean>`coalesce(app_user.expires_at > now(), true)`)
      .$if(reach === 'mail', query => query.where('email', 'is not', null))
      // Invited users who have not joined have none.
      .where('password_hash', 'is not', null)
      .$if(userIds !== 'all', query => query.where('app_user.id', '=', sql<string>`any(${userIds}::uuid[])`))
      .execute();
    const recipients = rows.flatMap((row): Recipient[] => {
      const role = row.role as Role;
      const permissions = row.permissions && customPermissions(row.permissions);
      const { scope_folders: folderIds, scope_departments: departmentIds } = row;
      const scope = folderIds && departmentIds && { folderIds, departmentIds };
      if (!may({ role, permissions, scope, readOnly: false }, NEEDS[reach])) return [];
      const preferences = readPreferences(row.preferences);
      return [
        {
          viewer: {
            accountId,
            userId: row.id,
            role,
            permissions,
            readOnly: false,
            scope,
          },
          name: row.display_name,
          address: row.email ?? '',
          language: preferences.language ?? account.language,
          timeZone: preferences.timeZone ?? account.timeZone,
          distanceUnit: preferences.distanceUnit ?? account.distanceUnit,
          temperatureUnit: preferences.temperatureUnit ?? account.temperatureUnit,
          getsEscalations: getsEscalations(role, permissions),
          choice: choiceOf.get(row.id) ?? DEFAULT_NOTIFICATION_CHOICE,
          organisation,
        },
      ];
    });
    return new Map(recipients.map(recipient => [recipient.viewer.userId, recipient]));
  });
}

/** A custom role is neither. */
export const getsEscalations = (role: Role, custom: readonly Permission[] | null | undefined): boolean =>
  !custom && (role === 'owner' || role === 'admin');

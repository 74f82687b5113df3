import { createHash } from 'node:crypto';
import type { Actor, CalendarPart, Language, Role } from '@milepost/contract';
import { sql } from 'kysely';
import type { Databases } from '../../db/database.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { customPermissions } from '../accounts/load-session.ts';
import { readPreferences } from '../accounts/preferences.ts';

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A calendar, and its user with the rights that they have now. */
export interface OwnedCalendar {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly CalendarPart[];
  readonly viewer: Viewer & Actor;
  readonly language: Language | null;
  readonly timeZone: string | null;
}

/** Null if nobody has this address, or its user’s access has ended. */
export async function findCalendar({ system }: Databases, token: string): Promise<OwnedCalendar | null> {
  const row = await system
    .selectFrom('calendar_link')
    .innerJoin('app_user', 'app_user.id', 'calendar_link.user_id')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['calendar_link.id', 'calendar_link.account_id', 'calendar_link.user_id', 'calendar_link.name', 'parts'])
    .select(['role', 'scope_folders', 'scope_departments', 'preferences', 'custom_role.permissions'])
    .where('token_hash', '=', hashOf(token))
    .where('app_user.active', '=', true)
    .where(sql<boolean>`coalesce(app_user.expires_at > now(), true)`)
    .executeTakeFirst();
  if (!row) return null;
  const { scope_folders: folderIds, scope_departments: departmentIds } = row;
  const preferences = readPreferences(row.preferences);
  return {
    id: row.id,
    name: row.name,
    parts: row.parts,
    viewer: {
      accountId: row.account_id,
      userId: row.user_id,
      // The column's check constraint allows the contract's roles only.
      role: row.role as Role,
      permissions: row.permissions && customPermissions(row.permissions),
      readOnly: false,
      scope: folderIds && departmentIds && { folderIds, departmentIds },
    },
    language: preferences.language ?? null,
    timeZone: preferences.timeZone ?? null,
  };
}

import type { Actor, Language, Role, Settings } from '@milepost/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { AccountTransaction } from '../../db/database.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { customPermissions } from '../accounts/load-session.ts';
import { readPreferences } from '../accounts/preferences.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readTenantRow } from '../tenancy/tenant.ts';

/** Whom a report is for: what they may see, now. */
export type ReportViewer = Viewer & Actor;

/** How a file is written for someone who reads it. */
export interface FileStyle {
  readonly language: Language;
  readonly distanceUnit: Settings['distanceUnit'];
  /** The letterhead: the account's name, and its logo as PNG. */
  readonly organisation: string;
  readonly logo: Buffer | null;
}

export interface Reader {
  readonly viewer: ReportViewer;
  readonly style: FileStyle;
  readonly email: string | null;
  readonly name: string;
}

/** A user as they are at this moment, who need not be signed in; null if they no longer have access. */
export async function readReader(trx: AccountTransaction, accountId: number, userId: string): Promise<Reader | null> {
  const row = await trx
    .selectFrom('app_user')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['role', 'scope_folders', 'scope_departments', 'preferences', 'email', 'display_name'])
    .select('custom_role.permissions')
    .where('app_user.id', '=', userId)
    .where('active', '=', true)
    .where(sql<boolean>`coalesce(app_user.expires_at > now(), true)`)
    .executeTakeFirst();
  if (!row) return null;
  const { settings } = await readAccountSettings(trx);
  const preferences = readPreferences(row.preferences);
  const { scope_folders: folderIds, scope_departments: departmentIds } = row;
  return {
    viewer: {
      accountId,
      userId,
      // The column's check constraint allows the contract's roles only.
      role: row.role as Role,
      permissions: row.permissions && customPermissions(row.permissions),
      readOnly: false,
      scope: folderIds && departmentIds && { folderIds, departmentIds },
    },
    style: {
      language: preferences.language ?? settings.language,
      distanceUnit: preferences.distanceUnit ?? settings.distanceUnit,
      ...(await readLetterhead(trx)),
    },
    email: row.email,
    name: row.display_name,
  };
}

async function readLetterhead(trx: AccountTransaction): Promise<Pick<FileStyle, 'organisation' | 'logo'>> {
  const { logo, name } = await readTenantRow(trx);
  const image =
    logo === null || logo === undefined
      ? undefined
      : await trx.selectFrom('image').select('content').where('name', '=', logo).executeTakeFirst();
  return { organisation: name, logo: image ? await sharp(image.content).png().toBuffer() : null };
}

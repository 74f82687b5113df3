import { type AuditRecord, changesBetween, secretChanged } from '../audit/audit.ts';
import type { UserRow } from './user-rows.ts';

/** A user for the audit log, with the contract's field names. */
export const inWords = (row: UserRow) => ({
  userName: row.user_name,
  displayName: row.display_name,
  email: row.email,
  phone: row.phone,
  gender: row.gender,
  role: row.role_name ?? row.role,
  folders: row.scope_folders,
  departments: row.scope_departments,
  expiresAt: row.expires_at,
});

/** The audit log's entries for a changed user. */
export function auditRecordsOf(
  before: UserRow,
  after: UserRow,
  { password }: { readonly password?: string | undefined },
): Pick<AuditRecord, 'action' | 'changes'>[] {
  const changes = changesBetween<object>(inWords(before), inWords(after));
  return [
    ...(changes.length > 0 ? [{ action: 'user.changed' as const, changes }] : []),
    ...(before.active && !after.active ? [{ action: 'user.deactivated' as const }] : []),
    ...(!before.active && after.active ? [{ action: 'user.activated' as const }] : []),
    ...(password !== undefined ? [{ action: 'user.password-set' as const, changes: [secretChanged('password')] }] : []),
  ];
}

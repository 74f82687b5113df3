import type { CalendarPart } from '@milepost/contract';
import type { ColumnType, Generated } from 'kysely';

/** The tables of users and what they did, as Kysely sees them; part of `schema.ts`. */

type Json = ColumnType<unknown, string, string>;

export interface PeopleTables {
  app_user: UserTable;
  former_user: PersonTable;
  former_driver: NamedTable;
  former_vehicle: NamedTable & { imei: string };
  /** A view: users, and those who were deleted. */
  person: PersonTable;
  /** A view: drivers, and those who were deleted. */
  named_driver: NamedTable;
  session: SessionTable;
  calendar_link: CalendarLinkTable;
  custom_role: CustomRoleTable;
  invitation: InvitationTable;
  email_change: EmailChangeTable;
  image: ImageTable;
  totp: TotpTable;
  passkey: PasskeyTable;
  recovery_code: RecoveryCodeTable;
  passkey_challenge: PasskeyChallengeTable;
  password_recovery: PasswordRecoveryTable;
  audit_entry: AuditEntryTable;
}

interface PersonTable {
  account_id: number;
  id: string;
  user_name: string;
  display_name: string;
  role: string;
}

interface NamedTable {
  account_id: number;
  id: number;
  name: string;
}

interface UserTable {
  id: Generated<string>;
  account_id: number;
  user_name: string;
  email: string | null;
  confirmed_email: string | null;
  phone: string | null;
  display_name: string;
  gender: Generated<number>;
  image: string | null;
  role: string;
  custom_role_id: number | null;
  scope_folders: number[] | null;
  scope_departments: number[] | null;
  preferences: ColumnType<unknown, string | undefined, string>;
  password_hash: string | null;
  must_change_password: Generated<boolean>;
  active: Generated<boolean>;
  expires_at: Date | null;
  last_seen_at: Date | null;
  created_at: Generated<Date>;
  created_by: string | null;
}

interface SessionTable {
  id: Generated<string>;
  account_id: number;
  user_id: string;
  kind: Generated<'browser' | 'api-token'>;
  name: string | null;
  permissions: string[] | null;
  token_hash: Buffer;
  messaging_hash: Buffer;
  read_only: Generated<boolean>;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
  signed_on_with: string | null;
  second_factor: Generated<boolean>;
}

interface CalendarLinkTable {
  id: Generated<string>;
  account_id: number;
  user_id: string;
  name: string;
  parts: CalendarPart[];
  token_hash: Buffer;
  created_at: Generated<Date>;
  last_read_at: Date | null;
}

interface CustomRoleTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  based_on: string;
  permissions: string[];
  created_at: Generated<Date>;
}

interface InvitationTable {
  user_id: string;
  account_id: number;
  token_hash: Buffer;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface EmailChangeTable {
  user_id: string;
  account_id: number;
  email: string;
  token_hash: Buffer;
  sent_at: Date;
  expires_at: Date;
}

interface ImageTable {
  name: string;
  account_id: number;
  kind: 'user' | 'logo' | 'splash';
  content: Buffer;
  created_at: Generated<Date>;
}

interface TotpTable {
  user_id: string;
  account_id: number;
  secret: Buffer;
  created_at: Generated<Date>;
  confirmed_at: Date | null;
  last_step: ColumnType<string, number | undefined, number>;
}

interface PasskeyTable {
  id: Generated<string>;
  account_id: number;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: ColumnType<string, number, number>;
  transports: Generated<string[]>;
  rp_id: string;
  name: string;
  created_at: Generated<Date>;
  last_used_at: Date | null;
}

interface RecoveryCodeTable {
  id: Generated<number>;
  account_id: number;
  user_id: string;
  code_hash: Buffer;
  used_at: Date | null;
}

interface PasskeyChallengeTable {
  id: Generated<string>;
  challenge: string;
  rp_id: string;
  user_id: string | null;
  expires_at: Date;
}

interface PasswordRecoveryTable {
  id: Generated<string>;
  token: string;
  user_id: string | null;
  code_hash: string;
  tries: Generated<number>;
  proof_hash: Buffer | null;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface AuditEntryTable {
  id: Generated<string>;
  account_id: number;
  at: Generated<Date>;
  action: string;
  user_id: string | null;
  user_name: string | null;
  /** With an import; null for what happened here. */
  imported_at: Generated<Date | null>;
  via: 'session' | 'api-token' | 'sign-in' | 'system';
  address: string | null;
  target_id: string | null;
  target_name: string | null;
  changes: Json;
  /** What a rule said after the change. */
  rule: Json | null;
}

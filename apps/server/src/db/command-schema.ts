import type { ColumnType, Generated } from 'kysely';

/** The tables of commands as Kysely sees them; part of `schema.ts`. */

type Json = ColumnType<unknown, string, string>;

export interface CommandTables {
  control_password: ControlPasswordTable;
  control_try: ControlTryTable;
  control_grant: ControlGrantTable;
  control_rule: ControlRuleTable;
  command: CommandTable;
}

interface ControlPasswordTable {
  account_id: number;
  hash: string;
  set_at: Date;
  set_by: string;
}

interface ControlTryTable {
  user_id: string;
  account_id: number;
  tries: number;
  since: Date;
  locked_until: Date | null;
}

interface ControlGrantTable {
  hash: Buffer;
  account_id: number;
  user_id: string;
  session_id: string;
  vehicle_id: number;
  action: string;
  mode: string | null;
  command_id: string | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface ControlRuleTable {
  account_id: number;
  second_person: boolean;
  changed_at: Date;
  changed_by: string | null;
}

interface CommandTable {
  id: string;
  account_id: number;
  vehicle_id: number;
  imei: string;
  action: string;
  category: string;
  params: Json;
  secrets: Json | null;
  mode: string | null;
  reason: string | null;
  state: string;
  waiting_for: string | null;
  effect: string | null;
  created_at: Date;
  expires_at: Date;
  created_by: string | null;
  created_by_name: string;
  grant_hash: Buffer | null;
  needs_second: Generated<boolean>;
  second_by: string | null;
  second_by_name: string | null;
  second_grant_hash: Buffer | null;
  sent: number;
  published_at: Date | null;
  protocol: string | null;
  reference: number | null;
  text: string | null;
  answer: string | null;
  steps: Json;
}

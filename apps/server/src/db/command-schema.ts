import type { ColumnType } from 'kysely';

/** The tables of commands as Kysely sees them; part of `schema.ts`. */

type Json = ColumnType<unknown, string, string>;

export interface CommandTables {
  control_password: ControlPasswordTable;
  control_try: ControlTryTable;
  control_grant: ControlGrantTable;
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
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
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
  sent: number;
  published_at: Date | null;
  protocol: string | null;
  reference: number | null;
  text: string | null;
  answer: string | null;
  steps: Json;
}

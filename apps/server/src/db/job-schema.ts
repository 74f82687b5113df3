import type { ColumnType, Generated } from 'kysely';

/** Jobs that users started; the truth is in `migrations/0053_jobs.sql`, `0054` and `0057`. */
export interface JobTables {
  job: JobTable;
  command_run_vehicle: CommandRunVehicleTable;
}

type Json = ColumnType<unknown, string, string>;

interface JobTable {
  id: Generated<string>;
  account_id: number;
  user_id: string;
  kind: string;
  state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>;
  about: Json;
  work: Json;
  done: Generated<number>;
  total: number;
  cancel_asked: Generated<boolean>;
  problem: Json | null;
  result: Json | null;
  kept_days: number | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  ended_at: Date | null;
}

interface CommandRunVehicleTable {
  account_id: number;
  job_id: string;
  place: number;
  vehicle_id: number;
  command_id: Generated<string>;
  state: Generated<'waiting' | 'sent' | 'refused'>;
  problem: Json | null;
}

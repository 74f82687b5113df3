import type { TaskStop } from '@milepost/contract';
import type { Generated, JSONColumnType } from 'kysely';

/** The tables of tasks, as Kysely sees them; part of `schema.ts`. Described in `migrations/0100_task.sql`. */
export interface TaskTables {
  task: TaskTable;
  task_step: TaskStepTable;
  task_proof: TaskProofTable;
}

interface TaskTable {
  id: Generated<number>;
  account_id: number;
  task_id: string;
  seq_no: Generated<number>;
  title: string;
  ref: string | null;
  priority: string;
  notes: string | null;
  due_from: Date | null;
  due_to: Date | null;
  stops: JSONColumnType<readonly TaskStop[]>;
  needs_photo: boolean;
  needs_signature: boolean;
  state: string;
  reason: string | null;
  driver_id: number | null;
  vehicle_id: number | null;
  created_by: string | null;
  assigned_by: string | null;
  assigned_at: Date | null;
  answer_by: Date | null;
  note: string | null;
  signed_by: string | null;
  over_at: Date | null;
  created_at: Generated<Date>;
  changed_at: Generated<Date>;
}

interface TaskStepTable {
  account_id: number;
  task_id: number;
  report_id: string;
  state: string;
  at: Date;
  done_by: 'driver' | 'desk' | 'vehicle';
  user_id: string | null;
  written_at: Generated<Date>;
}

interface TaskProofTable {
  account_id: number;
  task_id: number;
  proof_id: string;
  kind: 'photo' | 'signature';
  content: Buffer;
  written_at: Generated<Date>;
}

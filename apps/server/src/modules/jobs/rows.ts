import type { Job, Problem } from '@milepost/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** Of `job`, joined with who started it. */
export const JOB_COLUMNS = [
  'job.id',
  'job.kind',
  'job.state',
  'job.done',
  'job.total',
  'job.problem',
  'job.cancel_asked',
  'job.created_at',
  'job.started_at',
  'job.ended_at',
  'app_user.user_name',
] as const;

type Known = Pick<
  Selectable<Database['job']>,
  'id' | 'kind' | 'state' | 'done' | 'total' | 'problem' | 'cancel_asked' | 'created_at' | 'started_at' | 'ended_at'
>;

/** A job as its users see it, all but when it is tried again. */
export const toJob = (row: Known & { readonly user_name: string }): Omit<Job, 'retryAt'> => ({
  id: row.id,
  kind: row.kind,
  startedBy: row.user_name,
  state: row.state,
  done: row.done,
  total: row.total,
  problem: row.problem as Problem | null,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  isStopping: row.cancel_asked && row.ended_at === null,
});

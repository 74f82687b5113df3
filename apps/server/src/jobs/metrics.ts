import type { Registry } from 'prom-client';
import type { Databases } from '../db/database.ts';
import { showGauges } from '../lifecycle/gauges.ts';
import type { Jobs } from './jobs.ts';

/** What waits, runs and fails in the background. */
export function showJobs(registry: Registry, { pool }: Pick<Databases, 'pool'>, jobs: Pick<Jobs, 'list'>): void {
  showGauges(
    registry,
    {
      milepost_jobs: { help: 'Jobs that somebody started and that wait or run', labelNames: ['kind', 'state'] },
      milepost_repeated_job_failed: {
        help: '1 if the last run of a repeated job failed; it is tried again',
        labelNames: ['job'],
      },
      milepost_repeated_job_late_seconds: {
        help: 'How long a repeated job that waits has been due',
        labelNames: ['job'],
      },
      milepost_repeated_job_seconds: {
        help: 'How long the last run of a repeated job took that ended well',
        labelNames: ['job'],
      },
    },
    async () => {
      const { rows } = await pool.query<{ kind: string; state: string; count: number }>(
        `select kind, state, count(*)::int as count from job where state in ('waiting', 'running') group by kind, state`,
      );
      const repeated = (await jobs.list()).map(({ name, ...state }) => ({ labels: { job: name }, ...state }));
      return {
        milepost_jobs: rows.map(({ count, kind, state }) => ({ labels: { kind, state }, value: count })),
        milepost_repeated_job_failed: repeated.map(({ labels, state }) => ({
          labels,
          value: state === 'failed' ? 1 : 0,
        })),
        milepost_repeated_job_late_seconds: repeated.map(({ labels, nextAt }) => ({
          labels,
          value: nextAt === null ? 0 : Math.max(0, (Date.now() - nextAt.getTime()) / 1000),
        })),
        milepost_repeated_job_seconds: repeated.flatMap(({ labels, last }) =>
          last ? [{ labels, value: last.tookMs / 1000 }] : [],
        ),
      };
    },
  );
}

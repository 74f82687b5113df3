import { z } from 'zod';
import { uuidSchema } from '../fields.ts';
import { problemSchema } from '../problem.ts';
import { defineRoute } from '../route.ts';
import { COMMAND_RUN_STATES } from './commands.ts';

const TAG = 'Settings';

export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    /** The user name of who started it. */
    startedBy: z.string(),
    state: z.enum(COMMAND_RUN_STATES),
    done: z.int(),
    total: z.int(),
    /** Why it failed. */
    problem: problemSchema.nullable(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
    /** Somebody has canceled it, and the step in progress finishes first. */
    isStopping: z.boolean(),
    /** When it is tried again after a failure; null: it did not fail, or failed for good. */
    retryAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof jobSchema>;

export const repeatedJobSchema = z
  .object({
    name: z.string(),
    everySeconds: z.number(),
    /** `failed`: it is tried again at `nextAt`. */
    state: z.enum(['waiting', 'running', 'failed']),
    /** Null while it runs. */
    nextAt: z.iso.datetime().nullable(),
    /** When this run began; null while it waits. */
    startedAt: z.iso.datetime().nullable(),
    /** The last run that succeeded. */
    last: z.object({ endedAt: z.iso.datetime(), tookMs: z.int() }).nullable(),
    /** Why the last try failed, as the server's log has it. */
    failure: z.string().nullable(),
  })
  .meta({ id: 'RepeatedJob' });
export type RepeatedJob = z.infer<typeof repeatedJobSchema>;

export const listJobs = defineRoute({
  method: 'GET',
  path: '/api/v1/job',
  access: 'settings.read',
  summary: "List the account's jobs of the last seven days, newest first",
  tag: TAG,
  response: z.array(jobSchema),
});

export const runJob = defineRoute({
  method: 'POST',
  path: '/api/v1/job/{id}/run',
  access: 'settings.write',
  summary: 'Try a job that waits again now; one that runs or has ended stays as it is',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: jobSchema,
  problems: ['not-found'],
});

export const cancelJob = defineRoute({
  method: 'POST',
  path: '/api/v1/job/{id}/cancel',
  access: 'settings.write',
  summary: 'Cancel a job; what it has done stays done, and one that has ended stays as it is',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: jobSchema,
  problems: ['not-found'],
});

export const listRepeatedJobs = defineRoute({
  method: 'GET',
  path: '/api/v1/repeated_job',
  access: 'settings.read',
  summary: "List the installation's recurring work (operator's account only)",
  tag: TAG,
  response: z.array(repeatedJobSchema),
});

export const runRepeatedJob = defineRoute({
  method: 'POST',
  path: '/api/v1/repeated_job/{name}/run',
  access: 'settings.write',
  summary: "Run recurring work now instead of when it is due (operator's account only)",
  tag: TAG,
  params: z.object({ name: z.string().max(64) }),
  response: z.array(repeatedJobSchema),
  problems: ['not-found'],
});

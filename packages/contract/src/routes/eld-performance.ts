import { z } from 'zod';
import { idSchema, lineSchema, numeric, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

/**
 * The performance of drivers. The formula is open: score = 100 − Σ points, points = weight × amount × 1,000 km ÷
 * kilometers driven. An amount is 1 for an event, hours for idling. The band says how sure that is: wide for few
 * kilometers. What a driver disputes does not count until someone rejects the dispute.
 */

const TAG = 'Logbook';

/**
 * What counts: speeding and harsh driving as the trackers and rules alert them, hours of idling, violations of the
 * hours-of-service rules, days that were certified late or not at all, driving without being signed in, and arrivals at
 * tasks after their time.
 */
export const PERFORMANCE_KINDS = [
  'speeding',
  'harsh',
  'idling',
  'hours',
  'certification',
  'unidentified',
  'punctuality',
] as const;
export type PerformanceKind = (typeof PERFORMANCE_KINDS)[number];

const weight = z.number().min(0).max(100);
/** Points that one event, or one hour of idling, costs in 1,000 km. */
export const performanceWeightsSchema = z
  .object({
    speeding: weight,
    harsh: weight,
    idling: weight,
    hours: weight,
    certification: weight,
    unidentified: weight,
    punctuality: weight,
  })
  .meta({ id: 'PerformanceWeights' });
export type PerformanceWeights = z.infer<typeof performanceWeightsSchema>;

/** How many whole days up to yesterday can be scored: a week, four, a quarter. */
export const PERFORMANCE_DAYS = [7, 28, 91] as const;
export type PerformanceDays = (typeof PERFORMANCE_DAYS)[number];
const DEFAULT_DAYS: PerformanceDays = 28;

/** Null: nothing was driven. `low` and `high` are the band that holds the score with 95 % certainty. */
const scoreSchema = z.object({ score: z.number().nullable(), low: z.number(), high: z.number() });

/** A week, from its first day; null: less than 100 km were driven in it, which say nothing. */
const weekSchema = z.object({
  from: z.iso.date(),
  score: z.number().nullable(),
  /** Of all drivers that the account has. */
  fleet: z.number().nullable(),
  km: z.number(),
});

const standing = {
  km: z.number(),
  ...scoreSchema.shape,
  /** Of the period of the same length before; null if less than 100 km were driven in it. */
  before: z.number().nullable(),
  parts: z.array(
    z.object({
      kind: z.enum(PERFORMANCE_KINDS),
      /** Events, or hours of idling. */
      amount: z.number(),
      per1000Km: z.number().nullable(),
      points: z.number(),
    }),
  ),
  /** Arrivals at tasks that had to be reached by a time. */
  arrivals: z.object({ all: z.int(), late: z.int() }),
};

export const driverPerformanceSchema = z
  .object({
    driverId: z.string(),
    name: z.string(),
    departmentId: z.string().nullable(),
    ...standing,
    /** The score if what is disputed counted. */
    withDisputed: z.number().nullable(),
    openDisputes: z.int(),
    openCoaching: z.int(),
    /** Oldest first. */
    weeks: z.array(weekSchema),
  })
  .meta({ id: 'DriverPerformance' });
export type DriverPerformance = z.infer<typeof driverPerformanceSchema>;

/** The drivers of a department together, or those in none. */
export const departmentPerformanceSchema = z
  .object({ departmentId: z.string().nullable(), name: z.string().nullable(), drivers: z.int(), ...standing })
  .meta({ id: 'DepartmentPerformance' });
export type DepartmentPerformance = z.infer<typeof departmentPerformanceSchema>;

const DISPUTE_STATES = ['open', 'accepted', 'rejected'] as const;
export const disputeSchema = z.object({
  text: z.string(),
  at: z.iso.datetime(),
  state: z.enum(DISPUTE_STATES),
  answer: z.string(),
  answeredBy: z.string().nullable(),
  answeredAt: z.iso.datetime().nullable(),
});

/** Something that counts, with what it costs and where to look. */
export const performanceEvidenceSchema = z
  .object({
    id: z.string(),
    kind: z.enum(PERFORMANCE_KINDS),
    at: z.iso.datetime(),
    amount: z.number(),
    weight: z.number(),
    /** What it takes from the score; what a dispute gives back. */
    points: z.number(),
    counts: z.boolean(),
    vehicle: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }).nullable(),
    /** The alert, the day of the log, the day of the vehicle, or the task that it comes from. */
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('alert'), alertId: z.string(), alertKind: z.string(), rule: z.string().nullable() }),
      z.object({ kind: z.literal('log-day'), date: z.iso.date(), clause: z.string().nullable() }),
      z.object({ kind: z.literal('vehicle-day'), date: z.iso.date() }),
      z.object({ kind: z.literal('task'), taskId: z.string(), title: z.string(), lateMinutes: z.number() }),
    ]),
    /** Km/h; the highest of a speeding alert. */
    speed: z.number().nullable(),
    dispute: disputeSchema.nullable(),
  })
  .meta({ id: 'PerformanceEvidence' });
export type PerformanceEvidence = z.infer<typeof performanceEvidenceSchema>;

export const coachingSchema = z
  .object({
    id: z.string(),
    text: z.string(),
    dueOn: z.iso.date(),
    by: z.string(),
    createdAt: z.iso.datetime(),
    doneAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Coaching' });
export type Coaching = z.infer<typeof coachingSchema>;

/** Counted are whole days up to yesterday. */
const period = {
  from: z.iso.date(),
  to: z.iso.date(),
  weights: performanceWeightsSchema,
  /** Not all trips of the period are counted yet, so scores still change. */
  isBehind: z.boolean(),
};
const query = z.object({ days: numeric(z.literal(PERFORMANCE_DAYS)).default(DEFAULT_DAYS) });
const oneDriverSchema = driverPerformanceSchema.extend({
  ...period,
  /** Newest first. */
  evidence: z.array(performanceEvidenceSchema),
  coaching: z.array(coachingSchema),
});
export type OneDriverPerformance = z.infer<typeof oneDriverSchema>;

export const readPerformance = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/performance',
  access: 'logbook.read',
  summary: 'Read the performance of the drivers you can see, and how it is counted',
  tag: TAG,
  query,
  response: z.object({
    ...period,
    /** All drivers of the account, also those you can’t see. */
    fleet: z.object(standing),
    drivers: z.array(driverPerformanceSchema),
    departments: z.array(departmentPerformanceSchema),
  }),
});

export const readDriverPerformance = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/performance/{driverId}',
  access: 'logbook.read',
  summary: 'Read a driver’s performance with all that counts, disputes and coaching',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  query,
  response: oneDriverSchema,
  problems: ['not-found'],
});

export const readMyPerformance = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/my_performance',
  access: 'profile.read',
  summary: 'Read your own performance, as the desk sees it',
  tag: TAG,
  query,
  response: oneDriverSchema,
  problems: ['no-log'],
});

export const updatePerformanceWeights = defineRoute({
  method: 'PATCH',
  path: '/api/v1/eld/performance',
  access: 'logbook.settings',
  summary: 'Change what counts how much; weights that are left out stay',
  tag: TAG,
  body: performanceWeightsSchema.partial(),
  response: performanceWeightsSchema,
});

const evidenceIdSchema = z.string().min(1, issue('id')).max(120, issue('id'));
const textSchema = lineSchema(500).pipe(z.string().min(4, issue('reason-length', { min: 4, max: 500 })));

/** What a driver says about something that counts against them. */
export const newDisputeSchema = z.object({ evidence: evidenceIdSchema, text: textSchema });

export const disputeEvidence = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/my_performance',
  access: 'profile.write',
  summary: 'Dispute something that counts against you; it does not count until someone rejects the dispute',
  tag: TAG,
  query,
  body: newDisputeSchema,
  response: oneDriverSchema,
  problems: ['no-log', 'not-found'],
});

export const answerDispute = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/performance/{driverId}',
  access: 'logbook.write',
  summary: 'Accept or reject a driver’s dispute',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  query,
  body: z.object({ evidence: evidenceIdSchema, accept: z.boolean(), text: lineSchema(500).default('') }),
  response: oneDriverSchema,
  problems: ['not-found', 'out-of-scope'],
});

export const createCoaching = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/performance/{driverId}/coaching',
  access: 'logbook.write',
  summary: 'Add a coaching note with a due date, which the driver sees',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  body: z.object({ text: textSchema, dueOn: z.iso.date() }),
  response: coachingSchema,
  problems: ['not-found', 'out-of-scope'],
});

export const updateCoaching = defineRoute({
  method: 'PATCH',
  path: '/api/v1/eld/performance/{driverId}/coaching/{id}',
  access: 'logbook.write',
  summary: 'Change a coaching note, or say that it is done; fields that are left out stay',
  tag: TAG,
  params: z.object({ driverId: idSchema, id: uuidSchema }),
  body: z.object({ text: textSchema, dueOn: z.iso.date(), done: z.boolean() }).partial(),
  response: coachingSchema,
  problems: ['not-found', 'out-of-scope'],
});

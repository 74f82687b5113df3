import { z } from 'zod';
import { idSchema, uuidSchema, viewNameSchema } from '../fields.ts';
import { REPORT_FORMATS, REPORT_PERIODS, REPORT_RECIPIENTS_MAX } from '../reports.ts';
import { defineRoute } from '../route.ts';
import { accountZoneSchema } from './figures.ts';
import { reportQuerySchema } from './reports.ts';

const TAG = 'Reports';

const minuteSchema = z.int().min(0).max(1439).describe('Minutes after midnight on the account’s clock');

/** When a report is due. Weekday 1 is Monday; days of the month end where the shortest month does. */
export const reportRuleSchema = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day'), minute: minuteSchema }),
  z.object({ every: z.literal('week'), weekday: z.int().min(1).max(7), minute: minuteSchema }),
  z.object({ every: z.literal('month'), day: z.int().min(1).max(28), minute: minuteSchema }),
]);
export type ReportRule = z.infer<typeof reportRuleSchema>;

const askedSchema = reportQuerySchema.omit({ from: true, to: true, language: true });

export const newReportScheduleSchema = z.object({
  name: viewNameSchema,
  key: z.string().max(64),
  format: z.enum(REPORT_FORMATS),
  period: z.enum(REPORT_PERIODS),
  rule: reportRuleSchema,
  onlyIfNotEmpty: z.boolean().default(false),
  /** Whether the email has the file itself, up to 10 MB, besides the link. */
  attaches: z.boolean().default(false),
  /** Users, each of whom gets what they may see; without any, only yourself. */
  recipients: z.array(uuidSchema).max(REPORT_RECIPIENTS_MAX).default([]),
  query: askedSchema.default({}),
});

export const reportScheduleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string(),
    format: z.enum(REPORT_FORMATS),
    period: z.enum(REPORT_PERIODS),
    rule: reportRuleSchema,
    onlyIfNotEmpty: z.boolean(),
    attaches: z.boolean(),
    recipients: z.array(z.object({ id: z.string(), name: z.string() })),
    zone: accountZoneSchema,
    nextAt: z.iso.datetime(),
    lastAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ReportSchedule' });
export type ReportSchedule = z.infer<typeof reportScheduleSchema>;

export const listReportSchedules = defineRoute({
  method: 'GET',
  path: '/api/v1/report-schedule',
  access: 'vehicles.read',
  summary: 'List the reports that you have scheduled, by when they are due',
  tag: TAG,
  response: z.array(reportScheduleSchema),
});

export const createReportSchedule = defineRoute({
  method: 'POST',
  path: '/api/v1/report-schedule',
  access: 'profile.write',
  summary: 'Have a report written again and again, and its recipients notified by email',
  tag: TAG,
  body: newReportScheduleSchema,
  status: 201,
  response: reportScheduleSchema,
  problems: ['not-found', 'too-many-schedules'],
});

export const deleteReportSchedule = defineRoute({
  method: 'DELETE',
  path: '/api/v1/report-schedule/{id}',
  access: 'profile.write',
  summary: 'End a schedule; the reports that it has written stay',
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

import { z } from 'zod';
import { BACKWARD, emptyAsNull, idSchema, instantSchema, isForward } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { TASK_STOPS_MAX, taskStopShownSchema } from './tasks.ts';

/** What distances and times ahead are worked out with, as the screen says. */
export const TASK_ESTIMATE = {
  /** Roads are longer than the straight line by this factor. */
  roadFactor: 1.25,
  /** Mean speed on the way, m/s: 50 mph. */
  speedMps: 22.352,
  /** Work at a stop that names no service time, in seconds. */
  stopS: 1800,
} as const;

/** Why a driver can't reach a task in time, or why that is not known. */
export const FIT_REASONS = [
  /** Not known. */
  'no-place',
  'no-vehicle',
  'no-position',
  'old-position',
  'no-log',
  /** Not in time. */
  'window-over',
  'busy',
  'distance',
  'break',
  'hours',
  'no-plan',
] as const;
export type FitReason = (typeof FIT_REASONS)[number];

/** Which limit comes first: the time at the stop, or a clock of the hours of service. */
export const FIT_LIMITS = ['window', 'drive', 'shift', 'onDuty', 'break', 'cycle', 'timeOff'] as const;
export type FitLimit = (typeof FIT_LIMITS)[number];

export const fitReasonSchema = z.object({
  code: z.enum(FIT_REASONS),
  /** When driving must stop, the driver is free again, or the vehicle last reported. */
  at: z.iso.datetime().nullable(),
  /** Driving that is missing then, or how late the driver is, in seconds. */
  shortS: z.int().nullable(),
  /** The clock that stops the driving. */
  limit: z.enum(FIT_LIMITS).nullable(),
});
export type TaskFitReason = z.infer<typeof fitReasonSchema>;

/** Whether a driver can legally make a task, by the plan of their hours. */
export const taskFitSchema = z
  .object({
    driver: z.object({ id: z.string(), name: z.string() }),
    vehicle: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }).nullable(),
    positionAt: z.iso.datetime().nullable(),
    /** Null: not known, for the reason given. */
    fits: z.boolean().nullable(),
    reason: fitReasonSchema.nullable(),
    /** To the first stop, from where the driver is then: the straight line times the road factor, in meters. */
    distanceM: z.number().nullable(),
    /** When the tasks before it are done; null if there are none. */
    freeAt: z.iso.datetime().nullable(),
    /** At the first stop. */
    arriveAt: z.iso.datetime().nullable(),
    /** Arrival before the end of the window, in seconds; negative if late, null without a window. */
    spareS: z.int().nullable(),
    /** The last minute to leave; null if the task is late already, or has no window. */
    leaveBy: z.iso.datetime().nullable(),
    /** What a later start would break. */
    limit: z.enum(FIT_LIMITS).nullable(),
    /** The first rest that the law asks for on the way. */
    rest: z.object({ at: z.iso.datetime(), lengthS: z.int() }).nullable(),
    /** Driving left today and until the shift ends, in seconds; null without a log. */
    driveLeftS: z.int().nullable(),
    shiftLeftS: z.int().nullable(),
  })
  .meta({ id: 'TaskFit' });
export type TaskFit = z.infer<typeof taskFitSchema>;

export const listTaskFits = defineRoute({
  method: 'POST',
  path: '/api/v1/task/fit',
  access: 'logbook.read',
  summary: 'List which drivers can legally make a task, and until when each must leave; changes nothing',
  tag: 'Tasks',
  body: z
    .object({
      /** A task that exists already, so that it is not taken for one of the driver's other tasks. */
      taskId: emptyAsNull(idSchema).optional(),
      dueFrom: emptyAsNull(instantSchema).optional(),
      dueTo: emptyAsNull(instantSchema).optional(),
      stops: z.array(taskStopShownSchema).max(TASK_STOPS_MAX, issue('too-many', { max: TASK_STOPS_MAX })),
    })
    .refine(({ dueFrom, dueTo }) => !dueFrom || !dueTo || isForward({ from: dueFrom, to: dueTo }), {
      ...BACKWARD,
      path: ['dueTo'],
    }),
  response: z.object({
    at: z.iso.datetime(),
    assumes: z.object({ roadFactor: z.number(), speedMps: z.number(), stopS: z.int() }),
    /** Those who can make it first, by arrival; then those who can't; then those of whom it isn't known. */
    drivers: z.array(taskFitSchema),
  }),
});

import { z } from 'zod';
import { BACKWARD, emptyAsNull, idSchema, instantSchema, isForward } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { FIT_LIMITS, fitReasonSchema } from '../task-estimate.ts';
import { SHOWN_STATUSES } from './eld-desk.ts';
import { TASK_STOPS_MAX, taskStopShownSchema } from './tasks.ts';

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
    /**
     * The driver's later tasks that this one would make late, in their order: those that would be in time without it. By
     * how much, in seconds; null if no legal plan was found. Titles only for users who may see tasks.
     */
    makesLate: z.array(z.object({ taskId: z.string(), title: z.string().nullable(), lateS: z.int().nullable() })),
    /** Driving left today and until the shift ends, in seconds; null without a log. */
    driveLeftS: z.int().nullable(),
    shiftLeftS: z.int().nullable(),
    /** The duty statuses in the time asked about, in order, up to now; empty without a log, or if none was asked. */
    duty: z.array(z.object({ status: z.enum(SHOWN_STATUSES), from: z.iso.datetime(), to: z.iso.datetime() })),
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
      /** Without stops, the answer is only what is left of each driver's hours. */
      stops: z.array(taskStopShownSchema).max(TASK_STOPS_MAX, issue('too-many', { max: TASK_STOPS_MAX })),
      /** The time whose duty statuses are answered. */
      duty: z.object({ from: instantSchema, to: instantSchema }).refine(isForward, BACKWARD).optional(),
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

import { z } from 'zod';
import { idSchema, imeiSchema, lineSchema, notesSchema } from '../fields.ts';

export const TASK_STATUSES = [
  'assigned',
  'seen',
  'accepted',
  'declined',
  'enroute',
  'arrived',
  'working',
  'done',
  'failed',
  'cancelled',
  'abandoned',
] as const;

export const TASK_PRIORITIES = ['normal', 'high', 'urgent'] as const;

const moment = z.iso.datetime();

/** A stop of a task. */
export const taskStopSchema = z.object({
  seq: z.int().min(1).max(1000),
  name: lineSchema(120).min(1),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  radiusM: z.number().min(0).max(100_000).optional(),
  windowFrom: moment.nullish(),
  windowTo: moment.nullish(),
  serviceMin: z.number().min(0).max(10_080).nullish(),
  contact: lineSchema(120).nullish(),
  notes: notesSchema.nullish(),
  actions: z.array(lineSchema(40)).max(20).default([]),
  form: lineSchema(60).nullish(),
});

/**
 * A task for a driver, as `assignedTaskToDriver` carries it both ways [R7.36]. The same `taskId` and `seqNo` mean the
 * same task; a higher `seqNo` replaces it. The server adds who assigned it and when.
 */
export const assignedTaskSchema = z
  .object({
    v: z.literal(1).default(1),
    taskId: lineSchema(60).min(1),
    seqNo: z.int().min(0),
    ref: lineSchema(60).nullish(),
    title: lineSchema(120).min(1),
    priority: z.enum(TASK_PRIORITIES).default('normal'),
    driverId: idSchema,
    vehicleImei: imeiSchema.nullish(),
    assignedBy: z.string().max(80).optional(),
    assignedAt: moment.optional(),
    dueFrom: moment.nullish(),
    dueTo: moment.nullish(),
    stops: z.array(taskStopSchema).max(200).default([]),
    plan: z
      .object({
        km: z.number().min(0).nullish(),
        driveMin: z.number().min(0).nullish(),
        eta: moment.nullish(),
        hos: z
          .object({
            fits: z.boolean(),
            driveLeftAfterMin: z.number().nullish(),
            breakNeededBy: moment.nullish(),
          })
          .nullish(),
      })
      .nullish(),
    status: z.enum(TASK_STATUSES).default('assigned'),
    reason: lineSchema(200).nullish(),
    expectAckBy: moment.nullish(),
  })
  .meta({ id: 'AssignedTask' });
export type AssignedTask = z.infer<typeof assignedTaskSchema>;

/** How many of the driver's connections received the task; 0: none, so reach the driver another way. */
export const taskReceiptSchema = z.object({ delivered: z.int() });

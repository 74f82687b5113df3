import { z } from 'zod';
import {
  BACKWARD,
  emptyAsNull,
  idSchema,
  instantSchema,
  isForward,
  lineSchema,
  notesSchema,
  uuidSchema,
} from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';
import { TASK_PRIORITIES, taskStopSchema } from '../sockets/assigned-task.ts';
import { taskEtaSchema } from '../task-estimate.ts';
import { DRIVER_STEPS, TASK_STATES } from '../task-states.ts';

const TAG = 'Tasks';

/** The most tasks that a list answers, and stops of a task. */
export const TASKS_MAX = 2000;
export const TASK_STOPS_MAX = 50;
/** The most photos that prove that a task is done. */
export const TASK_PHOTOS_MAX = 8;
export const TASK_PHOTO_MAX_BYTES = 8 * 1024 * 1024;

const NO_TITLE = issue('title-length', { max: 120 });
const window = { dueFrom: emptyAsNull(instantSchema).optional(), dueTo: emptyAsNull(instantSchema).optional() };
const isWindow = ({ dueFrom, dueTo }: { dueFrom?: string | null | undefined; dueTo?: string | null | undefined }) =>
  !dueFrom || !dueTo || isForward({ from: dueFrom, to: dueTo });
const BACKWARD_WINDOW = { ...BACKWARD, path: ['dueTo'] };

const fields = z.object({
  title: z.string(NO_TITLE).trim().min(1, NO_TITLE).max(120, NO_TITLE),
  /** The customer's number: an order, a bill of lading. */
  ref: emptyAsNull(lineSchema(60)).optional(),
  priority: z.enum(TASK_PRIORITIES),
  notes: emptyAsNull(notesSchema).optional(),
  ...window,
  /** In the order in which they are driven to. */
  stops: z.array(taskStopSchema.omit({ seq: true })).max(TASK_STOPS_MAX, issue('too-many', { max: TASK_STOPS_MAX })),
  /** What the driver must give before it is done. */
  needsPhoto: z.boolean(),
  needsSignature: z.boolean(),
});

export const taskStopShownSchema = taskStopSchema.omit({ seq: true });
export type TaskStop = z.infer<typeof taskStopShownSchema>;

/** Defaults are a new task's alone: in a change, what is left out stays. */
export const newTaskSchema = fields
  .extend({
    priority: fields.shape.priority.default('normal'),
    stops: fields.shape.stops.default([]),
    needsPhoto: fields.shape.needsPhoto.default(false),
    needsSignature: fields.shape.needsSignature.default(false),
    /** Null: nobody yet. */
    driverId: emptyAsNull(idSchema).optional(),
    /** Null: the vehicle that the driver has. */
    vehicleId: emptyAsNull(idSchema).optional(),
    /** Until when the driver is asked to answer. */
    answerBy: emptyAsNull(instantSchema).optional(),
  })
  .refine(isWindow, BACKWARD_WINDOW);
export type NewTask = z.input<typeof newTaskSchema>;

const proofSchema = z.object({
  note: z.string(),
  /** Who signed; null if nobody did. */
  signedBy: z.string().nullable(),
  hasSignature: z.boolean(),
  photos: z.int(),
});

export const taskSchema = z
  .object({
    id: z.string(),
    /** As programs name it on the socket. */
    taskId: z.string(),
    seqNo: z.int(),
    title: z.string(),
    ref: z.string().nullable(),
    priority: z.enum(TASK_PRIORITIES),
    notes: z.string().nullable(),
    dueFrom: z.iso.datetime().nullable(),
    dueTo: z.iso.datetime().nullable(),
    stops: z.array(taskStopShownSchema),
    needsPhoto: z.boolean(),
    needsSignature: z.boolean(),
    state: z.enum(TASK_STATES),
    /** Why it was declined, failed, abandoned or cancelled. */
    reason: z.string().nullable(),
    driver: z.object({ id: z.string(), name: z.string() }).nullable(),
    vehicle: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }).nullable(),
    assignedBy: z.string().nullable(),
    assignedAt: z.iso.datetime().nullable(),
    answerBy: z.iso.datetime().nullable(),
    /** When each state began, by device time for what the driver reported. */
    steps: z.array(
      z.object({
        state: z.enum(TASK_STATES),
        at: z.iso.datetime(),
        /** `driver`, `desk`, or `vehicle` where its position said so. */
        by: z.enum(['driver', 'desk', 'vehicle']),
        name: z.string().nullable(),
      }),
    ),
    proof: proofSchema.nullable(),
    /** As of the last look, about once a minute; null for a task that nobody drives to. */
    eta: taskEtaSchema.nullable(),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof taskSchema>;

const params = z.object({ id: idSchema });

export const listTasks = defineRoute({
  method: 'GET',
  path: '/api/v1/task',
  access: 'tasks.read',
  summary: 'List tasks: those that are open, and those that are due or were finished in the period',
  tag: TAG,
  query: z.object({ from: instantSchema, to: instantSchema }).refine(isForward, BACKWARD),
  response: z.array(taskSchema),
});

export const createTask = defineRoute({
  method: 'POST',
  path: '/api/v1/task',
  access: 'tasks.write',
  summary: 'Create a task, and assign it if it names a driver',
  tag: TAG,
  body: newTaskSchema,
  status: 201,
  response: taskSchema,
  problems: ['not-found', 'too-many-tasks'],
});

export const updateTask = defineRoute({
  method: 'PATCH',
  path: '/api/v1/task/{id}',
  access: 'tasks.write',
  summary: 'Change, assign or take back a task that is not over; fields that are left out stay',
  tag: TAG,
  params,
  body: fields
    .partial()
    .extend({
      /** Null: nobody any more. Naming the same driver again assigns it anew. */
      driverId: emptyAsNull(idSchema).optional(),
      vehicleId: emptyAsNull(idSchema).optional(),
      answerBy: emptyAsNull(instantSchema).optional(),
    })
    .refine(isWindow, BACKWARD_WINDOW),
  response: taskSchema,
  problems: ['not-found', 'task-over', 'out-of-scope'],
});

export const cancelTask = defineRoute({
  method: 'POST',
  path: '/api/v1/task/{id}/cancel',
  access: 'tasks.write',
  summary: 'Cancel a task that is not over; its driver is told',
  tag: TAG,
  params,
  body: z.object({ reason: lineSchema(200).default('') }),
  response: taskSchema,
  problems: ['not-found', 'task-over', 'out-of-scope'],
});

export const deleteTask = defineRoute({
  method: 'DELETE',
  path: '/api/v1/task/{id}',
  access: 'tasks.write',
  summary: 'Delete a task that nobody has, or that is over',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found', 'task-under-way', 'out-of-scope'],
});

export const readTaskFile = defineRoute({
  method: 'GET',
  path: '/api/v1/task/{id}/proof/{part}',
  access: 'signed-in',
  summary: 'Read a photo or the signature of a finished task: `signature`, or the number of the photo from 0',
  tag: TAG,
  params: z.object({ id: idSchema, part: z.union([z.literal('signature'), z.string().regex(/^\d$/, issue('id'))]) }),
  response: fileAnswerSchema,
  responseType: 'image/*',
  problems: ['not-found'],
});

export const listMyTasks = defineRoute({
  method: 'GET',
  path: '/api/v1/my_task',
  access: 'profile.read',
  summary: 'List the signed-in driver’s tasks: what is open, and what was finished in the last two days',
  tag: TAG,
  response: z.array(taskSchema),
});

export const reportTask = defineRoute({
  method: 'POST',
  path: '/api/v1/my_task/{id}',
  access: 'profile.write',
  summary: 'Report a step of your own task; each report is taken once, also if it comes later',
  tag: TAG,
  params,
  body: z.object({
    /** Made on the phone. */
    reportId: uuidSchema,
    step: z.enum(DRIVER_STEPS),
    /** When it was, by the server's clock as the phone knows it. */
    at: instantSchema,
    reason: lineSchema(200).default(''),
    note: notesSchema.default(''),
    signedBy: lineSchema(80).default(''),
  }),
  response: taskSchema,
  problems: ['not-found', 'task-step', 'task-proof-missing'],
});

export const addTaskProof = defineRoute({
  method: 'POST',
  path: '/api/v1/my_task/{id}/proof',
  access: 'profile.write',
  summary: 'Add a photo or the signature to your own task. It is re-encoded, which removes camera data',
  tag: TAG,
  params,
  body: z.strictObject({
    /** Made on the phone; the same one is never kept twice. */
    proofId: uuidSchema,
    kind: z.enum(['photo', 'signature']),
    /** The name of the person who signed. */
    signedBy: lineSchema(80).default(''),
    file: z.file(issue('image')).max(TASK_PHOTO_MAX_BYTES, issue('image-file', { limitBytes: TASK_PHOTO_MAX_BYTES })),
  }),
  bodyType: 'multipart/form-data',
  response: taskSchema,
  problems: [
    'not-found',
    'task-over',
    'not-an-image',
    'payload-too-large',
    'unsupported-media-type',
    'too-many-photos',
  ],
});

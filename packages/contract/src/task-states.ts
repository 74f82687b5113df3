import { TASK_STATUSES } from './sockets/assigned-task.ts';

/** `open`: nobody has it yet. The others are those of the payload on the socket [R7.36]. */
export const TASK_STATES = ['open', ...TASK_STATUSES] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** What a driver can report about a task. */
export const DRIVER_STEPS = [
  'seen',
  'accepted',
  'declined',
  'enroute',
  'arrived',
  'working',
  'done',
  'failed',
  'abandoned',
] as const satisfies readonly TaskState[];
export type DriverStep = (typeof DRIVER_STEPS)[number];

/** Which steps a driver can take from each state. Steps in between may be left out, never taken back. */
export const STEPS_FROM: Readonly<Record<TaskState, readonly DriverStep[]>> = {
  open: [],
  assigned: ['seen', 'accepted', 'declined'],
  seen: ['accepted', 'declined'],
  accepted: ['enroute', 'arrived', 'working', 'done', 'failed', 'abandoned'],
  enroute: ['arrived', 'working', 'done', 'failed', 'abandoned'],
  arrived: ['working', 'done', 'failed', 'abandoned'],
  working: ['done', 'failed', 'abandoned'],
  declined: [],
  done: [],
  failed: [],
  cancelled: [],
  abandoned: [],
};

/** Nothing can happen to it any more, unless the desk assigns it again. */
export const isOver = (state: TaskState): boolean => STEPS_FROM[state].length === 0 && state !== 'open';
/** The driver has said yes and isn't finished. */
export const isUnderWay = (state: TaskState): boolean =>
  state === 'accepted' || state === 'enroute' || state === 'arrived' || state === 'working';

/** How near a vehicle that stands has arrived at a stop that names no radius, in meters: a yard and the street before it. */
export const ARRIVAL_RADIUS_M = 150;

import { z } from 'zod';

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
  /** Farther away than those that were checked. */
  'far-away',
  /** Not in time. */
  'window-over',
  'busy',
  'distance',
  'break',
  'hours',
  'no-plan',
] as const;

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

/** When a driver will be at a task: an estimate, by the straight line and the hours of service. */
export const taskEtaSchema = z
  .object({
    /** When it was worked out. */
    at: z.iso.datetime(),
    /** At the first stop; null if not known. */
    arriveAt: z.iso.datetime().nullable(),
    /** Before the end of the window, in seconds; negative if late. */
    spareS: z.int().nullable(),
    /** To the first stop by road, in meters. */
    distanceM: z.number().nullable(),
    /** Why it will be late, or why it isn't known. */
    reason: fitReasonSchema.nullable(),
  })
  .meta({ id: 'TaskEta' });
export type TaskEta = z.infer<typeof taskEtaSchema>;

/**
 * The task of an alert `taskLate` or `taskNoDriver`, as it was when the alert was last updated. Of one that no driver
 * can make, the arrival and the reason are those of the driver who would be there first.
 */
export const alertTaskSchema = z.object({
  title: z.string(),
  ref: z.string().nullable(),
  dueTo: z.iso.datetime().nullable(),
  arriveAt: z.iso.datetime().nullable(),
  lateS: z.int().nullable(),
  reason: fitReasonSchema.nullable(),
  /** For `taskNoDriver`: how many drivers can't make it, and of how many that isn't known. */
  drivers: z.object({ cannot: z.int(), unknown: z.int() }).nullish(),
});
export type AlertTask = z.infer<typeof alertTaskSchema>;

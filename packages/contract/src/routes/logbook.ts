import { z } from 'zod';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Logbook';

/** Calls a minute for one session: enough for a program that evaluates a whole fleet. */
export const EVALUATIONS_A_MINUTE = 600;
/** Enough for months of a busy driver; the size of the body is limited, too. */
export const EVALUATED_SEGMENTS_MAX = 5000;

/** ISO 8601 with an offset, or milliseconds since 1970. */
const instant = z.union([z.string().max(40), z.int()], { error: issue('instant') });
const minutes = z.int().min(0).nullable();
const localInstant = z.iso.datetime({ offset: true });

/** A duty log in the format of the test vectors. The engine reports errors in it, field by field. */
export const dutyLogSchema = z
  .object({
    id: z.string().max(200).optional(),
    /** `US_PROPERTY_70_8`, `CA_SOUTH_CYCLE1_70_7` … */
    ruleset: z.string().max(64),
    /** IANA name of the home terminal’s zone. */
    timezone: z.string().max(64),
    /** `HH:MM`; midnight when absent. */
    homeTerminalStartOfDay: z.string().max(5).optional(),
    segments: z
      .array(
        z.object({
          /** OFF, SB, D, ON, PC or YM. */
          status: z.string().max(8),
          start: instant,
          /** May be absent in the last segment, the driver's current status. */
          end: instant.nullish(),
        }),
      )
      .max(EVALUATED_SEGMENTS_MAX, issue('too-many-segments', { max: EVALUATED_SEGMENTS_MAX })),
    /** Exceptions declared for the whole log, by name. */
    flags: z.record(z.string().max(64), z.boolean()).optional(),
    /** Exceptions declared for part of the log; without an end, for the shift in which they start. */
    declarations: z
      .array(z.object({ exception: z.string().max(64), start: instant, end: instant.nullish() }))
      .max(200)
      .optional(),
    asOf: instant,
  })
  .meta({ id: 'DutyLog' });

export const hoursEvaluationSchema = z
  .object({
    id: z.string().nullable(),
    /** Whole minutes left on each legal clock by itself, rounded down; null if the rule set has none. */
    driveRemainingMin: minutes,
    windowRemainingMin: minutes,
    breakRemainingMin: minutes,
    cycleRemainingMin: minutes,
    onDutyRemainingMin: minutes.optional(),
    /** Null while the driver may not drive. */
    mustStopBy: localInstant.nullable(),
    /** Null when the driver may drive now. */
    mayDriveAgainAt: localInstant.nullable(),
    /** Which rule stops the driving first. */
    binds: z.string().nullable(),
    /** The exemption in force, under which no limit applies: `agriculture`, `emergencyRelief`. */
    exempt: z.string().nullable(),
    gainedTomorrowMin: z.int(),
    violations: z.array(
      z.object({
        rule: z.string(),
        /** `49 CFR 395.3(a)(2)` */
        clause: z.string(),
        startsAt: localInstant,
        endsAt: localInstant,
        overMin: z.int(),
        severity: z.string(),
      }),
    ),
  })
  .meta({ id: 'HoursEvaluation' });

export const evaluateDutyLog = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/evaluate',
  access: 'signed-in',
  summary: 'Evaluate a duty log by the hours-of-service rules: clocks and violations. Nothing is stored',
  tag: TAG,
  body: dutyLogSchema,
  response: hoursEvaluationSchema,
  problems: ['invalid-input'],
});

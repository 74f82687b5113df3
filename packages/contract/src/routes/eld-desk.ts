import { z } from 'zod';
import { BACKWARD, idSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { nearTownSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';
import { RULE_SETS } from './eld-roster.ts';

const TAG = 'Logbook';

/** As people see it: personal use (PC) and yard moves (YM) are indications within OFF and ON. */
export const SHOWN_STATUSES = ['OFF', 'SB', 'D', 'ON', 'PC', 'YM'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

const seconds = z.number();
/** A legal clock: its limit, and what is left of it, in seconds. */
const clockSchema = z.object({ limitS: seconds, leftS: seconds });
export const clocksSchema = z.object({
  drive: clockSchema,
  /** The shift: 14 hours elapsed in the United States. */
  window: clockSchema,
  /** Null if the rule set has no such rule. */
  onDuty: clockSchema.nullable(),
  break: clockSchema.nullable(),
  cycle: clockSchema,
});
export type ShownClocks = z.infer<typeof clocksSchema>;

export const violationSchema = z.object({
  rule: z.string(),
  /** `49 CFR 395.3(a)(2)` */
  clause: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  overS: seconds,
  severity: z.enum(['nominal', 'violation', 'egregious']),
});

/**
 * Nothing is recorded for the driver, since when and why: their own log contradicts itself, that of another driver of the
 * vehicle does, or the server fails at the vehicle.
 */
export const standingSchema = z.object({
  since: z.iso.datetime(),
  why: z.enum(['own-log', 'others-log', 'error']),
  /** The vehicle whose sign-in waits to be recorded, by name; null if none does, or the viewer doesn't see it. */
  signIn: z.string().nullable(),
});
export type Standing = z.infer<typeof standingSchema>;

/** One driver on the desk's board. */
export const boardRowSchema = z
  .object({
    driverId: z.string(),
    name: z.string(),
    departmentId: z.string().nullable(),
    ruleSet: z.enum(RULE_SETS),
    /** Of the driver's home terminal. */
    timeZone: z.string(),
    status: z.enum(SHOWN_STATUSES),
    /** Null if the log is empty. */
    since: z.iso.datetime().nullable(),
    vehicle: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }).nullable(),
    /**
     * Where the vehicle is by its newest report, `reportAt`. Null without one, in personal use, in private time, and if
     * the caller may not see the position.
     */
    here: z.object({ address: z.string().nullable(), near: nearTownSchema.nullable() }).nullable(),
    /** `6mi SSW IL Chicago`, as in the last record with a place. */
    place: z.string().nullable(),
    clocks: clocksSchema,
    /** The moment for which the clocks are right. */
    at: z.iso.datetime(),
    /** Null while the driver may not drive. */
    mustStopBy: z.iso.datetime().nullable(),
    /** Null when the driver may drive now. */
    mayDriveAgainAt: z.iso.datetime().nullable(),
    /** What ends the driving first, or forbids it: `drive`, `window`, `onDuty`, `break`, `cycle`, `timeOff`. */
    binds: z.string().nullable(),
    /** The exemption in force: no limit applies, the clocks are those of when it ends (`EXEMPTIONS` of `packages/hos`). */
    exempt: z.string().nullable(),
    /** Of today; `isOpen`: the driver is driving past a limit now. */
    violations: z.array(violationSchema.extend({ isOpen: z.boolean() })),
    uncertifiedDays: z.int(),
    /** When the desk last asked for them; null if it never did. */
    certificationAskedAt: z.iso.datetime().nullable(),
    proposals: z.int(),
    /** Open malfunctions and data diagnostics of the vehicle: `P`, `E` …, `1` … */
    faults: z.array(z.string()),
    standing: standingSchema.nullable(),
    /** The newest report of the vehicle, and the phone's last synchronization. */
    reportAt: z.iso.datetime().nullable(),
    syncAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BoardRow' });
export type BoardRow = z.infer<typeof boardRowSchema>;

export const readBoard = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/board',
  access: 'logbook.read',
  summary: 'Read the status and clocks of the drivers who keep a log; some of them, with their ids',
  tag: TAG,
  query: z.object({
    /** Ids of drivers, separated by commas. */
    drivers: z
      .string()
      .regex(/^\d+(,\d+)*$/, issue('id'))
      .max(20_000)
      .optional(),
  }),
  response: z.object({
    rows: z.array(boardRowSchema),
    /** Unidentified driving of the last eight days that nobody has claimed. */
    unidentified: z.object({ segments: z.int(), vehicles: z.int(), minutes: z.int() }),
    at: z.iso.datetime(),
  }),
});

export const RECORD_STATES = [
  'active',
  'inactive-changed',
  'change-requested',
  'change-rejected',
  'change-withdrawn',
] as const;

/** A record of a log, active or not. */
export const logRecordSchema = z
  .object({
    id: z.string(),
    /** Event type and code of Appendix A, table 6. */
    type: z.int(),
    code: z.int(),
    /** For a change of status or an indication: the status from here on. */
    status: z.enum(SHOWN_STATUSES).nullable(),
    at: z.iso.datetime(),
    /** Of the record; `change-withdrawn`: the carrier took its proposal back. */
    state: z.enum(RECORD_STATES),
    origin: z.enum(['automatic', 'driver', 'other-user', 'unidentified']).nullable(),
    by: z.string().nullable(),
    recordedAt: z.iso.datetime(),
    sequence: z.string(),
    replaces: z.string().nullable(),
    vehicle: z.string(),
    vin: z.string(),
    trailers: z.string(),
    shippingDocument: z.string(),
    /** Since the engine started; totals for sign-in and engine events. */
    miles: z.number().nullable(),
    hours: z.number().nullable(),
    lat: z.string().nullable(),
    lon: z.string().nullable(),
    place: z.string().nullable(),
    note: z.string(),
    /** The letter or digit of a malfunction or data diagnostic. */
    fault: z.string().nullable(),
    malfunction: z.boolean(),
    diagnostic: z.boolean(),
    /** Recorded driving: no one can shorten it. */
    isLocked: z.boolean(),
  })
  .meta({ id: 'LogRecord' });
export type ShownRecord = z.infer<typeof logRecordSchema>;

export const logSegmentSchema = z.object({
  status: z.enum(SHOWN_STATUSES),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  record: z.string().nullable(),
});

/** A driver's log of one day of the home terminal, 24 hours long, or 23 or 25 when the clocks change. */
export const logDaySchema = z
  .object({
    driverId: z.string(),
    date: z.iso.date(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    timeZone: z.string(),
    /** Through which moment the log is known: now, for today. */
    through: z.iso.datetime(),
    segments: z.array(logSegmentSchema),
    /** In seconds; their sum is the length of the day so far. */
    totals: z.object({ OFF: seconds, SB: seconds, D: seconds, ON: seconds }),
    /** Kilometers that the vehicles drove with this driver, personal use left out. */
    distanceKm: z.number().nullable(),
    records: z.array(logRecordSchema),
    violations: z.array(violationSchema),
    vehicles: z.array(z.string()),
    /** When the driver was in which vehicle, in order, without overlap. */
    drives: z.array(z.object({ deviceId: z.string(), from: z.iso.datetime(), to: z.iso.datetime() })),
    trailers: z.array(z.string()),
    shippingDocuments: z.array(z.string()),
    certification: z.object({
      count: z.int(),
      lastAt: z.iso.datetime().nullable(),
      changedSince: z.boolean(),
    }),
    /** What a form and manner check finds: a code and a sentence. */
    formErrors: z.array(z.object({ code: z.string(), text: z.string() })),
    proposals: z.int(),
    /** Something of it was not reported: engine hours, VIN, odometer … by name. */
    missing: z.array(z.string()),
  })
  .meta({ id: 'LogDay' });
export type LogDay = z.infer<typeof logDaySchema>;

const driverDay = z.object({ driverId: idSchema, date: z.iso.date() });

/** Why a user who may write logs can't propose a change of a day of a driver's log. */
export const CHANGE_REFUSALS = ['out-of-scope', 'no-log', 'not-certified'] as const;

export const readLogDay = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/log/{driverId}/{date}',
  access: 'logbook.read',
  summary: 'Read a driver’s log of one day: graph, records, violations, certification',
  tag: TAG,
  params: driverDay,
  response: logDaySchema.extend({
    driver: z.object({ name: z.string(), licence: z.string().nullable(), terminal: z.string() }),
    clocks: clocksSchema.nullable(),
    /** The exemption in force at that time: no limit applies, the clocks are those of when it ends. */
    exempt: z.string().nullable(),
    standing: standingSchema.nullable(),
    /** Null: a change of this day can be proposed to the driver. */
    changeRefused: z.enum(CHANGE_REFUSALS).nullable(),
    /** Exceptions that the driver declared on this day (`EXCEPTIONS` of `packages/hos`). */
    declarations: z.array(
      z.object({
        exception: z.string(),
        from: z.iso.datetime(),
        /** Null: until the end of the shift. */
        to: z.iso.datetime().nullable(),
        reason: z.string(),
      }),
    ),
    /** On duty each day of the cycle. */
    recap: z.object({
      usedS: seconds,
      leftS: seconds,
      days: z.array(z.object({ date: z.iso.date(), onDutyS: seconds, drivingS: seconds, countedS: seconds })),
    }),
  }),
  problems: ['not-found'],
});

export const listLogDays = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/log',
  access: 'logbook.read',
  summary: 'List days of logs with totals, certification, violations and form errors, without records',
  tag: TAG,
  query: z
    .object({ driverId: idSchema.optional(), from: z.iso.date(), to: z.iso.date() })
    .refine(({ from, to }) => from <= to, BACKWARD),
  response: z.array(logDaySchema.omit({ records: true })),
});

export const readAvailability = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/driver/{driverId}/availability',
  access: 'logbook.read',
  summary: 'Read how long a driver could drive in the next 24 hours and 8 days, if they rest from now on',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  response: z.object({
    driverId: z.string(),
    at: z.iso.datetime(),
    timeZone: z.string(),
    /** At each hour from now to 24 hours from now. */
    hours: z.array(z.object({ at: z.iso.datetime(), drivingS: seconds })),
    /** At the start of each of the next eight days; `backS`: hours of the cycle that come back on the day before. */
    days: z.array(z.object({ date: z.iso.date(), drivingS: seconds, cycleLeftS: seconds, backS: seconds })),
  }),
  problems: ['not-found'],
});

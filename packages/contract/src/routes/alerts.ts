import { z } from 'zod';
import { conflictSchema } from '../conflict.ts';
import { idSchema, instantSchema, notesSchema, numeric, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { nearTownSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';
import { SEVERITIES } from '../severity.ts';
import { alertTaskSchema } from '../task-estimate.ts';

const TAG = 'Alerts';

/** What the product detects automatically: events in trackers' reports, missing reports, and results of commands. */
export const ALERT_KINDS = [
  'sos',
  'crash',
  'tow',
  'tamper',
  'powerCut',
  'batteryLow',
  'jamming',
  'overspeed',
  'harshDriving',
  'doorOpen',
  'vibration',
  'geofence',
  'trackerAlarm',
  'silent',
  'conflictingReports',
  'commandFailed',
  'secondPerson',
  /** In a restricted geofence. */
  'restricted',
  /** A driver can't be at a task in time. */
  'taskLate',
  /** No driver can be at an open task in time. */
  'taskNoDriver',
  /** One of the account's own rules. */
  'rule',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/**
 * Extreme values while the condition lasted: the highest speed, the highest temperature (of a rule: the one furthest out
 * of its range), the lowest level; null if none were measured.
 */
export const alertFiguresSchema = z.object({
  /** km/h */
  speed: z.number().nullable(),
  /** °C */
  temp: z.number().nullable(),
  /** The tracker’s own battery, in percent. */
  battery: z.number().nullable(),
  /** The vehicle’s supply voltage, in volts. */
  supply: z.number().nullable(),
  /** The fuel that was lost, in percent of the tank. */
  fuelLost: z.number().nullable(),
});

/** Of a rule about crossings: which way the vehicle went. */
export const alertCrossingSchema = z.enum(['in', 'out']).nullable();

/** One alert per condition: it is updated in place while the condition lasts. */
export const ALERT_NOTE_MAX = 500;
export const alertNoteSchema = notesSchema
  .min(1, issue('required'))
  .max(ALERT_NOTE_MAX, issue('max-length', { max: ALERT_NOTE_MAX }));

export const alertSchema = z
  .object({
    id: z.string(),
    kind: z.enum(ALERT_KINDS),
    severity: z.enum(SEVERITIES),
    /** The vehicle; null of a task without one. */
    deviceId: z.string().nullable(),
    imei: z.string().nullable(),
    deviceName: z.string().nullable(),
    driver: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The tracker's own name for the event; null if the server detected it. */
    event: z.string().nullable(),
    openedAt: z.iso.datetime(),
    /** When the condition was last seen, and how often. */
    updatedAt: z.iso.datetime(),
    count: z.int(),
    /**
     * When the condition ended; null while it lasts or if its end cannot be detected. The end of a request is known in
     * advance.
     */
    closedAt: z.iso.datetime().nullable(),
    /** Arrived after newer reports: stored without notification. Only critical ones stay open. */
    late: z.boolean(),
    /** Its rule was muted for everyone, or its vehicle was, when it began: it notified nobody. */
    muted: z.boolean(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    address: z.string().nullable(),
    /** The parts of an address given as distance and direction from a town. */
    near: nearTownSchema.nullable(),
    figures: alertFiguresSchema,
    /** For `rule`, as it was then; its ID is null if it was deleted since. */
    rule: z
      .object({
        id: z.string().nullable(),
        /** Null for a built-in alert: it has the name of its kind. */
        name: z.string().nullable(),
        action: z.string().nullable(),
        /** It can't be acknowledged without a note. */
        needsNote: z.boolean(),
        geofence: z.string().nullable(),
        crossing: alertCrossingSchema,
        /** Of a rule about the order of visits: the geofence that should have been visited instead. */
        expected: z.string().nullable(),
        /** Of a rule about the distance to others: which vehicle it was; null if you don't see that one. */
        other: z.object({ deviceId: z.string(), name: z.string() }).nullable(),
        /** Of a rule about dates: the documents that expire on that day; none for a subscription. */
        about: z.object({ titles: z.array(z.string()), on: z.iso.date() }).nullable(),
        /** With its tags. */
        message: z.string().nullable(),
      })
      .nullable(),
    /** For `restricted`: the geofence's name, as it was then. */
    geofence: z.string().nullable(),
    /** For `taskLate` and `taskNoDriver`: the task, and when a driver can be there. Its ID is null if it was deleted since. */
    task: alertTaskSchema.extend({ id: z.string().nullable() }).nullable(),
    /** For `conflictingReports`: the latest conflict. */
    conflict: conflictSchema.nullable(),
    /** When nobody had acknowledged it in time, and to whom it went then, as its rule says. */
    escalation: z.object({ at: z.iso.datetime(), to: z.array(z.string()) }).nullable(),
    acknowledgedAt: z.iso.datetime().nullable(),
    /** Null also if nobody had to acknowledge it, because it had ended when it arrived and was not an SOS. */
    acknowledgedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** What was done about it, as whoever acknowledged it wrote. */
    note: z.string().nullable(),
    /** The command that the alert is about. */
    commandId: z.string().nullable(),
    /** Who requested that command. */
    askedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof alertSchema>;

/** The name of what an alert is about: its vehicle, or the task of one without a vehicle. */
export const alertSubject = ({ deviceName, task }: Pick<Alert, 'deviceName' | 'task'>): string =>
  deviceName ?? task?.ref ?? task?.title ?? '';

export const listAlerts = defineRoute({
  method: 'GET',
  path: '/api/v1/alert',
  access: 'alerts.read',
  summary: 'List alerts of vehicles and tasks you can see, newest first',
  tag: TAG,
  query: z.object({
    deviceId: idSchema.optional(),
    /** Only alerts that nobody has acknowledged. */
    open: z.enum(['true', 'false']).optional(),
    /** Only alerts that began between these times, both included. */
    from: instantSchema.optional(),
    to: instantSchema.optional(),
    limit: numeric(z.int().min(1).max(500)).default(100),
    before: uuidSchema.optional(),
  }),
  response: z.object({
    alerts: z.array(alertSchema),
    /** All alerts that nobody has acknowledged, including those beyond this page. */
    unacknowledged: z.object({ critical: z.int(), warning: z.int(), info: z.int() }),
  }),
  problems: ['not-found'],
});

export const acknowledgeAlerts = defineRoute({
  method: 'POST',
  path: '/api/v1/alert/acknowledge',
  access: 'alerts.write',
  summary:
    'Acknowledge alerts; already acknowledged ones keep the first name and note, requests for a decision stay open',
  tag: TAG,
  body: z.object({
    ids: z.array(uuidSchema).min(1).max(500),
    /** What was done about them; alerts of some rules need it. */
    note: alertNoteSchema.nullable().default(null),
  }),
  response: z.object({ alerts: z.array(alertSchema) }),
  problems: ['not-found', 'alert-needs-note'],
});

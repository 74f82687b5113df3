import { z } from 'zod';
import { SEVERITIES } from '../choices.ts';
import { conflictSchema } from '../conflict.ts';
import { idSchema, uuidSchema } from '../fields.ts';
import { nearTownSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Alerts';

/** What the product notices on its own: trackers' reports, their silence, and the results of commands. */
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
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** One alert per condition: it is updated in place while the condition lasts. */
export const alertSchema = z
  .object({
    id: z.string(),
    kind: z.enum(ALERT_KINDS),
    severity: z.enum(SEVERITIES),
    deviceId: z.string(),
    imei: z.string(),
    deviceName: z.string(),
    driver: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The tracker's own word for it, where it was one. */
    event: z.string().nullable(),
    openedAt: z.iso.datetime(),
    /** When it was last seen, and how often. */
    updatedAt: z.iso.datetime(),
    count: z.int(),
    /** When the condition ended; null while it lasts or where nothing can say so. A request's end is known before. */
    closedAt: z.iso.datetime().nullable(),
    /** Arrived after newer reports: recorded, not announced. Only critical ones stay open. */
    late: z.boolean(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    address: z.string().nullable(),
    /** The parts of the address, where it is the way from a town. */
    near: nearTownSchema.nullable(),
    /** What was measured while it was reported: the fastest, the warmest, the emptiest; null where nothing was. */
    figures: z.object({
      /** km/h */
      speed: z.number().nullable(),
      /** °C */
      temp: z.number().nullable(),
      /** Of the tracker’s own battery, percent. */
      battery: z.number().nullable(),
      /** Of the vehicle’s supply, volts. */
      supply: z.number().nullable(),
    }),
    /** Of `conflictingReports`: what was seen last. */
    conflict: conflictSchema.nullable(),
    acknowledgedAt: z.iso.datetime().nullable(),
    /** Null also where nobody had to: it was over when it came in, and no cry for help. */
    acknowledgedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The command that it is about. */
    commandId: z.string().nullable(),
    /** Who requested that command. */
    askedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof alertSchema>;

export const listAlerts = defineRoute({
  method: 'GET',
  path: '/api/v1/alert',
  access: 'alerts.read',
  summary: 'List alerts of vehicles you can see, newest first',
  tag: TAG,
  query: z.object({
    deviceId: idSchema.optional(),
    /** Only those that nobody has acknowledged. */
    open: z.enum(['true', 'false']).optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    before: uuidSchema.optional(),
  }),
  response: z.object({
    alerts: z.array(alertSchema),
    /** All that nobody has acknowledged, also beyond this page. */
    unacknowledged: z.object({ critical: z.int(), warning: z.int(), info: z.int() }),
  }),
  problems: ['not-found'],
});

export const acknowledgeAlerts = defineRoute({
  method: 'POST',
  path: '/api/v1/alert/acknowledge',
  access: 'alerts.write',
  summary: 'Acknowledge alerts; already acknowledged ones keep the first name, requests for a decision stay open',
  tag: TAG,
  body: z.object({ ids: z.array(uuidSchema).min(1).max(500) }),
  response: z.object({ alerts: z.array(alertSchema) }),
  problems: ['not-found'],
});

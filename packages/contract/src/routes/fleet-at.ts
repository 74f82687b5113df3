import { z } from 'zod';
import { instantSchema } from '../fields.ts';
import { positionReportSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';
import { alertSchema } from './alerts.ts';
import { DRIVING_SOURCES } from './drivers.ts';
import { FLEET_STATUSES } from './overview.ts';
import { liveStateSchema } from './vehicles.ts';

export const readFleetAt = defineRoute({
  method: 'GET',
  path: '/api/v1/fleet/at',
  access: 'vehicles.read',
  summary:
    'Read where every vehicle you can see was at a moment, its status, the alerts open and the geofences it was in',
  tag: 'Positions',
  query: z.object({ at: instantSchema.describe('A moment of the past; a later one means now') }),
  response: z.object({
    at: z.iso.datetime(),
    vehicles: z.array(
      z.object({
        deviceId: z.string(),
        /** What is known from its positions up to the moment, by the tracker’s clock. */
        live: liveStateSchema,
        /** The status at the moment, by the same rules as the live status. */
        status: z.enum(FLEET_STATUSES),
        /** It has lasted longer than `live.motionSince` says: it began before the positions that were read. */
        isSinceAtLeast: z.boolean(),
        /** Its newest reliable report up to the moment; null if there is none. */
        report: positionReportSchema.nullable(),
        /** How old the newest fix was, in seconds. */
        ageS: z.number().nullable(),
        /** That report reached the server after the moment: nobody could see it then. */
        arrivedLater: z.boolean(),
        /** By the card in the report; otherwise its usual driver of today. */
        driver: z.object({ id: z.string(), name: z.string(), source: z.enum(DRIVING_SOURCES) }).nullable(),
      }),
    ),
    /** Alerts that had begun and that nobody had acknowledged, newest first; null if the user may not see alerts. */
    alerts: z
      .object({
        alerts: z.array(alertSchema),
        /** Of all of them, including those beyond the list. */
        unacknowledged: z.object({ critical: z.int(), warning: z.int(), info: z.int() }),
      })
      .nullable(),
    /** Which vehicles were inside which geofences of today, in the caller’s folders. */
    inside: z.array(
      z.object({
        geofenceId: z.string(),
        deviceId: z.string(),
        since: z.iso.datetime(),
        /** It may have been there longer: nothing is known of the time before. */
        isAtLeast: z.boolean(),
        confidence: z.number(),
      }),
    ),
  }),
});

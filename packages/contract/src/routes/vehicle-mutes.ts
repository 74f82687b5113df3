import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import type { AlertKind } from './alerts.ts';
import { CHANGEABLE_BUILT_IN_KINDS } from './built-in-rules.ts';
import { muteBodySchema } from './rule-mutes.ts';
import { ruleMuteSchema } from './rules.ts';

const TAG = 'Alerts';

/** What goes on notifying when all alerts of a vehicle are muted: a call for help, and a step of a command. */
export const NEVER_MUTED_WITH_ALL = ['sos', 'secondPerson'] as const satisfies readonly AlertKind[];

/** A rule's ID, or the kind of a built-in alert; null: all alerts of the vehicle but `NEVER_MUTED_WITH_ALL`. */
const aboutSchema = z.union([z.enum(CHANGEABLE_BUILT_IN_KINDS), idSchema]).nullable();

/** Alerts of one vehicle, such as one in the workshop, that notify nobody for a while: they are written as always. */
export const vehicleMuteSchema = ruleMuteSchema
  .extend({
    deviceId: z.string(),
    deviceName: z.string(),
    about: z.string().nullable(),
    /** The rule's name; null for a built-in alert, which has the name of its kind, and for all alerts. */
    name: z.string().nullable(),
  })
  .meta({ id: 'VehicleMute' });
export type VehicleMute = z.infer<typeof vehicleMuteSchema>;

export const listVehicleMutes = defineRoute({
  method: 'GET',
  path: '/api/v1/alert/mute',
  access: 'alerts.read',
  summary: 'List what is muted of the vehicles you can see',
  tag: TAG,
  response: z.array(vehicleMuteSchema),
});

export const muteVehicle = defineRoute({
  method: 'PUT',
  path: '/api/v1/device/{id}/alert_mute',
  access: 'alerts.write',
  summary: 'Mute a rule, or all alerts, for one vehicle until a time, or end that; its alerts are still written',
  tag: TAG,
  params: z.object({ id: idSchema }),
  body: muteBodySchema.extend({ about: aboutSchema }),
  /** All that is muted of the vehicle then. */
  response: z.array(vehicleMuteSchema),
  problems: ['not-found', 'out-of-scope'],
});

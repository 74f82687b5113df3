import { z } from 'zod';
import { SEVERITIES } from '../severity.ts';

/** Sent by the client on `/geofence` [R7.37]. */
export const registerVehiclesSchema = z.object({
  v: z.literal(1).default(1),
  vehicles: z
    .array(
      z.object({
        imei: z.string().max(20),
        deviceId: z.string().max(20).optional(),
        fences: z.array(z.string().max(40)).max(1000).optional(),
      }),
    )
    .max(20_000),
  /** The last alert that the client has received; later ones are sent again. */
  since: z.string().max(60).nullish(),
});

/** The server's answer to `register_vehicles`; `ignored` are vehicles that the user cannot see. */
export const registeredVehiclesSchema = z.object({ registered: z.int(), ignored: z.array(z.string()) });
export type RegisteredVehicles = z.infer<typeof registeredVehiclesSchema>;

export const GEOFENCE_ALERT_TYPES = [
  'enter',
  'exit',
  'dwell',
  'absent',
  'speed',
  'corridor',
  'tow',
  'deleted',
] as const;

/** Sent by the server on `/geofence`. Speed in km/h; distances in meters. */
export const geofenceAlertSchema = z
  .object({
    v: z.literal(1),
    id: z.string(),
    type: z.enum(GEOFENCE_ALERT_TYPES),
    severity: z.enum(SEVERITIES),
    /** Null if the vehicle was deleted. */
    fence: z.object({ id: z.string(), name: z.string(), kind: z.string(), color: z.string().nullable() }).nullable(),
    /** Null if the geofence was deleted. */
    vehicle: z.object({ deviceId: z.string(), imei: z.string(), deviceName: z.string() }).nullable(),
    driver: z.object({ id: z.string(), name: z.string() }).nullable(),
    rule: z.object({ id: z.string(), name: z.string() }).nullable(),
    state: z.enum(['opened', 'updated', 'closed']),
    count: z.int(),
    at: z.iso.datetime(),
    receivedAt: z.iso.datetime(),
    late: z.boolean(),
    position: z
      .object({
        lat: z.number(),
        lon: z.number(),
        accuracyM: z.number().nullable(),
        speed: z.number().nullable(),
        address: z.string().nullable(),
      })
      .nullable(),
    dwellSeconds: z.number(),
    distanceToEdgeM: z.number().nullable(),
    /** 0 to 1. */
    confidence: z.number().nullable(),
    message: z.string(),
    ack: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
    link: z.string(),
  })
  .meta({ id: 'GeofenceAlert' });
export type GeofenceAlert = z.infer<typeof geofenceAlertSchema>;

import { z } from 'zod';
import {
  BACKWARD,
  emptyAsNull,
  idSchema,
  imeiSchema,
  instantSchema,
  isForward,
  modelSchema,
  plateSchema,
  vehicleNameSchema,
  vinSchema,
} from '../fields.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';

const TAG = 'Vehicles';

/** How a vehicle moves, decided by the server from its fixes. Age turns it into a status (`vehicleStatus`, packages/geo). */
export const MOTIONS = ['moving', 'idling', 'stopped'] as const;
export type Motion = (typeof MOTIONS)[number];

/** A vehicle's live state as the server keeps it: all that a status is computed from, without the clock. */
export const liveStateSchema = z
  .object({
    motion: z.enum(MOTIONS).nullable(),
    /** Since when the motion holds, by the tracker's clock. */
    motionSince: z.iso.datetime().nullable(),
    /** Time of the newest fix, valid or not, by the tracker's clock. */
    fixAt: z.iso.datetime().nullable(),
    /** When the server last heard from the tracker. */
    heardAt: z.iso.datetime().nullable(),
    gpsValid: z.boolean(),
    /** Usual time between two reports in seconds, a running estimate. */
    intervalS: z.number().nonnegative().nullable(),
    /** Where the vehicle last was for sure; null before the first valid fix. */
    lat: z.number().nullable(),
    lon: z.number().nullable(),
  })
  .meta({ id: 'LiveState' });
export type LiveState = z.infer<typeof liveStateSchema>;

export const vehicleSchema = z
  .object({
    id: z.string(),
    imei: z.string(),
    deviceName: z.string(),
    plate: z.string().nullable(),
    vin: z.string().nullable(),
    /** Make, model and year as the owner writes them. */
    model: z.string().nullable(),
    protocol: z.enum(TRACKER_PROTOCOLS).nullable(),
    createdAt: z.iso.datetime(),
    live: liveStateSchema,
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.infer<typeof vehicleSchema>;

export const newVehicleSchema = z.object({
  imei: imeiSchema,
  deviceName: vehicleNameSchema,
  plate: emptyAsNull(plateSchema).optional(),
  vin: emptyAsNull(vinSchema).optional(),
  model: emptyAsNull(modelSchema).optional(),
});
export type NewVehicle = z.input<typeof newVehicleSchema>;

const params = z.object({ id: idSchema });

export const listVehicles = defineRoute({
  method: 'GET',
  path: '/api/v1/device',
  access: 'vehicles.read',
  summary: 'List the vehicles that you may see, with their live state',
  tag: TAG,
  response: z.array(vehicleSchema),
});

export const createVehicle = defineRoute({
  method: 'POST',
  path: '/api/v1/device',
  access: 'vehicles.write',
  summary: 'Add a vehicle and its tracker',
  tag: TAG,
  body: newVehicleSchema,
  status: 201,
  response: vehicleSchema.extend({
    deviceKey: z.string().describe('Password of the tracker on MQTT; shown this once'),
  }),
  problems: ['imei-taken', 'name-taken'],
});

export const readVehicle = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}',
  access: 'vehicles.read',
  summary: 'Read one vehicle',
  tag: TAG,
  params,
  response: vehicleSchema,
  problems: ['not-found'],
});

export const updateVehicle = defineRoute({
  method: 'PATCH',
  path: '/api/v1/device/{id}',
  access: 'vehicles.write',
  summary: 'Change a vehicle',
  tag: TAG,
  params,
  body: newVehicleSchema.partial(),
  response: vehicleSchema,
  problems: ['not-found', 'imei-taken', 'name-taken'],
});

export const deleteVehicle = defineRoute({
  method: 'DELETE',
  path: '/api/v1/device/{id}',
  access: 'vehicles.write',
  summary: 'Delete a vehicle and its positions',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const renewDeviceKey = defineRoute({
  method: 'POST',
  path: '/api/v1/device/{id}/key',
  access: 'vehicles.write',
  summary: "Make a new device key; the tracker's present MQTT connection ends",
  tag: TAG,
  params,
  response: z.object({ deviceKey: z.string() }),
  problems: ['not-found'],
});

export const importRowErrorSchema = z
  .object({
    /** Row of the file, counted from 1; the header is row 1. */
    row: z.int(),
    column: z.string().nullable(),
    message: z.string(),
  })
  .meta({ id: 'ImportRowError' });

export const importVehicles = defineRoute({
  method: 'POST',
  path: '/api/v1/device/import',
  access: 'vehicles.write',
  summary: 'Import vehicles from CSV (columns imei, deviceName, plate, vin, model); all rows or none',
  tag: TAG,
  query: z.object({ dryRun: z.enum(['true', 'false']).default('true') }),
  body: z.string(),
  bodyType: 'text/csv',
  response: z.object({
    dryRun: z.boolean(),
    rows: z.int(),
    imported: z.int(),
    errors: z.array(importRowErrorSchema),
  }),
  problems: ['import-has-errors', 'payload-too-large', 'unsupported-media-type'],
});

export const listUnknownTrackers = defineRoute({
  method: 'GET',
  path: '/api/v1/unknown_tracker',
  access: 'trackers.unknown.read',
  summary: "List trackers that report here and belong to no vehicle (operator's account only)",
  tag: TAG,
  response: z.array(
    z.object({
      imei: z.string(),
      protocol: z.enum(TRACKER_PROTOCOLS),
      firstSeenAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      connections: z.int(),
      remoteAddress: z.string().nullable(),
    }),
  ),
});

/** A stretch of one kind of motion; `gap` is time without data. */
export const DAY_SEGMENT_KINDS = ['moving', 'idling', 'stopped', 'gap'] as const;

/** The longest stretch that one call answers; the longest day has 25 hours. */
export const DAY_MAX_DAYS = 2;

export const readVehicleDay = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/day',
  access: 'vehicles.read',
  summary: 'Read a vehicle’s day: driving, idling and standing, distance and stops',
  tag: TAG,
  params,
  query: z
    .object({ from: instantSchema.describe('Start of the day in the reader’s zone'), to: instantSchema })
    .refine(isForward, BACKWARD),
  response: z.object({
    segments: z.array(
      z.object({
        kind: z.enum(DAY_SEGMENT_KINDS),
        from: z.iso.datetime(),
        to: z.iso.datetime(),
        distanceM: z.number(),
      }),
    ),
    distanceM: z.number(),
    movingS: z.number(),
    idlingS: z.number(),
    stoppedS: z.number(),
    stops: z.int(),
    maxSpeedMps: z.number().nullable(),
    /** Fixes that the figures rest on, and how many were left out as implausible or without a valid fix. */
    fixes: z.int(),
    leftOut: z.int(),
  }),
  problems: ['not-found', 'range-too-long'],
});

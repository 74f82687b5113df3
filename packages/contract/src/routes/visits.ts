import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward, numeric } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Geofences';

/** Of one answer. */
export const VISITS_MAX = 500;

/** The way over a geofence's edge. */
const crossingSchema = z.object({
  /** When it crossed the edge, by the fixes on both sides of it. */
  at: z.iso.datetime(),
  /** Not earlier than this; null if nothing is known of the time before: it was already inside. */
  after: z.iso.datetime().nullable(),
  /** Nor later. */
  before: z.iso.datetime(),
  /** 0 to 1. */
  confidence: z.number(),
  lat: z.number(),
  lon: z.number(),
});

export const visitSchema = z
  .object({
    id: z.string(),
    geofenceId: z.string(),
    deviceId: z.string(),
    entry: crossingSchema,
    /** Null while the vehicle is inside. */
    exit: crossingSchema.nullable(),
    /** In and out again between two fixes. */
    isPass: z.boolean(),
  })
  .meta({ id: 'Visit' });
export type Visit = z.infer<typeof visitSchema>;

const countingSchema = z.object({
  /** Vehicles whose visits are not counted up to their last report yet. */
  counting: z.int(),
  /** Of so many that are asked for. */
  vehicles: z.int(),
});

export const listVisits = defineRoute({
  method: 'GET',
  path: '/api/v1/visit',
  access: 'vehicles.read',
  summary: 'List visits to geofences that overlap a period, newest first, of vehicles in the caller’s folders',
  tag: TAG,
  query: z
    .object({
      geofenceId: idSchema.optional(),
      deviceId: idSchema.optional(),
      from: instantSchema,
      to: instantSchema,
      /** The last visit of the answer before. */
      after: z
        .string()
        .regex(/^\d{1,15}-\d{1,10}-\d{1,10}-\d{1,15}$/, issue('id'))
        .optional(),
      limit: numeric(z.int().min(1).max(VISITS_MAX)).default(100),
    })
    .refine(isForward, BACKWARD),
  response: countingSchema.extend({
    visits: z.array(visitSchema),
    /** There are more: ask for those after the last one. */
    hasMore: z.boolean(),
  }),
  problems: ['not-found'],
});

export const listInside = defineRoute({
  method: 'GET',
  path: '/api/v1/visit/inside',
  access: 'vehicles.read',
  summary: 'List which vehicles are inside which geofences by their last reports, and who crossed each one last',
  tag: TAG,
  query: z.object({
    /** Only these, with a comma between; `last` then has the geofences where they have been. */
    vehicles: z
      .string()
      .regex(/^\d{1,10}(,\d{1,10}){0,99}$/, issue('id'))
      .optional(),
  }),
  response: countingSchema.extend({
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
    /** The newest crossing of each geofence that has any; to be inside from the first that is known is none. */
    last: z.array(
      z.object({
        geofenceId: z.string(),
        deviceId: z.string(),
        at: z.iso.datetime(),
        kind: z.enum(['enter', 'exit']),
      }),
    ),
  }),
  conditional: true,
});

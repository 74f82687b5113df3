import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward } from '../fields.ts';
import { nearTownSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';
import { DRIVING_SOURCES } from './drivers.ts';

const TAG = 'Vehicles';

/** A trip ends when the engine is turned off or the vehicle stands for long; `gap` is time without data. */
export const LEG_KINDS = ['trip', 'stop', 'gap'] as const;

/** The longest period in one call, in days. */
export const TRIPS_MAX_DAYS = 31;

/** The fix that decided where something began or ended. */
const placeSchema = z.object({
  at: z.iso.datetime(),
  lat: z.number(),
  lon: z.number(),
  address: z.string().nullable(),
  near: nearTownSchema.optional(),
});

const legSumsSchema = z.object({
  /** Along the fixes; across a gap, in a straight line. */
  distanceM: z.number(),
  movingS: z.number(),
  idlingS: z.number(),
  stoppedS: z.number(),
  /** Reliable fixes that it is based on. */
  fixes: z.int(),
});

export const legSchema = legSumsSchema
  .extend({
    kind: z.enum(LEG_KINDS),
    /** Whole, even where it began before the period or ended after it. */
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    /** It is not over yet. */
    isUnderWay: z.boolean(),
    start: placeSchema.nullable(),
    end: placeSchema.nullable(),
    /** By the odometer; null where the tracker doesn't send one, or it was set back. */
    odometerM: z.number().nullable(),
    maxSpeedMps: z.number().nullable(),
    /** Of the time on the road. */
    meanSpeedMps: z.number().nullable(),
    /** Percent, as sent first and last. */
    fuel: z.object({ start: z.number(), end: z.number() }).nullable(),
    /** All who drove: signed in on the phone, else by card, else whoever was the usual driver then. */
    drivers: z.array(z.object({ id: z.string(), name: z.string(), source: z.enum(DRIVING_SOURCES) })),
    /** Cards that were reported on the way, and whose they are now. */
    cards: z.array(z.object({ card: z.string(), driver: z.object({ id: z.string(), name: z.string() }).nullable() })),
    /** Its part in each of the account's days. A day's parts add up to the figures of that day exactly. */
    days: z.array(legSumsSchema.extend({ date: z.iso.date() })),
  })
  .meta({ id: 'Leg' });
export type Leg = z.infer<typeof legSchema>;

const countedSchema = z.object({
  /** Reports of the period have been stored that this answer does not include yet. */
  isBehind: z.boolean(),
  /** All reports up to this one are included; null if there is none, or if late reports are still to be added. */
  countedTo: z.iso.datetime().nullable(),
});

export const listLegs = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/leg',
  access: 'vehicles.read',
  summary: 'List a vehicle’s trips and stops in a period, oldest first, and the times without data between them',
  tag: TAG,
  params: z.object({ id: idSchema }),
  query: z.object({ from: instantSchema, to: instantSchema }).refine(isForward, BACKWARD),
  response: countedSchema.extend({ legs: z.array(legSchema) }),
  problems: ['not-found', 'range-too-long'],
});

const ofVehicleSchema = z
  .object({ deviceId: idSchema, from: instantSchema, to: instantSchema })
  .refine(isForward, BACKWARD);

export const listTrips = defineRoute({
  method: 'GET',
  path: '/api/v1/trip',
  access: 'vehicles.read',
  summary: 'List a vehicle’s trips in a period, oldest first',
  tag: TAG,
  query: ofVehicleSchema,
  response: countedSchema.extend({ trips: z.array(legSchema) }),
  problems: ['not-found', 'range-too-long'],
});

export const listStops = defineRoute({
  method: 'GET',
  path: '/api/v1/stop',
  access: 'vehicles.read',
  summary: 'List a vehicle’s stops in a period, oldest first',
  tag: TAG,
  query: ofVehicleSchema,
  response: countedSchema.extend({ stops: z.array(legSchema) }),
  problems: ['not-found', 'range-too-long'],
});

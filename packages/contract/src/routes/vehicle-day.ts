import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { figuresSchema } from './figures.ts';

const TAG = 'Vehicles';

/** A period of one kind of motion; `gap` is time without data, and `private` is time whose data private time hides. */
export const DAY_SEGMENT_KINDS = ['moving', 'idling', 'stopped', 'gap', 'private'] as const;

/** The longest period in one call, in days; the longest day has 25 hours. */
export const DAY_MAX_DAYS = 2;

export const readVehicleDay = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/day',
  access: 'vehicles.read',
  summary: 'Read a vehicle’s day: driving, idling, stopped, distance and stops',
  tag: TAG,
  params: z.object({ id: idSchema }),
  query: z
    .object({
      from: instantSchema.describe('Start of the day; the app asks for days of the account’s time zone'),
      to: instantSchema,
    })
    .refine(isForward, BACKWARD),
  response: figuresSchema.extend({
    segments: z.array(
      z.object({
        kind: z.enum(DAY_SEGMENT_KINDS),
        from: z.iso.datetime(),
        to: z.iso.datetime(),
        distanceM: z.number(),
      }),
    ),
  }),
  problems: ['not-found', 'range-too-long'],
});

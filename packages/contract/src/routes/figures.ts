import { z } from 'zod';
import { dateSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Figures';

/** What a vehicle did on a day. The seconds of the four kinds add up to the part of the day that is over. */
export const dayFiguresSchema = z.object({
  distanceM: z.number(),
  movingS: z.number(),
  idlingS: z.number(),
  stoppedS: z.number(),
  /** About which nothing is known. */
  gapS: z.number(),
  stops: z.int(),
  maxSpeedMps: z.number().nullable(),
  firstMoveAt: z.iso.datetime().nullable(),
  /** When it last came to a stop that it drove to. */
  lastStopAt: z.iso.datetime().nullable(),
  /** Fixes that the figures rest on, and how many were left out as implausible or without a valid fix. */
  fixes: z.int(),
  leftOut: z.int(),
});
export type DayFiguresAnswer = z.infer<typeof dayFiguresSchema>;

export const accountZoneSchema = z.string().describe('The account’s time zone, in which its days begin');

export const readFleetDay = defineRoute({
  method: 'GET',
  path: '/api/v1/fleet/day',
  access: 'vehicles.read',
  summary: 'Read the day of every vehicle you can see, today by default',
  tag: TAG,
  query: z.object({ date: dateSchema.optional() }),
  response: z.object({
    date: z.iso.date(),
    zone: accountZoneSchema,
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    /** The figures are those of this moment: the end of the day, or now. */
    until: z.iso.datetime(),
    vehicles: z.array(
      dayFiguresSchema.extend({
        deviceId: z.string(),
        /** Reports of the day are stored that these figures do not have yet. */
        isBehind: z.boolean(),
      }),
    ),
  }),
});

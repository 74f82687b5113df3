import { z } from 'zod';
import { BACKWARD, dateSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Figures';

/** What a vehicle did in a period of any length. */
export const figuresSchema = z.object({
  distanceM: z.number(),
  movingS: z.number(),
  idlingS: z.number(),
  stoppedS: z.number(),
  stops: z.int(),
  maxSpeedMps: z.number().nullable(),
  /** Fixes that the figures are based on, and how many were left out as implausible or invalid. */
  fixes: z.int(),
  leftOut: z.int(),
});

/** What a vehicle did on a day. The seconds of the four kinds add up to the elapsed part of the day. */
export const dayFiguresSchema = figuresSchema.extend({
  /** Time without data. */
  gapS: z.number(),
  firstMoveAt: z.iso.datetime().nullable(),
  /** When it last stopped after driving. */
  lastStopAt: z.iso.datetime().nullable(),
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
    /** The figures are as of this moment: the end of the day, or now. */
    until: z.iso.datetime(),
    vehicles: z.array(
      dayFiguresSchema.extend({
        deviceId: z.string(),
        /** It drove, and covered 1 km or more. */
        isInUse: z.boolean(),
        /** Reports of the day have been stored that these figures do not include yet. */
        isBehind: z.boolean(),
      }),
    ),
  }),
});

/** The longest period of one overview. */
export const OVERVIEW_MAX_DAYS = 92;

export const periodSchema = z.object({ from: z.iso.date(), to: z.iso.date() });
export const behindSchema = z.int().describe('Vehicles with stored reports that the figures do not have yet');

export const fleetPeriodSchema = z.object({
  zone: accountZoneSchema,
  period: periodSchema,
  /** The figures are as of this moment. */
  until: z.iso.datetime(),
  behind: behindSchema,
  /** Elapsed seconds of each day of the period. */
  daySeconds: z.array(z.number()),
  vehicles: z.array(
    figuresSchema.extend({
      deviceId: z.string(),
      /** First day with figures, even before the period; null if there are none. */
      since: z.iso.date().nullable(),
      /** Days on which it was in use: it drove, and covered 1 km or more. */
      inUse: z.int(),
      /** Alerts that began; null if the user may not see alerts. */
      alerts: z.int().nullable(),
    }),
  ),
});
export type FleetPeriod = z.infer<typeof fleetPeriodSchema>;

export const readFleetPeriod = defineRoute({
  method: 'GET',
  path: '/api/v1/fleet/period',
  access: 'organisation.read',
  summary: 'Read what every vehicle that you may see did over a period: what the overview’s figures are the sums of',
  tag: TAG,
  query: z.object({ from: dateSchema, to: dateSchema }).refine(({ from, to }) => !(from > to), BACKWARD),
  response: fleetPeriodSchema,
  problems: ['range-too-long'],
});

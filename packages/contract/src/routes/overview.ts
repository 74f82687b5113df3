import { z } from 'zod';
import { OVERVIEW_TILES, SEVERITIES } from '../choices.ts';
import { BACKWARD, dateSchema, idSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { accountZoneSchema, behindSchema, periodSchema } from './figures.ts';

const TAG = 'Figures';

/** The statuses of `packages/geo`, in the order in which they are always told. */
export const FLEET_STATUSES = [
  'moving',
  'idling',
  'stopped',
  'outdated',
  'no-gps',
  'offline',
  'private',
  'no-data',
] as const;

/** What to do next, each kind at most once. */
export const DO_NEXT_KINDS = [
  'criticalAlerts',
  'warningAlerts',
  'documentsEnded',
  'documentsEnding',
  'driverDocumentsEnded',
  'driverDocumentsEnding',
  'subscriptionsOver',
  'subscriptionsEnding',
  'silent',
  'neverHeard',
  'idled',
  'gpsDoubts',
  'noDriver',
] as const;
export type DoNextKind = (typeof DO_NEXT_KINDS)[number];

const count = z.int();
const perDay = z.array(z.number().nullable());

export const overviewSchema = z
  .object({
    zone: accountZoneSchema,
    /** The account's calendar day of now. */
    today: z.iso.date(),
    /** Days of the account, both included; the one before it is as long, and ends where this one begins. */
    period: periodSchema,
    previous: periodSchema,
    until: z.iso.datetime(),
    /** First day of which there are figures; null while there are none. */
    since: z.iso.date().nullable(),
    behind: behindSchema,
    vehicles: count,
    /** Of these, how many are seen only because of who drives them now: they count under `now`, not in figures over time. */
    passing: count,
    now: z.object({
      statuses: z.record(z.enum(FLEET_STATUSES), count),
      drivers: z.object({ driving: count, standing: count, withoutVehicle: count }).nullable(),
      /** Open alerts that nobody has acknowledged; null where the reader may not see alerts. */
      alerts: z.record(z.enum(SEVERITIES), count).nullable(),
      silent: count,
      documentsEnding: count.nullable(),
      subscriptionsEnding: count.nullable(),
    }),
    tiles: z.array(
      z.object({
        key: z.enum(OVERVIEW_TILES),
        /** Null where there is nothing to measure. */
        value: z.number().nullable(),
        previous: z.number().nullable(),
        /**
         * Against the period before: of sums and counts the part by which the mean of a finished day grew, of shares
         * and speeds the difference. Null where one of the periods has no finished day.
         */
        change: z.number().nullable(),
        /** One value a day of the period; null for days that are to come or without data. */
        series: perDay,
        target: z.number().nullable(),
      }),
    ),
    distance: z.object({ days: perDay, previousDays: perDay }),
    /**
     * Vehicles on the road by weekday (Monday first) and hour, the mean of the period’s days; null for hours of which
     * the period has none.
     */
    hours: z.array(z.array(z.number().nullable()).length(24)).length(7),
    doNext: z.array(
      z.object({
        kind: z.enum(DO_NEXT_KINDS),
        severity: z.enum(SEVERITIES),
        count,
        /** The first of those it is about. */
        about: z.array(z.object({ deviceId: z.string().nullable(), name: z.string() })),
        /** What makes it worth doing: seconds idled a day or silent, days until the end, share of fixes left out. */
        measure: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overviewSchema>;

export const readOverview = defineRoute({
  method: 'GET',
  path: '/api/v1/overview',
  access: 'organisation.read',
  summary: 'Read the overview: the fleet now, a period compared with the previous one, and what to do next',
  tag: TAG,
  query: z
    .object({ from: dateSchema, to: dateSchema, folderId: idSchema.optional(), departmentId: idSchema.optional() })
    .refine(({ from, to }) => !(from > to), BACKWARD),
  response: overviewSchema,
  problems: ['not-found', 'range-too-long'],
});

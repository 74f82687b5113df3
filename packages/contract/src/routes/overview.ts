import { z } from 'zod';
import { BACKWARD, dateSchema, idSchema } from '../fields.ts';
import { OUTCOME_TILES, OVERVIEW_TILES } from '../overview-tiles.ts';
import { defineRoute } from '../route.ts';
import { SEVERITIES } from '../severity.ts';
import { accountZoneSchema, behindSchema, periodSchema } from './figures.ts';

const TAG = 'Figures';

/** The statuses of `packages/geo`, in display order. */
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

/** Suggested actions, each kind at most once. */
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

/** A figure over the period. */
const tileSchema = z.object({
  /** Null if there is nothing to measure. */
  value: z.number().nullable(),
  previous: z.number().nullable(),
  /**
   * Compared with the previous period: for sums and counts, the relative growth of the mean per finished day; for
   * shares and speeds, the difference. Null if one of the periods has no finished day.
   */
  change: z.number().nullable(),
  /** One value for each day of the period; null for future days and days without data. */
  series: perDay,
  target: z.number().nullable(),
});

export const overviewSchema = z
  .object({
    zone: accountZoneSchema,
    /** Today's date in the account's time zone. */
    today: z.iso.date(),
    /**
     * Days of the account, first and last included; the previous period has the same length and ends where this one
     * begins.
     */
    period: periodSchema,
    previous: periodSchema,
    until: z.iso.datetime(),
    /** First day with figures; null if there are none. */
    since: z.iso.date().nullable(),
    behind: behindSchema,
    vehicles: count,
    /**
     * How many of them are visible only because of their current driver: they count under `now`, not in figures over
     * time.
     */
    passing: count,
    now: z.object({
      statuses: z.record(z.enum(FLEET_STATUSES), count),
      drivers: z.object({ driving: count, standing: count, withoutVehicle: count }).nullable(),
      /** Open alerts that nobody has acknowledged; null if the user may not see alerts. */
      alerts: z.record(z.enum(SEVERITIES), count).nullable(),
      silent: count,
      documentsEnding: count.nullable(),
      subscriptionsEnding: count.nullable(),
    }),
    tiles: z.array(tileSchema.extend({ key: z.enum(OVERVIEW_TILES) })),
    /**
     * Time beyond what is free at geofences that have such terms, and its cost in the account's currency; as in the
     * report. Null if no geofence has any, or the user may not see geofences.
     */
    detention: z
      .object({
        seconds: z.number(),
        cost: z.number(),
        visits: count,
        /** Of the period before; null if some of it is before the first data. */
        previous: z.object({ seconds: z.number(), cost: z.number() }).nullable(),
        currency: z.string(),
        /** The geofences with the highest cost. */
        places: z.array(
          z.object({ geofenceId: z.string(), name: z.string(), seconds: z.number(), cost: z.number(), visits: count }),
        ),
      })
      .nullable(),
    distance: z.object({ days: perDay, previousDays: perDay }),
    /**
     * Vehicles on the road by weekday (Monday first) and hour, as the mean over the period’s days; null for hours that
     * the period does not include.
     */
    hours: z.array(z.array(z.number().nullable()).length(24)).length(7),
    doNext: z.array(
      z.object({
        kind: z.enum(DO_NEXT_KINDS),
        severity: z.enum(SEVERITIES),
        count,
        /** The first vehicles or drivers it is about. */
        about: z.array(z.object({ deviceId: z.string().nullable(), name: z.string() })),
        /** The figure behind it: seconds idled a day or without reports, days until expiry, share of fixes left out. */
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

export const overviewOutcomesSchema = z
  .object({
    /**
     * Only those of which there is something in the period or the one before, and whose report the user may run: the
     * score of all drivers from 0 to 100, seconds of speeding alerts per meter driven, the share of tasks that were on
     * time, hours-of-service violations, and seconds of temperature alerts.
     */
    tiles: z.array(
      tileSchema.extend({
        key: z.enum(OUTCOME_TILES),
        /** The report that has its rows, and its days. */
        report: z.object({ key: z.string(), from: z.iso.date(), to: z.iso.date() }),
        /** How many rows those are. */
        rows: z.int(),
      }),
    ),
  })
  .meta({ id: 'OverviewOutcomes' });
export type OverviewOutcomes = z.infer<typeof overviewOutcomesSchema>;

export const readOverviewOutcomes = defineRoute({
  method: 'GET',
  path: '/api/v1/overview/outcomes',
  access: 'organisation.read',
  summary: 'Read the overview’s tiles that reports add up: score, speeding, tasks on time, violations, temperature',
  tag: TAG,
  query: z
    .object({ from: dateSchema, to: dateSchema, folderId: idSchema.optional() })
    .refine(({ from, to }) => !(from > to), BACKWARD),
  response: overviewOutcomesSchema,
  problems: ['not-found', 'range-too-long'],
});

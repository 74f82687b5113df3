import { z } from 'zod';
import { lineSchema, timeZoneSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { LANGUAGES } from '../language.ts';
import { defineRoute } from '../route.ts';
import { LOOKS_KEPT_LEAST_DAYS } from './privacy.ts';

const TAG = 'Settings';

const days = (least: number) =>
  z
    .int(issue('whole-days'))
    .min(least, issue('days-between', { min: least, max: 3650 }))
    .max(3650, issue('days-between', { min: least, max: 3650 }));

const OFFLINE_RANGE = issue('duration-between', { minS: 15 * 60, maxS: 7 * 24 * 3600 });
const OUTDATED_RANGE = issue('duration-between', { minS: 60, maxS: 24 * 3600 });
const TARGET = issue('target-distance', { minKm: 1 });
const PERCENT = issue('percent');
const share = () => z.number(PERCENT).min(0, PERCENT).max(100, PERCENT);

/** ISO 8601: 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

const DATE = z.iso.date();
const holidaysSchema = z
  .string()
  .trim()
  .max(4000, issue('max-length', { max: 4000 }))
  .refine(text => datesIn(text).every(date => DATE.safeParse(date).success), issue('date'));

/** The dates in a text, whatever separates them. */
export const datesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/**
 * An account's settings, by name. A setting that has never been changed follows `DEFAULT_SETTINGS`, even when a later
 * version has another default.
 */
export const settingsSchema = z
  .object({
    address: lineSchema(200),
    /** USDOT and operating-authority numbers of a carrier. */
    dotNumber: lineSchema(20),
    authorityNumber: lineSchema(20),
    /** IANA name: where the account's days begin and end. */
    timeZone: timeZoneSchema,
    language: z.enum(LANGUAGES),
    distanceUnit: z.enum(['km', 'mi']),
    volumeUnit: z.enum(['l', 'gal']),
    temperatureUnit: z.enum(['c', 'f']),
    firstWeekday: z.literal(WEEKDAYS),
    /** ISO 4217. */
    currency: z.string().regex(/^[A-Z]{3}$/, issue('currency')),
    /** Dates on which rules' weekly times don't begin: `2026-12-25, 2027-01-01`. */
    holidays: holidaysSchema,
    /** Any vehicle is offline after this long without a message. */
    offlineAfterMinutes: z.int().min(15, OFFLINE_RANGE).max(10_080, OFFLINE_RANGE),
    /** A moving or idling vehicle is outdated no earlier than this long after its last report. */
    outdatedAfterMinutes: z.int().min(1, OUTDATED_RANGE).max(1440, OUTDATED_RANGE),
    /** Positions older than this are permanently deleted; null keeps them all. */
    keepPositionsDays: days(7).nullable(),
    /** The privacy ledger: looks at drivers' positions older than this are deleted. */
    keepLooksDays: days(LOOKS_KEPT_LEAST_DAYS),
    /** Drivers may switch on private time for the vehicle they drive. */
    privateDrive: z.boolean(),
    /** Personal use of a vehicle with a log is private time. */
    privatePersonalUse: z.boolean(),
    /** Documents that expire within this many days are shown as expiring. */
    warnBeforeExpiryDays: days(1).max(365, issue('days-between', { min: 1, max: 365 })),
    /** The fleet's targets, shown beside the figures of the overview; null is no target. */
    targetDistanceKmPerWeek: z.number(TARGET).min(1, TARGET).max(100_000_000, TARGET).nullable(),
    targetUtilisationPercent: share().nullable(),
    targetIdlePercent: share().nullable(),
    targetKnownPercent: share().nullable(),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;
export const SETTING_NAMES = Object.keys(settingsSchema.shape) as SettingName[];

/** A value, or null to return to the default. */
export const settingsChangeSchema = z
  .object(
    Object.fromEntries(SETTING_NAMES.map(name => [name, settingsSchema.shape[name].nullable()])) as {
      [Name in SettingName]: z.ZodNullable<(typeof settingsSchema)['shape'][Name]>;
    },
  )
  .partial();

const settingsAnswer = z.object({
  settings: settingsSchema,
  /** Settings that differ from the default, by name: who changed them, and when. */
  changed: z.partialRecord(
    z.enum(SETTING_NAMES as [SettingName, ...SettingName[]]),
    z.object({ at: z.iso.datetime(), by: z.string().nullable() }),
  ),
});

export const readSettings = defineRoute({
  method: 'GET',
  path: '/api/v1/settings',
  access: 'signed-in',
  summary: 'Read the account’s settings',
  tag: TAG,
  response: z.object({ settings: settingsSchema }),
  conditional: true,
});

export const readSettingChanges = defineRoute({
  method: 'GET',
  path: '/api/v1/settings/changes',
  access: 'settings.read',
  summary: 'Read the account’s settings, and who changed which one and when',
  tag: TAG,
  response: settingsAnswer,
});

export const updateSettings = defineRoute({
  method: 'PATCH',
  path: '/api/v1/settings',
  access: 'settings.write',
  summary: 'Change settings; null restores the default',
  tag: TAG,
  body: settingsChangeSchema,
  response: settingsAnswer,
});

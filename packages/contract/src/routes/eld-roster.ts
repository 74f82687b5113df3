import { z } from 'zod';
import { dateSchema, emptyAsNull, idSchema, lineSchema, personNameSchema, timeZoneSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Logbook';

/** The hours-of-service rule sets that a driver can be under; `packages/hos` has their limits. */
export const RULE_SETS = [
  'US_PROPERTY_70_8',
  'US_PROPERTY_60_7',
  'US_PASSENGER_70_8',
  'US_PASSENGER_60_7',
  'US_OILFIELD_70_8',
  'US_OILFIELD_WELL_70_8',
  'US_ALASKA_PROPERTY_80_8',
  'US_ALASKA_PROPERTY_70_7',
  'US_CALIFORNIA_INTRASTATE_80_8',
  'US_TEXAS_INTRASTATE_70_7',
  'CA_SOUTH_CYCLE1_70_7',
  'CA_SOUTH_CYCLE2_120_14',
  'CA_NORTH_CYCLE1_80_7',
  'CA_NORTH_CYCLE2_120_14',
] as const;
export type RuleSetName = (typeof RULE_SETS)[number];

const NO_TIME = issue('time-of-day');
/** `HH:MM` by the terminal's clocks. */
const timeOfDaySchema = z.string(NO_TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, NO_TIME);

/** A place that drivers report to; its time zone and start of day are those of their logs (Appendix A, 4.4.3). */
export const terminalSchema = z.object({
  id: z.string().max(40),
  name: personNameSchema,
  timeZone: timeZoneSchema,
  startOfDay: timeOfDaySchema,
  address: emptyAsNull(lineSchema(200)).default(null),
});
export type Terminal = z.infer<typeof terminalSchema>;

/**
 * Which vehicles drivers may sign in to. `any`: all of the account. `folders`: those of their company, the top-level
 * folder that has their vehicle or one of someone in their department, and vehicles in no folder. `own`: their usual one.
 */
export const VEHICLE_CHOICES = ['any', 'folders', 'own'] as const;

const LIMIT = issue('personal-use-limit', { minKm: 1, maxKm: 5000 });

/** What a log says about the carrier (49 CFR 395.8(d); Appendix A, 7.3 and 7.36). */
export const carrierSchema = z
  .object({
    /** As registered; null until someone enters it. */
    name: emptyAsNull(lineSchema(120)),
    usdotNumber: z
      .string()
      .regex(/^\d{1,8}$/, issue('digits'))
      .nullable(),
    /** The first is the default. */
    terminals: z.array(terminalSchema).min(1, issue('at-least-one')).max(200),
    /** For drivers whose own settings don't say otherwise. */
    ruleSet: z.enum(RULE_SETS),
    personalUse: z.boolean(),
    yardMoves: z.boolean(),
    /** Kilometers of personal use a day after which the desk is alerted; null: no limit. */
    personalUseLimitKm: z.number(LIMIT).min(1, LIMIT).max(5000, LIMIT).nullable(),
    vehicleChoice: z.enum(VEHICLE_CHOICES),
  })
  .meta({ id: 'Carrier' });
export type Carrier = z.infer<typeof carrierSchema>;

/** A driver's settings for their log. */
export const logSettingsSchema = z.object({
  /** Whether the driver keeps a log here. */
  keepsLog: z.boolean(),
  ruleSet: z.enum(RULE_SETS).nullable(),
  terminalId: z.string().max(40).nullable(),
  personalUse: z.boolean().nullable(),
  yardMoves: z.boolean().nullable(),
  /** Exempt from using an ELD, with the reason that the log must state (Appendix A, 4.3.3.1.2). */
  isExempt: z.boolean(),
  exemptReason: emptyAsNull(lineSchema(60)),
});
export type LogSettings = z.infer<typeof logSettingsSchema>;

export const rosterDriverSchema = z
  .object({
    driverId: z.string(),
    name: z.string(),
    userId: z.string().nullable(),
    licenceNumber: z.string().nullable(),
    licenceRegion: z.string().nullable(),
    licenceExpiresOn: dateSchema.nullable(),
    departmentId: z.string().nullable(),
    archived: z.boolean(),
    /** As set for the driver; null: as the carrier's. */
    settings: logSettingsSchema,
    /** What applies: the driver's own, or the carrier's. */
    ruleSet: z.enum(RULE_SETS),
    terminal: terminalSchema,
    mayUsePersonally: z.boolean(),
    mayMoveInYard: z.boolean(),
    /** Days in a row, up to yesterday, that are certified. */
    certifiedDays: z.int(),
    uncertifiedDays: z.int(),
    /** When the driver's phone last synchronized; null if it never did. */
    lastSyncAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RosterDriver' });
export type RosterDriver = z.infer<typeof rosterDriverSchema>;

export const readCarrier = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/carrier',
  access: 'logbook.read',
  summary: 'Read what logs say about the carrier, its terminals and its defaults',
  tag: TAG,
  response: carrierSchema,
});

export const updateCarrier = defineRoute({
  method: 'PATCH',
  path: '/api/v1/eld/carrier',
  access: 'logbook.settings',
  summary: 'Change what logs say about the carrier; fields that are left out stay',
  tag: TAG,
  body: carrierSchema.partial(),
  response: carrierSchema,
});

export const listRoster = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/driver',
  access: 'logbook.read',
  summary: 'List the drivers you can see, with the settings of their logs',
  tag: TAG,
  response: z.array(rosterDriverSchema),
});

export const updateLogSettings = defineRoute({
  method: 'PATCH',
  path: '/api/v1/eld/driver/{driverId}',
  access: 'logbook.write',
  summary: 'Change the settings of a driver’s log; fields that are left out stay',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  body: logSettingsSchema.partial(),
  response: rosterDriverSchema,
  problems: ['not-found', 'out-of-scope'],
});

import { z } from 'zod';
import { idSchema } from './fields.ts';
import { issue } from './issue.ts';
import { between, daysSchema, minutes, timeSchema } from './rule-fields.ts';

/** What a rule can wait for. */
export const RULE_TRIGGERS = [
  'enter',
  'exit',
  'cross',
  'stay',
  'absent',
  'order',
  'speed',
  'limit',
  'vehicleLimit',
  'idle',
  'drive',
  'unidentified',
  'tow',
  'ignitionOn',
  'ignitionOff',
  'near',
  'apart',
  'temperature',
  'fuel',
  'voltage',
  'battery',
  'document',
  'driverDocument',
  'subscription',
] as const;
export type RuleTriggerKind = (typeof RULE_TRIGGERS)[number];
/** Those that are about geofences; for the others, geofences are a condition. */
export const GEOFENCE_TRIGGERS = [
  'enter',
  'exit',
  'cross',
  'stay',
  'absent',
  'order',
  'limit',
] as const satisfies readonly RuleTriggerKind[];

/** Those about dates, not about positions: they have no geofences, times or conditions, and nothing to test on the past. */
export const DATED_TRIGGERS = [
  'document',
  'driverDocument',
  'subscription',
] as const satisfies readonly RuleTriggerKind[];
export const isDated = (kind: RuleTriggerKind): boolean =>
  (DATED_TRIGGERS as readonly RuleTriggerKind[]).includes(kind);

const WITHIN = issue('days-between', { min: 0, max: 365 });
const withinDays = z.int(WITHIN).min(0, WITHIN).max(365, WITHIN);

const temperatureSchema = between(-90, 150).nullable();

/** The most vehicles, and folders, that a rule names to compare each of its vehicles with. */
export const RULE_OTHERS_MAX = 20;
/** The most vehicles in these folders when the rule is written. */
export const RULE_OTHERS_IN_FOLDERS_MAX = 100;

const namedOthers = z.array(idSchema).max(RULE_OTHERS_MAX, issue('too-many', { max: RULE_OTHERS_MAX }));
const aboutDistance = <const K extends string>(kind: K) =>
  z
    .object({
      kind: z.literal(kind),
      meters: between(50, 20_000),
      minutes: minutes(0),
      otherIds: namedOthers.default([]),
      /** Every vehicle that is in one of these folders at that time, also inside other folders. */
      otherFolderIds: namedOthers.default([]),
    })
    .refine(({ otherFolderIds, otherIds }) => otherIds.length + otherFolderIds.length > 0, {
      path: ['otherIds'],
      message: issue('at-least-one-vehicle'),
    });

export const ruleTriggerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('enter') }),
  /** Enters or leaves; each is an alert. */
  z.object({ kind: z.literal('cross') }),
  /** Leaves and isn't back within so many minutes. */
  z.object({ kind: z.literal('exit'), minutes: minutes(0) }),
  z.object({ kind: z.literal('stay'), minutes: minutes(1) }),
  /** Is in none of the geofences at this time, by the account's clocks. */
  z.object({ kind: z.literal('absent'), at: timeSchema, days: daysSchema }),
  /** Visits its geofences in another order than they are named, or leaves one out; after the last one comes the first. */
  z.object({ kind: z.literal('order') }),
  z.object({ kind: z.literal('speed'), kmh: between(5, 300), seconds: between(0, 3600) }),
  /** Faster than the limit of a geofence that it is in, by more than so much. */
  z.object({ kind: z.literal('limit'), overKmh: between(0, 100), seconds: between(0, 3600) }),
  /** Faster than the vehicle's own limit, by more than so much; vehicles without one never are. */
  z.object({ kind: z.literal('vehicleLimit'), overKmh: between(0, 100), seconds: between(0, 3600) }),
  z.object({ kind: z.literal('idle'), minutes: minutes(1) }),
  z.object({ kind: z.literal('drive') }),
  /** Drives, and nobody knows who: no driver's card in its reports, and no usual driver. */
  z.object({ kind: z.literal('unidentified'), minutes: minutes(0) }),
  /** Moves with the ignition off. */
  z.object({ kind: z.literal('tow') }),
  z.object({ kind: z.literal('ignitionOn') }),
  z.object({ kind: z.literal('ignitionOff') }),
  /** Comes within so many meters of one of these vehicles; with minutes, and stays there that long. */
  aboutDistance('near'),
  /** Gets further away than that from all of them, and stays there that long. */
  aboutDistance('apart'),
  /** Colder than `min` or warmer than `max`, in °C; null: no limit on that side. */
  z
    .object({
      kind: z.literal('temperature'),
      min: temperatureSchema,
      max: temperatureSchema,
      minutes: minutes(0),
    })
    .refine(({ max, min }) => max !== null || min !== null, { path: ['max'], message: issue('limit-needed') })
    .refine(({ max, min }) => max === null || min === null || min < max, {
      path: ['max'],
      message: issue('limits-crossed'),
    }),
  /** Lost so much of its tank, in percent, that no engine explains. */
  z.object({ kind: z.literal('fuel'), percent: between(3, 100) }),
  /** The vehicle's supply is below, in volts. */
  z.object({ kind: z.literal('voltage'), volts: between(1, 100), minutes: minutes(0) }),
  /** The tracker's own battery is below, in percent. */
  z.object({ kind: z.literal('battery'), percent: between(1, 99), minutes: minutes(0) }),
  /** A document of the vehicle expires in so many days or fewer, by the account's clocks. */
  z.object({ kind: z.literal('document'), withinDays }),
  /** A document or the license of a driver of the vehicle expires in so many days or fewer. */
  z.object({ kind: z.literal('driverDocument'), withinDays }),
  /** Its subscription ends in so many days or fewer. */
  z.object({ kind: z.literal('subscription'), withinDays }),
]);
export type RuleTrigger = z.infer<typeof ruleTriggerSchema>;

/** Whether it compares places of its vehicles with those of others. */
export const isAboutOthers = <T extends { readonly kind: RuleTriggerKind }>(
  trigger: T,
): trigger is Extract<T, { kind: 'near' | 'apart' }> => trigger.kind === 'near' || trigger.kind === 'apart';

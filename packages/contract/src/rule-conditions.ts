import { z } from 'zod';
import { idSchema } from './fields.ts';
import { issue } from './issue.ts';
import { geofenceVehiclesSchema } from './routes/geofences.ts';
import { between, daysSchema, minutes, timeSchema } from './rule-fields.ts';

/** The most geofences of a rule. */
export const RULE_GEOFENCES_MAX = 200;

export const ruleWhenSchema = z.object({
  /** The days on which it begins. */
  days: daysSchema,
  from: timeSchema,
  /** Not later than `from`: on the next day. */
  to: timeSchema,
  is: z.enum(['within', 'outside']),
});
export type RuleWhen = z.infer<typeof ruleWhenSchema>;

/** The most “or” of a rule's conditions. */
export const RULE_OR_MAX = 5;

/** What else must be true at that moment, of what is alerted without a rule. */
export const builtInConditionsSchema = z.object({
  /** Who drives, by the card in the report, else the vehicle's usual driver: one of these, or of these departments; null: anyone. */
  drivers: z
    .object({
      driverIds: z.array(idSchema).max(1000, issue('too-many', { max: 1000 })),
      departmentIds: z.array(idSchema).max(200, issue('too-many', { max: 200 })),
    })
    .refine(({ departmentIds, driverIds }) => departmentIds.length + driverIds.length > 0, issue('at-least-one'))
    .nullable(),
  /** It goes at least so fast; null: at any speed. */
  fromKmh: between(1, 300).nullable(),
  /** Null: whatever it is. */
  ignition: z.enum(['on', 'off']).nullable(),
});
export type BuiltInConditions = z.infer<typeof builtInConditionsSchema>;

const ruleCaseSchema = builtInConditionsSchema.extend({
  /** It is one of these vehicles; null: any that the rule is for. */
  vehicles: geofenceVehiclesSchema
    .refine(({ deviceIds, folderIds }) => deviceIds.length + folderIds.length > 0, issue('at-least-one-vehicle'))
    .nullable()
    .default(null),
  /** Null: whenever the rule counts. */
  when: ruleWhenSchema.nullable().default(null),
  /** It is inside one of these geofences, or outside all of them; null: anywhere. */
  places: z
    .object({
      is: z.enum(['inside', 'outside']),
      geofenceIds: z
        .array(idSchema)
        .min(1, issue('at-least-one'))
        .max(RULE_GEOFENCES_MAX, issue('too-many', { max: RULE_GEOFENCES_MAX })),
    })
    .nullable()
    .default(null),
  /** It has gone on for so many minutes, if the rule is about something that lasts; null: as long as the rule says. */
  minutes: minutes(1).nullable().default(null),
});
/** Some of what a rule's conditions can be; all of it must be true. */
export type RuleCase = z.infer<typeof ruleCaseSchema>;

export const saysNothing = (one: Partial<RuleCase>): boolean =>
  [one.drivers, one.fromKmh, one.ignition, one.vehicles, one.when, one.places, one.minutes].every(
    each => (each ?? null) === null,
  );

/** What else must be true at that moment: all of this, or all of one of `or`. */
export const ruleConditionsSchema = ruleCaseSchema
  .extend({
    or: z
      .array(ruleCaseSchema.refine(one => !saysNothing(one), issue('at-least-one')))
      .max(RULE_OR_MAX, issue('too-many', { max: RULE_OR_MAX }))
      .default([]),
  })
  .refine(one => one.or.length === 0 || !saysNothing(one), issue('at-least-one'));
export type RuleConditions = z.infer<typeof ruleConditionsSchema>;

/** Those of which one must be true; none if nothing else must be. Conditions of earlier versions have no `or`. */
export const casesOf = <C extends Partial<RuleCase>>(
  conditions: (C & { readonly or?: readonly C[] | undefined }) | null | undefined,
): readonly C[] => (conditions ? [conditions, ...(conditions.or ?? [])] : []);

import { z } from 'zod';
import { SEVERITIES } from '../choices.ts';
import { BACKWARD, idSchema, instantSchema, isForward, notesSchema, personNameSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { wrongTag } from '../rule-message.ts';
import { alertCrossingSchema, alertFiguresSchema } from './alerts.ts';
import { geofenceVehiclesSchema } from './geofences.ts';

const TAG = 'Rules';
const MESSAGE_MAX = 300;

/** The most rules of an account, and geofences of a rule. */
export const RULES_MAX = 200;
export const RULE_GEOFENCES_MAX = 200;
/** A backtest covers no more days, and compares no more settings. */
export const BACKTEST_DAYS_MAX = 62;
export const BACKTEST_VARIANTS_MAX = 8;
/** A rule's list counts its alerts over so many days. */
export const RULE_ALERT_DAYS = 7;

const WEEK = 10_080;
const minutes = (min: number) => {
  const problem = issue('minutes-between', { min, max: WEEK });
  return z.int(problem).min(min, problem).max(WEEK, problem);
};
const between = (min: number, max: number) =>
  z.number().min(min, issue('at-least', { min })).max(max, issue('at-most', { max }));

const NO_TIME = issue('time-of-day');
const timeSchema = z.string(NO_TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, NO_TIME);
/** 1 is Monday, 7 is Sunday. */
const daysSchema = z.array(z.int().min(1).max(7)).min(1, issue('at-least-one')).max(7);

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

/** The most vehicles that a rule compares each of its vehicles with. */
export const RULE_OTHERS_MAX = 20;
const distance = {
  meters: between(50, 20_000),
  minutes: minutes(0),
  otherIds: z
    .array(idSchema)
    .min(1, issue('at-least-one-vehicle'))
    .max(RULE_OTHERS_MAX, issue('too-many', { max: RULE_OTHERS_MAX })),
};

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
  z.object({ kind: z.literal('near'), ...distance }),
  /** Gets further away than that from all of them, and stays there that long. */
  z.object({ kind: z.literal('apart'), ...distance }),
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

/** Nothing in braces but tags. */
const messageSchema = notesSchema
  .max(MESSAGE_MAX, issue('max-length', { max: MESSAGE_MAX }))
  .refine(message => wrongTag(message) === null, issue('unknown-tag'));

const peopleSchema = z.array(uuidSchema).max(50, issue('too-many', { max: 50 }));

/** All of a rule that its users decide on. */
export const ruleFields = z.object({
  name: personNameSchema,
  isOn: z.boolean(),
  severity: z.enum(SEVERITIES),
  trigger: ruleTriggerSchema,
  /** In the order of visits, of a rule about that. Null: any geofence; for a trigger that isn't about geofences, anywhere. */
  geofenceIds: z
    .array(idSchema)
    .min(1, issue('at-least-one'))
    .max(RULE_GEOFENCES_MAX, issue('too-many', { max: RULE_GEOFENCES_MAX }))
    .nullable(),
  /** Of a trigger that is not about geofences: whether it counts inside or outside them. */
  where: z.enum(['inside', 'outside']),
  /** Null: all of them. */
  vehicles: geofenceVehiclesSchema.nullable(),
  /** Null: always. By the account's clocks. */
  when: ruleWhenSchema.nullable(),
  /** Null: nothing else. */
  conditions: ruleConditionsSchema.nullable(),
  /** How long it is quiet about a vehicle after an alert. */
  repeatMinutes: minutes(0),
  /** What to do about an alert. */
  action: notesSchema.nullable(),
  /** What its alerts say by email, push and webhook, with tags such as `{vehicle}`; null: what happened, as usual. */
  message: messageSchema.nullable(),
  /** The users who get its alerts by email; null: everyone as they chose. */
  mailTo: peopleSchema.nullable(),
  /** The users who get them by push; null: everyone as they chose. */
  pushTo: peopleSchema.nullable(),
  /** The webhooks that get them, whatever else these take; null: those that take alerts from rules. */
  webhookIds: z
    .array(idSchema)
    .max(50, issue('too-many', { max: 50 }))
    .nullable(),
  /** The user who is responsible for it; whoever creates it, unless named. */
  ownerId: uuidSchema.nullable(),
  /** Who gets its alerts by email and push if nobody acknowledges them within so many minutes; null: nobody else. */
  escalation: z.object({ minutes: minutes(1), to: peopleSchema.min(1, issue('at-least-one')) }).nullable(),
});

/** How many alerts of the last `RULE_ALERT_DAYS` days there were, and how many of them someone acknowledged. */
export const alertCountSchema = z.object({
  count: z.int(),
  acknowledged: z.int(),
  lastAt: z.iso.datetime().nullable(),
});

export const ruleSchema = ruleFields
  .extend({
    id: z.string(),
    /** Empty if the last one was deleted: then it never alerts. */
    geofenceIds: z.array(z.string()).nullable(),
    alerts: alertCountSchema,
    createdAt: z.iso.datetime(),
    createdBy: z.string().nullable(),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof ruleSchema>;

const isComplete = ({ geofenceIds, trigger }: Pick<Partial<z.output<typeof ruleFields>>, 'geofenceIds' | 'trigger'>) =>
  trigger?.kind !== 'absent' || (geofenceIds !== null && geofenceIds !== undefined);
const NOWHERE = { path: ['geofenceIds'], message: issue('at-least-one') };
/** An order has two geofences or more, each once. */
export const hasOrder = ({ geofenceIds, trigger }: Parameters<typeof isComplete>[0]): boolean =>
  trigger?.kind !== 'order' || new Set(geofenceIds).size >= 2;
const NO_ORDER = { path: ['geofenceIds'], message: issue('at-least-two') };

/** Only what lasts has lasted for some time. */
export const hasOnlyItsConditions = ({
  conditions,
  trigger,
}: Pick<Partial<z.output<typeof ruleFields>>, 'conditions' | 'trigger'>): boolean =>
  trigger === undefined ||
  'minutes' in trigger ||
  'seconds' in trigger ||
  casesOf(conditions).every(({ minutes }) => minutes === null);
const LASTS_NOT = { path: ['conditions'], message: issue('unknown-field', { name: 'minutes' }) };

const newFields = ruleFields.partial().required({ name: true, trigger: true });
export const newRuleSchema = newFields
  .refine(isComplete, NOWHERE)
  .refine(hasOrder, NO_ORDER)
  .refine(hasOnlyItsConditions, LASTS_NOT);
export type NewRule = z.input<typeof newRuleSchema>;
export const ruleChangeSchema = ruleFields.partial();
export type RuleChange = z.input<typeof ruleChangeSchema>;

const params = z.object({ id: idSchema });

export const listRules = defineRoute({
  method: 'GET',
  path: '/api/v1/alert-rule',
  access: 'rules.read',
  summary: 'List the rules, by name',
  tag: TAG,
  response: z.array(ruleSchema),
});

export const createRule = defineRoute({
  method: 'POST',
  path: '/api/v1/alert-rule',
  access: 'rules.write',
  summary: 'Create a rule; it is off unless you turn it on',
  tag: TAG,
  body: newRuleSchema,
  status: 201,
  response: ruleSchema,
  problems: ['rule-name-taken', 'too-many-rules'],
});

export const updateRule = defineRoute({
  method: 'PATCH',
  path: '/api/v1/alert-rule/{id}',
  access: 'rules.write',
  summary: 'Change a rule; fields that are left out stay. What happened before is not alerted',
  tag: TAG,
  params,
  body: ruleChangeSchema,
  response: ruleSchema,
  problems: ['not-found', 'rule-name-taken'],
});

export const deleteRule = defineRoute({
  method: 'DELETE',
  path: '/api/v1/alert-rule/{id}',
  access: 'rules.write',
  summary: 'Delete a rule; its alerts stay',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

const backtestAlertSchema = z.object({
  /** Which of the settings: 0 is the rule as it is, then the `variants` in their order. */
  setting: z.int(),
  deviceId: z.string(),
  geofenceId: z.string().nullable(),
  /** When what it is about began, when it alerts, and when it ended; null if it lasts. */
  beganAt: z.iso.datetime(),
  at: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  lat: z.number(),
  lon: z.number(),
  figures: alertFiguresSchema,
  crossing: alertCrossingSchema,
  /** Of a rule about the distance to others: which vehicle it was; null if the viewer doesn't see it. */
  otherId: z.string().nullable(),
  /** Of a rule about the order of visits: the geofence that should have been visited instead. */
  expectedId: z.string().nullable(),
});
export type BacktestAlert = z.infer<typeof backtestAlertSchema>;

export const backtestRule = defineRoute({
  method: 'POST',
  path: '/api/v1/geofence/backtest',
  access: 'rules.read',
  summary: 'What a rule would have alerted in the past; call it again with `next` until that is null',
  tag: TAG,
  body: z
    .object({
      rule: newFields
        .partial({ name: true })
        .refine(isComplete, NOWHERE)
        .refine(hasOrder, NO_ORDER)
        .refine(hasOnlyItsConditions, LASTS_NOT),
      from: instantSchema,
      to: instantSchema,
      /** Other durations to compare: minutes, or seconds of a rule about speed or a limit. */
      variants: z.array(between(0, WEEK)).max(BACKTEST_VARIANTS_MAX).default([]),
      /** The `next` of the last call. */
      after: idSchema.nullable().default(null),
    })
    .refine(isForward, BACKWARD)
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= BACKTEST_DAYS_MAX * 86_400_000, {
      path: ['from'],
      message: issue('days-between', { min: 1, max: BACKTEST_DAYS_MAX }),
    }),
  response: z.object({
    alerts: z.array(backtestAlertSchema),
    vehicles: z.array(
      z.object({
        deviceId: z.string(),
        positions: z.int(),
        /** Alerts held back because the rule had alerted a short time ago. */
        muted: z.int(),
        /** How often it would have alerted without waiting, and by each fix alone, by the account's days. */
        plain: z.array(z.object({ day: z.iso.date(), count: z.int() })),
      }),
    ),
    /** How many vehicles the rule is for, and how many are left after this call. */
    total: z.int(),
    left: z.int(),
    next: z.string().nullable(),
  }),
});
export type Backtest = z.infer<typeof backtestRule.response>;

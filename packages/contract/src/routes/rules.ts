import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward, notesSchema, personNameSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { casesOf, RULE_GEOFENCES_MAX, ruleConditionsSchema, ruleWhenSchema } from '../rule-conditions.ts';
import { between, minutes, WEEK } from '../rule-fields.ts';
import { wrongTag } from '../rule-message.ts';
import { ruleTriggerSchema } from '../rule-trigger.ts';
import { SEVERITIES } from '../severity.ts';
import { ALERT_KINDS, alertCrossingSchema, alertFiguresSchema } from './alerts.ts';
import { geofenceVehiclesSchema } from './geofences.ts';
import { WEBHOOK_FAILURES } from './webhooks.ts';

const TAG = 'Rules';
const MESSAGE_MAX = 300;

/** The most rules of an account. */
export const RULES_MAX = 200;
/** A backtest covers no more days, and compares no more settings. */
export const BACKTEST_DAYS_MAX = 62;
export const BACKTEST_VARIANTS_MAX = 8;
/** A rule's list counts its alerts over so many days. */
export const RULE_ALERT_DAYS = 7;

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
  /** Whoever acknowledges one of its alerts must write what was done. */
  needsNote: z.boolean(),
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

/** How long a rule is quiet: its alerts are written as always, and notify nobody. */
export const ruleMuteSchema = z.object({
  /** Null: until someone turns it on again. */
  until: z.iso.datetime().nullable(),
  since: z.iso.datetime(),
  /** Who muted it; null if they are gone. */
  by: z.string().nullable(),
});
export type RuleMute = z.infer<typeof ruleMuteSchema>;

/** For everyone, and for the caller; null if it isn't muted. */
export const ruleMutesSchema = z.object({ everyone: ruleMuteSchema.nullable(), me: ruleMuteSchema.nullable() });
export type RuleMutes = z.infer<typeof ruleMutesSchema>;

export const ruleSchema = ruleFields
  .extend({
    id: z.string(),
    /** Empty if the last one was deleted: then it never alerts. */
    geofenceIds: z.array(z.string()).nullable(),
    alerts: alertCountSchema,
    mutes: ruleMutesSchema,
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

export const readRuleProgress = defineRoute({
  method: 'GET',
  path: '/api/v1/alert-rule/progress',
  access: 'rules.read',
  summary: 'How far rules are behind what vehicles have sent: for how long the oldest position has waited',
  tag: TAG,
  response: z.object({ behindSeconds: z.number().int().nonnegative() }),
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

/** Why somebody gets nothing by email or push. */
export const REACH_REASONS = [
  'inactive',
  'not-joined',
  'no-right',
  'sees-none',
  'muted',
  'vehicles-muted',
  'not-named',
  'not-chosen',
  'no-address',
  'account-off',
  'no-server',
  'no-browser',
  'severity',
] as const;
/** Why a webhook gets nothing. */
export const WEBHOOK_REACH_REASONS = ['muted', 'vehicles-muted', 'off', 'not-named', 'severity', 'kind'] as const;

const reachSchema = z.object({
  gets: z.boolean(),
  why: z.enum(REACH_REASONS).nullable(),
  /** What would hold one back right now: quiet hours (an email waits, a push is left out), or the limit of alerts a day. */
  held: z.enum(['quiet', 'limit']).nullable(),
});
export type Reach = z.infer<typeof reachSchema>;

const personReachSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the rule's vehicles, as folders and drivers are now. */
  seesVehicles: z.int(),
  mail: reachSchema,
  /** Null where nothing is sent by push: to owners and admins, after the account's limit. */
  push: reachSchema.nullable(),
});
export type PersonReach = z.infer<typeof personReachSchema>;

const webhookReachSchema = z.object({
  id: z.string(),
  /** Null for those who may not read the account's webhooks. */
  name: z.string().nullable(),
  gets: z.boolean(),
  why: z.enum(WEBHOOK_REACH_REASONS).nullable(),
  /** Why the last try failed, or the next one would; null if it arrived, or nothing was sent yet. */
  failing: z.enum(WEBHOOK_FAILURES).nullable(),
});
export type WebhookReach = z.infer<typeof webhookReachSchema>;

export const readRuleReach = defineRoute({
  method: 'POST',
  path: '/api/v1/alert-rule/reach',
  access: 'rules.write',
  summary: 'Who would get a rule’s alerts, who does if nobody acknowledges them, and why others would not',
  tag: TAG,
  body: ruleFields.pick({ severity: true, vehicles: true, mailTo: true, pushTo: true }).extend({
    webhookIds: ruleFields.shape.webhookIds.default(null),
    escalation: ruleFields.shape.escalation.default(null),
    /** Of a built-in one. */
    kind: z.enum(ALERT_KINDS).default('rule'),
    /** Of one that exists: whom it doesn't reach because it is muted. */
    ruleId: idSchema.nullable().default(null),
  }),
  response: z.object({
    people: z.array(personReachSchema),
    webhooks: z.array(webhookReachSchema),
    /** Who gets it if nobody acknowledges it: those the rule names, or owners and admins of a critical one; null: nobody. */
    escalation: z
      .object({ minutes: z.int(), by: z.enum(['rule', 'account']), people: z.array(personReachSchema) })
      .nullable(),
    /** How many vehicles the rule is for now. */
    vehicles: z.int(),
    /** It is muted for everyone: nobody gets anything. */
    isMuted: z.boolean(),
  }),
});
export type RuleReach = z.infer<typeof readRuleReach.response>;

import { z } from 'zod';
import { BACKWARD, instantSchema, isForward } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { builtInConditionsSchema } from '../rule-conditions.ts';
import { ALERT_KINDS, type AlertKind } from './alerts.ts';
import { SEVERITY_OF_KIND } from './notifications.ts';
import { alertCountSchema, BACKTEST_DAYS_MAX, ruleFields, ruleMutesSchema } from './rules.ts';
import { settingsSchema } from './settings.ts';

const TAG = 'Rules';

/** What Milepost watches without a rule. */
export type BuiltInKind = Exclude<AlertKind, 'rule'>;
export const BUILT_IN_KINDS = ALERT_KINDS.filter((kind): kind is BuiltInKind => kind !== 'rule');
const NOT_REPORTED: readonly AlertKind[] = [
  'silent',
  'conflictingReports',
  'commandFailed',
  'secondPerson',
  'restricted',
  'taskLate',
  'taskNoDriver',
];
/** Whether a tracker reports it: only then there are a speed, an ignition, and another one a minute later. */
export const isReported = (kind: BuiltInKind): boolean => !NOT_REPORTED.includes(kind);

/** Whether it is about a vehicle and its driver, so that it can be limited to some of them. */
export const isAboutVehicle = (kind: BuiltInKind): boolean => kind !== 'taskNoDriver';

/** A request for a second person is a step of a command, and goes to those who can decide; nothing of it can be changed. */
export const CHANGEABLE_BUILT_IN_KINDS = BUILT_IN_KINDS.filter(kind => kind !== 'secondPerson');

const fields = ruleFields
  .pick({
    isOn: true,
    severity: true,
    vehicles: true,
    when: true,
    repeatMinutes: true,
    action: true,
    needsNote: true,
    message: true,
    mailTo: true,
    pushTo: true,
    webhookIds: true,
    escalation: true,
  })
  .extend({
    /** Null: nothing else. */
    conditions: builtInConditionsSchema.nullable(),
    /** Of `silent`: after how many minutes, which is the account's setting *offline after*; null for all else. */
    minutes: settingsSchema.shape.offlineAfterMinutes.nullable(),
  });

export const builtInRuleSchema = fields
  .extend({
    kind: z.enum(BUILT_IN_KINDS),
    /** The alerts of the last `RULE_ALERT_DAYS` days, and how many of them someone acknowledged. */
    alerts: alertCountSchema,
    mutes: ruleMutesSchema,
    /** When someone changed it last; null if it is as Milepost has it. */
    changedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BuiltInRule' });
export type BuiltInRule = z.infer<typeof builtInRuleSchema>;

export const builtInRuleChangeSchema = fields.partial();
export type BuiltInRuleChange = z.input<typeof builtInRuleChangeSchema>;

const params = z.object({ kind: z.enum(CHANGEABLE_BUILT_IN_KINDS) });

/** What an account that changed nothing has. */
export const builtInDefaults = (
  kind: BuiltInKind,
): Omit<BuiltInRule, 'alerts' | 'changedAt' | 'minutes' | 'mutes'> => ({
  ...{ kind, isOn: true, severity: SEVERITY_OF_KIND[kind], vehicles: null, when: null },
  ...{ conditions: null, repeatMinutes: 0, action: null, needsNote: false, message: null },
  ...{ mailTo: null, pushTo: null, webhookIds: null, escalation: null },
});

export const listBuiltInRules = defineRoute({
  method: 'GET',
  path: '/api/v1/built-in-rule',
  access: 'rules.read',
  summary: 'List what is alerted without a rule, in the order of `ALERT_KINDS`',
  tag: TAG,
  response: z.array(builtInRuleSchema),
});

export const updateBuiltInRule = defineRoute({
  method: 'PATCH',
  path: '/api/v1/built-in-rule/{kind}',
  access: 'settings.write',
  summary:
    'Change who gets a built-in alert, when, and how severe it is, or turn it off; fields that are left out stay',
  tag: TAG,
  params,
  body: builtInRuleChangeSchema,
  response: builtInRuleSchema,
});

export const testBuiltInRule = defineRoute({
  method: 'POST',
  path: '/api/v1/built-in-rule/{kind}/backtest',
  access: 'rules.read',
  summary: 'How many of the alerts of a period there would have been with these vehicles and times',
  tag: TAG,
  params,
  body: z
    .object({
      /** Speed and ignition are not kept with alerts, so these conditions count as true. */
      rule: fields
        .pick({ vehicles: true, when: true })
        .extend(fields.pick({ conditions: true, repeatMinutes: true }).partial().shape),
      from: instantSchema,
      to: instantSchema,
    })
    .refine(isForward, BACKWARD)
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= BACKTEST_DAYS_MAX * 86_400_000, {
      path: ['from'],
      message: issue('days-between', { min: 1, max: BACKTEST_DAYS_MAX }),
    }),
  response: z.object({
    /** By the account's days: all alerts there were, and those that there would have been. */
    days: z.array(z.object({ day: z.iso.date(), all: z.int(), kept: z.int() })),
    /** Those that there would have been, the vehicle with the most first. */
    vehicles: z.array(z.object({ deviceId: z.string(), kept: z.int() })),
  }),
});
export type BuiltInTest = z.infer<typeof testBuiltInRule.response>;

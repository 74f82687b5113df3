import { z } from 'zod';
import { idSchema, instantSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { builtInRuleSchema, CHANGEABLE_BUILT_IN_KINDS } from './built-in-rules.ts';
import { ruleMuteSchema, ruleSchema } from './rules.ts';

const TAG = 'Rules';

/** Until when, null for until someone ends it; without it, the rule notifies again. */
export const muteBodySchema = z.object({ mute: z.object({ until: instantSchema.nullable() }).nullable() });
export type MuteBody = z.input<typeof muteBodySchema>;

/** What is muted for the caller after it; only that, as whoever doesn’t read rules may call it, too. */
const mine = z.object({ me: ruleMuteSchema.nullable() });

const ofRule = z.object({ id: idSchema });
const ofKind = z.object({ kind: z.enum(CHANGEABLE_BUILT_IN_KINDS) });

export const muteRule = defineRoute({
  method: 'PUT',
  path: '/api/v1/alert-rule/{id}/mute',
  access: 'rules.write',
  summary: 'Mute a rule for everyone until a time, or end that; its alerts are still written',
  tag: TAG,
  params: ofRule,
  body: muteBodySchema,
  response: ruleSchema,
  problems: ['not-found'],
});

export const muteRuleForMe = defineRoute({
  method: 'PUT',
  path: '/api/v1/alert-rule/{id}/my_mute',
  access: 'profile.write',
  summary: 'Mute a rule’s emails and push notifications to yourself until a time, or end that',
  tag: TAG,
  params: ofRule,
  body: muteBodySchema,
  response: mine,
  problems: ['not-found'],
});

export const muteBuiltInRule = defineRoute({
  method: 'PUT',
  path: '/api/v1/built-in-rule/{kind}/mute',
  access: 'settings.write',
  summary: 'Mute a built-in alert for everyone until a time, or end that; its alerts are still written',
  tag: TAG,
  params: ofKind,
  body: muteBodySchema,
  response: builtInRuleSchema,
});

export const muteBuiltInRuleForMe = defineRoute({
  method: 'PUT',
  path: '/api/v1/built-in-rule/{kind}/my_mute',
  access: 'profile.write',
  summary: 'Mute a built-in alert’s emails and push notifications to yourself until a time, or end that',
  tag: TAG,
  params: ofKind,
  body: muteBodySchema,
  response: mine,
});

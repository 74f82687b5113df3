import { z } from 'zod';
import { COMMAND_ACTIONS, COMMAND_MODES } from '../commands/catalogue.ts';
import { interlockSchema } from '../commands/command.ts';
import { imeiSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Commands';

export const controlConfirmationSchema = z.object({
  action: z.enum(COMMAND_ACTIONS, issue('command')),
  imei: imeiSchema,
  deviceName: z.string().max(60).optional(),
  controlPassword: z.string().min(1, issue('control-password')).max(128),
  mode: z.enum(COMMAND_MODES).optional(),
  /** Another user's command, which this grant confirms as the second person. */
  commandId: uuidSchema.optional(),
});

/** [R7.15] */
export const confirmControlPassword = defineRoute({
  method: 'POST',
  path: '/api/v1/confirm_control_pass',
  access: 'commands.control',
  summary: 'Confirm the control password: a grant for one control command to one vehicle, once, within 60 seconds',
  tag: TAG,
  body: controlConfirmationSchema,
  response: z.object({ ok: z.literal(true), grant: z.string(), expiresIn: z.int(), interlock: interlockSchema }),
  problems: [
    'not-found',
    'command-not-offered',
    'control-password-wrong',
    'control-password-missing',
    'controls-locked',
    'interlock-fails',
    'command-decided',
    'second-person-is-you',
    'sign-in-needed',
  ],
});

export const readControlPassword = defineRoute({
  method: 'GET',
  path: '/api/v1/control_pass',
  access: 'commands.read',
  summary: 'Read whether the account has a control password, and who set it and when',
  tag: TAG,
  response: z.object({
    set: z.boolean(),
    setAt: z.iso.datetime().nullable(),
    setBy: z.string().nullable(),
    /** The demo's control password, until somebody sets another; null outside a demo. */
    demoPassword: z.string().nullable(),
  }),
});

const CONTROL_PASSWORD = issue('length', { min: 6, max: 64 });
export const controlPasswordChangeSchema = z.object({
  password: z.string().min(1, issue('password')).max(128),
  controlPassword: z.string().min(6, CONTROL_PASSWORD).max(64, CONTROL_PASSWORD),
});

export const setControlPassword = defineRoute({
  method: 'PATCH',
  path: '/api/v1/control_pass',
  access: 'commands.password',
  summary: 'Set the account’s control password, confirmed with your own password; all grants end',
  tag: TAG,
  body: controlPasswordChangeSchema,
  response: z.object({ ok: z.literal(true) }),
  problems: ['wrong-password', 'control-password-is-own', 'too-many-tries'],
});

const controlRulesSchema = z.object({
  /** Commands that act at once or reset a tracker must be confirmed by a second person. */
  secondPerson: z.boolean(),
  /** How many people can control vehicles; below two, the rule does not apply. */
  people: z.int(),
  /** Null: it has never been changed. */
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
});

export const readControlRules = defineRoute({
  method: 'GET',
  path: '/api/v1/control_rules',
  access: 'commands.read',
  summary: 'Read whether dangerous commands need a second person, and how many people could be that person',
  tag: TAG,
  response: controlRulesSchema,
});

export const controlRulesChangeSchema = z.object({
  secondPerson: z.boolean(),
  controlPassword: controlConfirmationSchema.shape.controlPassword,
});

export const updateControlRules = defineRoute({
  method: 'PATCH',
  path: '/api/v1/control_rules',
  access: 'owners.write',
  summary: 'Turn the two-person rule on or off, as an owner and with the control password',
  tag: TAG,
  body: controlRulesChangeSchema,
  response: controlRulesSchema,
  problems: ['control-password-wrong', 'control-password-missing', 'controls-locked', 'sign-in-needed'],
});

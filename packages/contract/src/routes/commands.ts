import { z } from 'zod';
import { COMMAND_ACTIONS, COMMAND_CATEGORIES, COMMAND_MODES } from '../commands/catalogue.ts';
import { idSchema, imeiSchema, lineSchema, uuidSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';

const TAG = 'Commands';

/**
 * Where a command is. `awaiting-second`: somebody else has to confirm it first; `queued`: kept, and waits; `published`:
 * given to the tracker's connection; `delivered`: the network says that it has arrived; `acknowledged`: the tracker says
 * so itself. The others end it.
 */
export const COMMAND_STATES = [
  'awaiting-second',
  'queued',
  'published',
  'delivered',
  'acknowledged',
  'failed',
  'expired',
  'cancelled',
] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

/** What a queued command waits for. */
export const COMMAND_WAITS = ['tracker', 'safe-stop'] as const;

/** Why a step was taken; a word of its own for every reason that a person may ask about. */
export const COMMAND_REASONS = [
  'asked',
  'agreed',
  'declined',
  'no-second-person',
  'armed',
  'tracker-asleep',
  'tracker-back',
  'interlock-failed',
  'interlock-held',
  'sent-again',
  'outcome-unknown',
  'refused-by-tracker',
  'not-supported',
  'no-answer',
  'answered-late',
  'proved-by-effect',
  'too-late',
  'by-user',
  'no-longer-applies',
  'sender-lost-rights',
  'vehicle-gone',
  'restart',
] as const;
export type CommandReason = (typeof COMMAND_REASONS)[number];

const parametersSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const INTERLOCK_CHECKS = ['standing', 'ignition', 'fresh', 'still'] as const;
/** Each check of the safety interlock with what was measured, so that a person can judge it. */
export const interlockSchema = z
  .object({
    holds: z.boolean(),
    checkedAt: z.iso.datetime(),
    checks: z.array(
      z.object({
        check: z.enum(INTERLOCK_CHECKS),
        holds: z.boolean(),
        /** m/s for `standing`, seconds parked or null for `ignition`, age of the fix in seconds for `fresh`; null: not known. */
        measured: z.number().nullable(),
        /** What it is measured against, in the same unit; null where nothing is. */
        limit: z.number().nullable(),
        /** Only of `ignition` and `still`: whether the ignition is on, whether the tracker feels movement. */
        on: z.boolean().nullable(),
      }),
    ),
  })
  .meta({ id: 'Interlock' });
export type Interlock = z.infer<typeof interlockSchema>;

/** A command and all that is known of it [R3.08]. */
export const commandSchema = z
  .object({
    id: z.string(),
    imei: z.string(),
    deviceId: z.string(),
    deviceName: z.string(),
    action: z.enum(COMMAND_ACTIONS),
    /** What it is called, in English. */
    label: z.string(),
    category: z.enum(COMMAND_CATEGORIES),
    params: parametersSchema,
    mode: z.enum(COMMAND_MODES).nullable(),
    reason: z.string().nullable(),
    state: z.enum(COMMAND_STATES),
    waitingFor: z.enum(COMMAND_WAITS).nullable(),
    /** Whether its effect has shown in reports; null where none could. */
    effect: z.enum(['awaited', 'seen', 'not-seen']).nullable(),
    createdAt: z.iso.datetime(),
    /** It is not sent after this. */
    expiresAt: z.iso.datetime(),
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The second person, where one was needed and has confirmed it. */
    confirmedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** How often its bytes left for the tracker. More than once is never silent: a step says so. */
    sent: z.int(),
    /** The words for the tracker, as its protocol has them; null until they left. Never shows a password. */
    text: z.string().nullable(),
    /** What the tracker answered. */
    answer: z.string().nullable(),
    /** All that happened, oldest first. */
    steps: z.array(
      z.object({
        at: z.iso.datetime(),
        state: z.enum([...COMMAND_STATES, 'effect-seen', 'effect-not-seen']),
        reason: z.enum(COMMAND_REASONS).nullable(),
        by: z.string().nullable(),
        interlock: interlockSchema.nullable(),
        /** What they said with it. */
        note: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Command' });
export type Command = z.infer<typeof commandSchema>;

const reasonSchema = lineSchema(200);
/** A control command says why. */
export const controlReasonSchema = reasonSchema.min(1, 'Say why.');

export const listCommands = defineRoute({
  method: 'GET',
  path: '/api/v1/command',
  access: 'commands.read',
  summary: 'List commands to vehicles that you may see, newest first',
  tag: TAG,
  query: z.object({
    deviceId: idSchema.optional(),
    /** Only those that are not at their end. */
    open: z.enum(['true', 'false']).optional(),
    state: z.enum(COMMAND_STATES).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    /** The id of the last one of the page before. */
    before: uuidSchema.optional(),
  }),
  response: z.array(commandSchema),
  problems: ['not-found'],
});

export const readCommand = defineRoute({
  method: 'GET',
  path: '/api/v1/command/{id}',
  access: 'commands.read',
  summary: 'Read one command and what became of it',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: commandSchema,
  problems: ['not-found'],
});

export const offerCommands = defineRoute({
  method: 'GET',
  path: '/api/v1/command/offer',
  access: 'commands.read',
  summary: 'Read which commands a vehicle’s tracker has, whether it is there to hear them, and the safety interlock',
  tag: TAG,
  query: z.object({ deviceId: idSchema }),
  response: z.object({
    deviceId: z.string(),
    imei: z.string(),
    deviceName: z.string(),
    /** Of its connection or its newest report; null: it never reported, and nothing can be offered. */
    protocol: z.enum(TRACKER_PROTOCOLS).nullable(),
    /** A connection is open, or it can be reached at the address that it reported from. */
    reachable: z.boolean(),
    actions: z.array(
      z.object({
        action: z.enum(COMMAND_ACTIONS),
        /** The maker's name for it. */
        maker: z.string(),
        /** Which parameters it reads, and which it needs. */
        parameters: z.array(z.object({ name: z.string(), required: z.boolean() })),
        modes: z.array(z.enum(COMMAND_MODES)),
      }),
    ),
    interlock: interlockSchema,
    /** Whether a control password is set at all; without one no control command is possible. */
    controlPasswordSet: z.boolean(),
    /** Until when controls are locked for you after wrong passwords. */
    controlsLockedUntil: z.iso.datetime().nullable(),
    /** How many others could confirm here what needs a second person; null where the account asks for none. */
    secondPeople: z.int().nullable(),
  }),
  problems: ['not-found'],
});

export const newCommandSchema = z.object({
  imei: imeiSchema,
  action: z.enum(COMMAND_ACTIONS, 'There is no such command.'),
  params: parametersSchema.optional(),
  /** For commands that have modes; left out, the first of theirs, which is the safe one. */
  mode: z.enum(COMMAND_MODES).optional(),
  /** Of `confirm_control_pass`, for control commands. */
  grant: z.string().max(200).optional(),
  /** Why. Control commands need one. */
  reason: reasonSchema.optional(),
});
export type NewCommand = z.input<typeof newCommandSchema>;

export const createCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command',
  access: 'commands.read',
  summary: 'Send a command to a tracker; settings and control commands need more rights, control commands a grant',
  tag: TAG,
  body: newCommandSchema,
  status: 201,
  response: commandSchema,
  problems: [
    'not-found',
    'command-not-offered',
    'grant-needed',
    'grant-refused',
    'interlock-fails',
    'no-second-person',
    'command-too-soon',
  ],
});

/** [R7.35] */
export const agreeToCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command/{id}/agree',
  access: 'commands.control',
  summary: 'Confirm, as the second person, a command that waits for one; it leaves as soon as it may',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: z.object({
    /** Of `confirm_control_pass` with this command's id. */
    grant: z.string().max(200),
  }),
  response: commandSchema,
  problems: [
    'not-found',
    'command-decided',
    'second-person-is-you',
    'sign-in-needed',
    'grant-refused',
    'interlock-fails',
  ],
});

export const declineCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command/{id}/decline',
  access: 'commands.control',
  summary: 'Decline, as the second person, a command that waits for one; it ends',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: z.object({ reason: controlReasonSchema }),
  response: commandSchema,
  problems: ['not-found', 'command-decided', 'second-person-is-you', 'sign-in-needed'],
});

/** The words for the tracker before anything is sent. */
export const previewCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command/preview',
  access: 'commands.read',
  summary: 'Say what exactly a command would send, without sending it',
  tag: TAG,
  body: newCommandSchema.omit({ grant: true, reason: true }),
  response: z.object({ topic: z.string(), payload: z.string(), text: z.string().nullable(), expiresInS: z.int() }),
  problems: ['not-found', 'command-not-offered'],
});

export const cancelCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command/{id}/cancel',
  access: 'commands.read',
  summary: 'Cancel a command that has not left yet',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: commandSchema,
  problems: ['not-found', 'command-gone'],
});

export const controlConfirmationSchema = z.object({
  action: z.enum(COMMAND_ACTIONS, 'There is no such command.'),
  imei: imeiSchema,
  deviceName: z.string().max(60).optional(),
  controlPassword: z.string().min(1, 'Enter the control password.').max(128),
  mode: z.enum(COMMAND_MODES).optional(),
  /** The command that somebody else has asked for, and that the grant confirms as the second person's. */
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
  summary: 'Read whether the account has a control password, and who set it when',
  tag: TAG,
  response: z.object({
    set: z.boolean(),
    setAt: z.iso.datetime().nullable(),
    setBy: z.string().nullable(),
  }),
});

const CONTROL_PASSWORD = 'Use 6 to 64 characters.';
export const controlPasswordChangeSchema = z.object({
  password: z.string().min(1, 'Enter your password.').max(128),
  controlPassword: z.string().min(6, CONTROL_PASSWORD).max(64, CONTROL_PASSWORD),
});

export const setControlPassword = defineRoute({
  method: 'PATCH',
  path: '/api/v1/control_pass',
  access: 'commands.password',
  summary: 'Set the account’s control password, confirming one’s own password; it ends all grants',
  tag: TAG,
  body: controlPasswordChangeSchema,
  response: z.object({ ok: z.literal(true) }),
  problems: ['wrong-password', 'control-password-is-own', 'too-many-tries'],
});

const controlRulesSchema = z.object({
  /** What acts at once or resets a tracker is confirmed by a second person. */
  secondPerson: z.boolean(),
  /** How many people may control at all; below two the rule asks nobody. */
  people: z.int(),
  /** Null: it is as it was from the start. */
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
});

export const readControlRules = defineRoute({
  method: 'GET',
  path: '/api/v1/control_rules',
  access: 'commands.read',
  summary: 'Read whether a second person confirms what is dangerous, and how many could',
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
  summary: 'Switch the second person’s rule, as an owner and with the control password',
  tag: TAG,
  body: controlRulesChangeSchema,
  response: controlRulesSchema,
  problems: ['control-password-wrong', 'control-password-missing', 'controls-locked', 'sign-in-needed'],
});

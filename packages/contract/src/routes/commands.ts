import { z } from 'zod';
import { COMMAND_ACTIONS, COMMAND_MODES } from '../commands/catalogue.ts';
import { COMMAND_STATES, commandParametersSchema, commandSchema, interlockSchema } from '../commands/command.ts';
import { idSchema, imeiSchema, instantSchema, lineSchema, numeric, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { problemSchema } from '../problem.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';

const TAG = 'Commands';

const reasonSchema = lineSchema(200);
/** A control command must state its reason. */
export const controlReasonSchema = reasonSchema.min(1, issue('reason'));

export const listCommands = defineRoute({
  method: 'GET',
  path: '/api/v1/command',
  access: 'commands.read',
  summary: 'List commands to vehicles you can see, newest first',
  tag: TAG,
  query: z.object({
    deviceId: idSchema.optional(),
    /** Only commands that have not ended. */
    open: z.enum(['true', 'false']).optional(),
    state: z.enum(COMMAND_STATES).optional(),
    /** Only what one of your own commands to several vehicles sent. */
    run: uuidSchema.optional(),
    limit: numeric(z.int().min(1).max(200)).default(50),
    /** The id of the last command on the previous page. */
    before: uuidSchema.optional(),
    /** Only commands that had been created by this moment. */
    at: instantSchema.optional(),
  }),
  response: z.array(commandSchema),
  problems: ['not-found'],
});

export const readCommand = defineRoute({
  method: 'GET',
  path: '/api/v1/command/{id}',
  access: 'commands.read',
  summary: 'Read one command and its result',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: commandSchema,
  problems: ['not-found'],
});

export const offerCommands = defineRoute({
  method: 'GET',
  path: '/api/v1/command/offer',
  access: 'commands.read',
  summary: 'Read which commands a vehicle’s tracker supports, whether it is connected, and the safety interlock',
  tag: TAG,
  query: z.object({ deviceId: idSchema }),
  response: z.object({
    deviceId: z.string(),
    imei: z.string(),
    deviceName: z.string(),
    /** The protocol of its connection or newest report; null: it never reported, so no commands can be offered. */
    protocol: z.enum(TRACKER_PROTOCOLS).nullable(),
    /** The tracker has an open connection, or can be reached at the address that it last reported from. */
    reachable: z.boolean(),
    actions: z.array(
      z.object({
        action: z.enum(COMMAND_ACTIONS),
        /** The maker's name for the command. */
        maker: z.string(),
        /** Its parameters, and which of them are required. */
        parameters: z.array(z.object({ name: z.string(), required: z.boolean() })),
        modes: z.array(z.enum(COMMAND_MODES)),
      }),
    ),
    /** The checks that apply when a command is sent, for the connection that carries it. */
    interlock: interlockSchema,
    /**
     * When the interlock will pass if the vehicle stays parked and keeps reporting; null: it passes now, or the time is
     * unknown.
     */
    interlockAt: z.iso.datetime().nullable(),
    /** Whether a control password is set; without one no control command is possible. */
    controlPasswordSet: z.boolean(),
    /** The demo's control password, until somebody sets another; null outside a demo. */
    demoPassword: z.string().nullable(),
    /** When the lock after wrong control passwords ends for this user. */
    controlsLockedUntil: z.iso.datetime().nullable(),
    /**
     * How many others could confirm commands for this vehicle that need a second person; null if the account does not
     * use the two-person rule.
     */
    secondPeople: z.int().nullable(),
  }),
  problems: ['not-found'],
});

export const newCommandSchema = z.object({
  imei: imeiSchema,
  action: z.enum(COMMAND_ACTIONS, issue('command')),
  params: commandParametersSchema.optional(),
  /** For commands with modes; if absent, their first mode, the safest. */
  mode: z.enum(COMMAND_MODES).optional(),
  /** From `confirm_control_pass`, for control commands. */
  grant: z.string().max(200).optional(),
  /** The reason, required for control commands. */
  reason: reasonSchema.optional(),
});
export type NewCommand = z.input<typeof newCommandSchema>;

export const createCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command',
  access: 'commands.read',
  summary: 'Send a command to a tracker; settings and control commands need more permissions, control commands a grant',
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
  summary: 'Confirm a command as the second person; it is sent as soon as possible',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: z.object({
    /** From `confirm_control_pass` with this command's id. */
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
  summary: 'Decline a command as the second person; the command ends',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: z.object({ reason: controlReasonSchema }),
  response: commandSchema,
  problems: ['not-found', 'command-decided', 'second-person-is-you', 'sign-in-needed'],
});

/** The text for the tracker, before anything is sent. */
export const previewCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command/preview',
  access: 'commands.read',
  summary: 'Preview exactly what a command would send',
  tag: TAG,
  body: newCommandSchema.omit({ grant: true, reason: true }),
  response: z.object({ topic: z.string(), payload: z.string(), text: z.string().nullable(), expiresInS: z.int() }),
  problems: ['not-found', 'command-not-offered'],
});

export const cancelCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/command/{id}/cancel',
  access: 'commands.read',
  summary: 'Cancel a command that has not been sent yet',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: commandSchema,
  problems: ['not-found', 'command-gone'],
});

/** More than any fleet has. */
export const COMMAND_RUN_MOST = 10_000;
export const COMMAND_RUN_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

export const commandRunSchema = z
  .object({
    id: z.string(),
    action: z.enum(COMMAND_ACTIONS),
    mode: z.enum(COMMAND_MODES).nullable(),
    /** `failed`: a problem stopped it; `cancelled`: the user did. What was sent until then stays sent. */
    state: z.enum(COMMAND_RUN_STATES),
    done: z.int(),
    total: z.int(),
    /** Why it failed. */
    problem: problemSchema.nullable(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CommandRun' });
export type CommandRun = z.infer<typeof commandRunSchema>;

export const commandRunResultsSchema = commandRunSchema
  .extend({
    vehicles: z.array(
      z.object({
        deviceId: z.string(),
        imei: z.string(),
        deviceName: z.string(),
        /** The command that was sent to it; null: none yet, or none at all. */
        commandId: z.string().nullable(),
        /** Why nothing was sent to it. */
        problem: problemSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'CommandRunResults' });
export type CommandRunResults = z.infer<typeof commandRunResultsSchema>;

export const listCommandRuns = defineRoute({
  method: 'GET',
  path: '/api/v1/command_run',
  access: 'commands.read',
  summary: 'List the commands you have sent to several vehicles during the last seven days, newest first',
  tag: TAG,
  response: z.array(commandRunSchema),
});

export const readCommandRun = defineRoute({
  method: 'GET',
  path: '/api/v1/command_run/{id}',
  access: 'commands.read',
  summary: 'Read how far a command to several vehicles is, and what came of each',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: commandRunResultsSchema,
  problems: ['not-found'],
});

export const createCommandRun = defineRoute({
  method: 'POST',
  path: '/api/v1/command_run',
  access: 'commands.read',
  summary: 'Send a command to several vehicles; the server sends them one after the other, with the checks of each',
  tag: TAG,
  body: newCommandSchema.omit({ imei: true, grant: true }).extend({
    imeis: z.array(imeiSchema).min(1).max(COMMAND_RUN_MOST),
    /** For control commands. */
    controlPassword: z.string().max(128).optional(),
  }),
  status: 201,
  response: commandRunSchema,
  problems: ['not-found', 'control-password-wrong', 'control-password-missing', 'controls-locked', 'grant-needed'],
});

export const cancelCommandRun = defineRoute({
  method: 'POST',
  path: '/api/v1/command_run/{id}/cancel',
  access: 'commands.read',
  summary: 'Stop sending a command to several vehicles; what was sent stays sent',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: commandRunSchema,
  problems: ['not-found', 'command-gone'],
});

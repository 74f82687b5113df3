import { z } from 'zod';
import { COMMAND_ACTIONS, COMMAND_MODES } from '../commands/catalogue.ts';
import { COMMAND_STATES, commandParametersSchema, commandSchema, interlockSchema } from '../commands/command.ts';
import { idSchema, imeiSchema, lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';

const TAG = 'Commands';

const reasonSchema = lineSchema(200);
/** A control command says why. */
export const controlReasonSchema = reasonSchema.min(1, issue('reason'));

export const listCommands = defineRoute({
  method: 'GET',
  path: '/api/v1/command',
  access: 'commands.read',
  summary: 'List commands to vehicles you can see, newest first',
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
    /** As it will be asked when a command leaves: of the connection that carries it. */
    interlock: interlockSchema,
    /** When it will hold if the vehicle stays as it is and reports so; null: it does, or nobody can say. */
    interlockAt: z.iso.datetime().nullable(),
    /** Whether a control password is set at all; without one no control command is possible. */
    controlPasswordSet: z.boolean(),
    /** What it is, told in a demo as long as nobody has set another; null everywhere else. */
    demoPassword: z.string().nullable(),
    /** Until when controls are locked for you after wrong passwords. */
    controlsLockedUntil: z.iso.datetime().nullable(),
    /** How many others could confirm here what needs a second person; null where the account asks for none. */
    secondPeople: z.int().nullable(),
  }),
  problems: ['not-found'],
});

export const newCommandSchema = z.object({
  imei: imeiSchema,
  action: z.enum(COMMAND_ACTIONS, issue('command')),
  params: commandParametersSchema.optional(),
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
  summary: 'Decline a command as the second person; the command ends',
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

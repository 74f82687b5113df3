import { z } from 'zod';
import { COMMAND_ACTIONS, COMMAND_CATEGORIES, COMMAND_MODES } from './catalogue.ts';

/**
 * The state of a command. `awaiting-second`: another person must confirm it first; `queued`: stored, waiting;
 * `published`: written to the tracker's connection; `delivered`: the network reports its arrival; `acknowledged`: the
 * tracker itself confirms it. The other states are final.
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

/** Why a step was taken; one code for every reason a user may want to know. */
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
  'contradicting-reports',
  'sender-lost-rights',
  'vehicle-gone',
  'restart',
] as const;
export type CommandReason = (typeof COMMAND_REASONS)[number];

export const commandParametersSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const INTERLOCK_CHECKS = ['standing', 'ignition', 'fresh', 'still'] as const;
/** Each check of the safety interlock with the measured value, so that a person can judge it. */
export const interlockSchema = z
  .object({
    holds: z.boolean(),
    checkedAt: z.iso.datetime(),
    checks: z.array(
      z.object({
        check: z.enum(INTERLOCK_CHECKS),
        holds: z.boolean(),
        /**
         * m/s for `standing`, seconds parked or null for `ignition`, age of the fix in seconds for `fresh`; null:
         * unknown.
         */
        measured: z.number().nullable(),
        /** The limit that `measured` is compared with, in the same unit; null if there is none. */
        limit: z.number().nullable(),
        /** Only for `ignition` and `still`: whether the ignition is on, whether the tracker senses movement. */
        on: z.boolean().nullable(),
      }),
    ),
  })
  .meta({ id: 'Interlock' });
export type Interlock = z.infer<typeof interlockSchema>;

/** A command with everything known about it [R3.08]. */
export const commandSchema = z
  .object({
    id: z.string(),
    imei: z.string(),
    deviceId: z.string(),
    deviceName: z.string(),
    action: z.enum(COMMAND_ACTIONS),
    /** Its name, in English. */
    label: z.string(),
    category: z.enum(COMMAND_CATEGORIES),
    params: commandParametersSchema,
    mode: z.enum(COMMAND_MODES).nullable(),
    reason: z.string().nullable(),
    state: z.enum(COMMAND_STATES),
    waitingFor: z.enum(COMMAND_WAITS).nullable(),
    /** Whether its effect has shown in reports; null if reports cannot show it. */
    effect: z.enum(['awaited', 'seen', 'not-seen']).nullable(),
    createdAt: z.iso.datetime(),
    /** The command is not sent after this time. */
    expiresAt: z.iso.datetime(),
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The second person, if one was needed and has confirmed it. */
    confirmedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** How often it was sent to the tracker. Each time after the first is listed as a step. */
    sent: z.int(),
    /** The text for the tracker, in its protocol; null until sent. Never shows a password. */
    text: z.string().nullable(),
    /** The tracker's answer. */
    answer: z.string().nullable(),
    /** Everything that happened, oldest first. */
    steps: z.array(
      z.object({
        at: z.iso.datetime(),
        state: z.enum([...COMMAND_STATES, 'effect-seen', 'effect-not-seen']),
        reason: z.enum(COMMAND_REASONS).nullable(),
        by: z.string().nullable(),
        interlock: interlockSchema.nullable(),
        /** The note they wrote with it. */
        note: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Command' });
export type Command = z.infer<typeof commandSchema>;

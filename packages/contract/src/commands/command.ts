import { z } from 'zod';
import { COMMAND_ACTIONS, COMMAND_CATEGORIES, COMMAND_MODES } from './catalogue.ts';

/**
 * The state of a command. `awaiting-second`: another person has to confirm it first; `queued`: stored, waiting; `published`:
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

/** Why a step was taken; one word for every reason a user may want to know. */
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
    params: commandParametersSchema,
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

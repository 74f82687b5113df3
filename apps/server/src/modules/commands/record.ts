import {
  type Command,
  type CommandAction,
  type CommandMode,
  type CommandState,
  commandKind,
  commandLabel,
  type Interlock,
  type TrackerProtocol,
} from '@milepost/contract';
import { type CommandEvent, isOpen, transitionOf } from './transitions.ts';

export type Step = Command['steps'][number];

/** A command as the server holds it: a row of `command`. Times are epoch milliseconds. */
export interface CommandRecord {
  readonly id: string;
  readonly accountId: number;
  readonly vehicleId: number;
  readonly imei: string;
  readonly action: CommandAction;
  /** With their secrets hidden. */
  readonly params: Command['params'];
  /** Null where there are none, and once the command has come to its end. */
  readonly secrets: Command['params'] | null;
  readonly mode: CommandMode | null;
  readonly reason: string | null;
  readonly state: CommandState;
  readonly waitingFor: Command['waitingFor'];
  readonly effect: Command['effect'];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly createdBy: string | null;
  readonly createdByName: string;
  /** A second person has to confirm it. */
  readonly needsSecond: boolean;
  /** The second person; null until then. */
  readonly secondBy: string | null;
  readonly secondByName: string | null;
  readonly sent: number;
  readonly publishedAt: number | null;
  readonly protocol: TrackerProtocol | null;
  readonly reference: number | null;
  readonly text: string | null;
  readonly answer: string | null;
  readonly steps: readonly Step[];
}

export interface StepDetails {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The user who did it; null: the server or the tracker. */
  readonly by?: string | null;
  readonly interlock?: Interlock | null;
  /** What they said with it. */
  readonly note?: string;
}

/** The command after an event, with the step that it took; null when the event is no news. */
export function after(
  command: CommandRecord,
  event: CommandEvent,
  { at, by = null, interlock = null, note }: StepDetails,
  change: Partial<CommandRecord> = {},
): CommandRecord | null {
  const transition = transitionOf(command.state, event);
  if (!transition) return null;
  const { to: state, reason, waitingFor } = transition;
  const step: Step = { at: new Date(at).toISOString(), state, reason, by, interlock, ...(note && { note }) };
  const next = { ...command, ...change, state, waitingFor, steps: [...command.steps, step] };
  // What never left has no effect to be looked for.
  return isOpen(state) || next.sent > 0 ? next : { ...next, effect: null };
}

/** The command with its effect decided; null when nothing is awaited of it. */
export function withEffect(command: CommandRecord, effect: 'seen' | 'not-seen', at: number): CommandRecord | null {
  if (command.effect !== 'awaited') return null;
  const state = effect === 'seen' ? 'effect-seen' : 'effect-not-seen';
  const step: Step = { at: new Date(at).toISOString(), state, reason: null, by: null, interlock: null };
  return { ...command, effect, steps: [...command.steps, step] };
}

export function toCommand(record: CommandRecord, deviceName: string): Command {
  const { action, createdAt, createdBy, createdByName, expiresAt, params, secondBy, secondByName, vehicleId } = record;
  return {
    id: record.id,
    imei: record.imei,
    deviceId: String(vehicleId),
    deviceName,
    action,
    label: commandLabel(action),
    category: commandKind(action).category,
    params,
    mode: record.mode,
    reason: record.reason,
    state: record.state,
    waitingFor: record.waitingFor,
    effect: record.effect,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    createdBy: createdBy === null ? null : { id: createdBy, name: createdByName },
    confirmedBy: secondBy === null ? null : { id: secondBy, name: secondByName ?? '' },
    sent: record.sent,
    text: record.text,
    answer: record.answer,
    steps: [...record.steps],
  };
}

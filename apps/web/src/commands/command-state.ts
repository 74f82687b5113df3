import type { Command } from '@milepost/contract';
import type { ChipTone } from '../ui/Chip.tsx';

/**
 * The states that users see. They divide the server's states further: by what the command waits for and why it ended.
 */
const COMMAND_WORDS = [
  'awaitingSecond',
  'armed',
  'waiting',
  'queued',
  'published',
  'delivered',
  'acknowledged',
  'effectSeen',
  'effectNotSeen',
  'refused',
  'declined',
  'failed',
  'unknown',
  'expired',
  'cancelled',
] as const;
export type CommandWord = (typeof COMMAND_WORDS)[number];

export function commandWord({ state, waitingFor, effect, steps }: Command): CommandWord {
  if (state === 'awaiting-second') return 'awaitingSecond';
  if (state === 'cancelled' && steps.some(({ reason }) => reason === 'declined')) return 'declined';
  if (state === 'queued') {
    if (waitingFor === 'safe-stop') return 'armed';
    return waitingFor === 'tracker' ? 'waiting' : 'queued';
  }
  if (state === 'acknowledged' && effect === 'seen') return 'effectSeen';
  if (state === 'acknowledged' && effect === 'not-seen') return 'effectNotSeen';
  if (state === 'failed') {
    const reason = steps.findLast(step => step.state === 'failed')?.reason;
    if (reason === 'refused-by-tracker') return 'refused';
    return reason === 'outcome-unknown' || reason === 'no-answer' ? 'unknown' : 'failed';
  }
  return state;
}

export const WORD_TONES: Readonly<Record<CommandWord, ChipTone>> = {
  awaitingSecond: 'warning',
  armed: 'warning',
  waiting: 'warning',
  queued: 'info',
  published: 'info',
  delivered: 'info',
  acknowledged: 'ok',
  effectSeen: 'ok',
  effectNotSeen: 'warning',
  refused: 'critical',
  declined: 'critical',
  failed: 'critical',
  unknown: 'warning',
  expired: 'neutral',
  cancelled: 'neutral',
};

/** Whether the command's outcome is still unknown. */
export const isOpen = ({ state, effect }: Command): boolean =>
  state === 'awaiting-second' ||
  state === 'queued' ||
  state === 'published' ||
  state === 'delivered' ||
  (state === 'acknowledged' && effect === 'awaited');

/** Whether the command can still be canceled, because nothing has been sent yet. */
export const isCancellable = ({ state }: Command): boolean => state === 'awaiting-second' || state === 'queued';

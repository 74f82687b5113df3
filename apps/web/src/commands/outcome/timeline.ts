import type { Command, CommandReason, Interlock } from '@milepost/contract';
import { isOpen } from '../command-state.ts';

type Step = Command['steps'][number];

/**
 * `done` happened, `now` is being waited for, `bad` ended the command, `unknown` may have worked, `future` is expected.
 */
export type Mark = 'done' | 'now' | 'bad' | 'unknown' | 'future';

export type MomentTitle =
  | 'queued'
  | 'confirmed'
  | 'second'
  | 'agreed'
  | 'declined'
  | 'armed'
  | 'trackerBack'
  | 'interlockHeld'
  | 'asleep'
  | 'heldBack'
  | 'restart'
  | 'published'
  | 'publishedAgain'
  | 'delivered'
  | 'acknowledged'
  | 'proved'
  | 'effect'
  | 'effectNotSeen'
  | 'failed'
  | 'refused'
  | 'noAnswer'
  | 'unknown'
  | 'expired'
  | 'cancelled'
  | 'waitSecond'
  | 'waitSafeStop'
  | 'waitTracker'
  | 'waitSend'
  | 'waitAnswer'
  | 'waitEffect';

/** One step of the timeline. It shows only what is known: a step that hasn't been seen is `now` or `future`. */
export interface Moment {
  readonly mark: Mark;
  readonly title: MomentTitle;
  readonly at: string | null;
  readonly by: string | null;
  readonly why: CommandReason | null;
  /** The comment that the user gave. */
  readonly note: string | null;
  /** The latest measurements of the checks, while the command waits for them. */
  readonly interlock: Interlock | null;
}

/** Reasons that don't need their own text, because the title or the name says it. */
const SAID = ['asked', 'agreed', 'declined', 'by-user'] as const satisfies readonly CommandReason[];
export const isTold = (reason: CommandReason | null): reason is Exclude<CommandReason, (typeof SAID)[number]> =>
  reason !== null && !(SAID as readonly CommandReason[]).includes(reason);

const moment = (mark: Mark, title: MomentTitle, step: Partial<Step> = {}): Moment => ({
  mark,
  title,
  at: step.at ?? null,
  by: step.by ?? null,
  why: step.reason ?? null,
  note: step.note ?? null,
  interlock: step.interlock ?? null,
});

export function timelineOf(command: Command): readonly Moment[] {
  if (!isOpen(command)) return command.steps.map((step, at) => pastMoment(command, step, at));
  const { steps } = command;
  // The step that the command is waiting in is shown as the current one, not also as done.
  const past = isWait(steps.at(-1)) ? steps.slice(0, -1) : steps;
  return [...past.map((step, at) => pastMoment(command, step, at)), waitingMoment(command), ...futureOf(command)];
}

/** The expected steps of a command that hasn't been sent. */
export const plannedTimeline = (hasEffect: boolean, bySecond = false): readonly Moment[] => {
  const titles: readonly MomentTitle[] = ['second', 'published', 'acknowledged', 'effect'];
  const left = titles.filter(title => (bySecond || title !== 'second') && (hasEffect || title !== 'effect'));
  return left.map(title => moment('future', title));
};

const isWait = (step: Step | undefined): boolean =>
  step?.state === 'queued' && (step.reason === 'tracker-asleep' || step.reason === 'armed');

function pastMoment(command: Command, step: Step, at: number): Moment {
  const { state, reason } = step;
  if (state === 'awaiting-second') return moment('done', at === 0 ? 'confirmed' : 'restart', step);
  if (reason === 'agreed') return moment('done', 'agreed', step);
  if (reason === 'declined') return moment('bad', 'declined', step);
  if (state === 'queued') return moment('done', queuedTitle(command, reason, at), step);
  if (state === 'published') return moment('done', reason === 'sent-again' ? 'publishedAgain' : 'published', step);
  if (state === 'acknowledged') return moment('done', reason === 'proved-by-effect' ? 'proved' : state, step);
  if (state === 'effect-seen') return moment('done', 'effect', step);
  if (state === 'effect-not-seen') return moment('unknown', 'effectNotSeen', step);
  if (state === 'failed') return failedMoment(step);
  if (state === 'expired' || state === 'cancelled') return moment('bad', state, step);
  return moment('done', state, step);
}

function queuedTitle({ category }: Command, reason: CommandReason | null, at: number): MomentTitle {
  // A control command is only queued once the user has confirmed it with the password.
  if (at === 0) return category === 'control' ? 'confirmed' : 'queued';
  if (reason === 'armed') return 'armed';
  if (reason === 'tracker-asleep') return 'asleep';
  if (reason === 'tracker-back') return 'trackerBack';
  if (reason === 'interlock-held') return 'interlockHeld';
  return reason === 'restart' ? 'restart' : 'heldBack';
}

function failedMoment(step: Step): Moment {
  if (step.reason === 'refused-by-tracker') return moment('bad', 'refused', step);
  if (step.reason === 'no-answer') return moment('unknown', 'noAnswer', step);
  return step.reason === 'outcome-unknown' ? moment('unknown', 'unknown', step) : moment('bad', 'failed', step);
}

function waitingMoment({ state, waitingFor, steps }: Command): Moment {
  const last = steps.at(-1);
  if (state === 'awaiting-second') return moment('now', 'waitSecond', { at: last?.at ?? '' });
  if (state === 'queued') {
    const title = waitingFor === 'safe-stop' ? 'waitSafeStop' : waitingFor === 'tracker' ? 'waitTracker' : 'waitSend';
    const interlock = steps.findLast(step => step.interlock !== null)?.interlock ?? null;
    return moment('now', title, { ...last, by: null, reason: waitReason(waitingFor), interlock });
  }
  return moment('now', state === 'acknowledged' ? 'waitEffect' : 'waitAnswer', { at: last?.at ?? '' });
}

const waitReason = (waitingFor: Command['waitingFor']): CommandReason | null =>
  waitingFor === 'tracker' ? 'tracker-asleep' : null;

function futureOf({ state, effect }: Command): readonly Moment[] {
  const hasEffect = effect !== null;
  if (state === 'queued' || state === 'awaiting-second') return plannedTimeline(hasEffect);
  return state !== 'acknowledged' && hasEffect ? [moment('future', 'effect')] : [];
}

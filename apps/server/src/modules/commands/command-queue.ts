import { randomInt } from 'node:crypto';
import { commandKind } from '@milepost/contract';
import type { TrackerReply } from '../../ingest/tracker-reply.ts';
import type { CommandRecord } from './record.ts';
import { isAwaitingAnswer, isOpen, PATIENCE } from './transitions.ts';

const LAST_REFERENCE = 0xffff;

/**
 * The commands of one vehicle that are not done with: open ones, those whose effect is awaited, and for a while those
 * that may still be answered late. One thing at a time is done with them, in the order in which it came up.
 */
export class CommandQueue {
  readonly vehicleId: number;
  readonly #records = new Map<string, CommandRecord>();
  readonly #onError: (error: unknown) => void;
  /** Starts at a random number, so an answer from before a restart isn't matched to a command after it. */
  #reference = randomInt(1, LAST_REFERENCE);
  #last: Promise<void> = Promise.resolve();

  constructor(vehicleId: number, onError: (error: unknown) => void) {
    this.vehicleId = vehicleId;
    this.#onError = onError;
  }

  /** Resolves when the work has finished or failed. */
  inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work).catch(this.#onError);
    return this.#last;
  }

  /** Like `inTurn`, but returns the result, and throws errors to the caller. */
  answerInTurn<T>(work: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(work);
    this.#last = answer.then(
      () => {},
      () => {},
    );
    return answer;
  }

  put(record: CommandRecord): void {
    this.#records.set(record.id, record);
  }

  drop(id: string): void {
    this.#records.delete(id);
  }

  find(id: string): CommandRecord | null {
    return this.#records.get(id) ?? null;
  }

  get size(): number {
    return this.#records.size;
  }

  all(): CommandRecord[] {
    return [...this.#records.values()];
  }

  /** Commands that act on the vehicle first, then in the order they were requested. */
  queued(): CommandRecord[] {
    const rank = ({ action }: CommandRecord): number => (commandKind(action).category === 'control' ? 0 : 1);
    return this.all()
      .filter(({ state }) => state === 'queued')
      .sort((a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt);
  }

  awaitingSecond(): CommandRecord[] {
    return this.all().filter(({ state }) => state === 'awaiting-second');
  }

  /** Oldest first. */
  awaitingAnswer(): CommandRecord[] {
    return this.all()
      .filter(({ state }) => isAwaitingAnswer(state))
      .sort(bySending);
  }

  /** Which command an answer belongs to: by its number, else the oldest waiting, else the last that waited. */
  answeredBy(reply: TrackerReply): CommandRecord | null {
    const { action, reference } = reply;
    const fitting = this.all().filter(record => action === undefined || record.action === action);
    const numbered = reference === null ? undefined : fitting.find(record => record.reference === reference);
    if (numbered) return numbered;
    const awaiting = fitting.filter(({ state }) => isAwaitingAnswer(state)).sort(bySending);
    // An unknown number matches none of several waiting commands. Some trackers always answer 0.
    if (reference !== null && reference !== 0 && awaiting.length > 1) return null;
    return awaiting[0] ?? fitting.filter(mayBeLate).sort(bySending).at(-1) ?? null;
  }

  nextReference(): number {
    this.#reference = (this.#reference % LAST_REFERENCE) + 1;
    return this.#reference;
  }

  /** Forgets what nothing can come of any more. */
  forgetDone(now: number): void {
    for (const record of this.all()) {
      const { effect, publishedAt, state } = record;
      const isRecent = publishedAt !== null && now < publishedAt + PATIENCE.answerMs + PATIENCE.lateAnswerMs;
      if (!isOpen(state) && effect !== 'awaited' && !isRecent) this.drop(record.id);
    }
  }
}

const bySending = (a: CommandRecord, b: CommandRecord): number => (a.publishedAt ?? 0) - (b.publishedAt ?? 0);

/** No answer came in time, or the connection was gone. */
export function mayBeLate({ state, steps }: CommandRecord): boolean {
  const reason = steps.at(-1)?.reason;
  return state === 'failed' && (reason === 'no-answer' || reason === 'outcome-unknown');
}

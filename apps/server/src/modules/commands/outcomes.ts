import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@milepost/decoders';
import type { Context } from '../../context.ts';
import type { Change } from '../../ingest/change.ts';
import type { TrackerReply } from '../../ingest/tracker-reply.ts';
import { type CommandQueue, mayBeLate } from './command-queue.ts';
import { effectRuleOf } from './effects.ts';
import { maskedText } from './secrets.ts';
import type { Steps } from './steps.ts';
import { isAwaitingAnswer, isBeforeSending, isOpen, PATIENCE } from './transitions.ts';

/** What becomes of commands after they have left: what trackers say, what reports show, what the clock ends. */
export interface Outcomes {
  answered(queue: CommandQueue, reply: TrackerReply): Promise<void>;
  delivered(queue: CommandQueue, reference: number): Promise<void>;
  reported(queue: CommandQueue, change: Change): Promise<void>;
  clock(queue: CommandQueue): Promise<void>;
}

const ANSWER_CHARACTERS = 4000;
const STEPS_AT_MOST = 40;
const AGAIN_AFTER_MS = [100, 1000, 5000] as const;

export function createOutcomes({ log }: Pick<Context, 'log'>, steps: Steps, now: () => number): Outcomes {
  /** What a tracker said comes once: it is not lost because the database was away for a moment. */
  const persistently = async (work: () => Promise<void>): Promise<void> => {
    for (const delayMs of AGAIN_AFTER_MS) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error }, 'Could not save a tracker’s answer; retrying');
        await sleep(delayMs, undefined, { ref: false });
      }
    }
    await work();
  };

  const answer = async (queue: CommandQueue, reply: TrackerReply): Promise<void> => {
    const record = queue.answeredBy(reply);
    if (!record) return;
    // What answers on and on is not written down on and on.
    if (record.state === 'acknowledged' && record.steps.length >= STEPS_AT_MOST) return;
    const refused = reply.refused ?? isRefusal(reply.text);
    const text = maskedText(reply.text, record.secrets);
    const answers = [record.answer, text]
      .filter(each => each)
      .join('\n')
      .slice(0, ANSWER_CHARACTERS);
    const late = mayBeLate(record);
    const event = refused ? (late ? 'refusedLate' : 'refused') : late ? 'answeredLate' : 'answered';
    await steps.take(queue, record, event, { change: { answer: answers || null, ...(refused && { effect: null }) } });
  };

  const reported = async (queue: CommandQueue, change: Change): Promise<void> => {
    // What came late is history: it proves nothing about now.
    if (change.after.newest === change.before?.newest) return;
    for (const record of queue.all()) {
      const rule = effectRuleOf(record);
      if (!rule || record.publishedAt === null || (rule.afterAnswer && record.state !== 'acknowledged')) continue;
      const effect = rule.judge(record, change);
      if (effect) await steps.decideEffect(queue, record, effect);
    }
  };

  const clock = async (queue: CommandQueue): Promise<void> => {
    for (const { id } of queue.all()) {
      const record = queue.find(id);
      if (!record) continue;
      const { effect, expiresAt, publishedAt, state } = record;
      const rule = effectRuleOf(record);
      const sentAt = publishedAt ?? record.createdAt;
      if (isBeforeSending(state) && expiresAt <= now()) await steps.take(queue, record, 'expired');
      else if (isAwaitingAnswer(state) && sentAt + PATIENCE.answerMs <= now()) {
        await steps.take(queue, record, effect === 'seen' ? 'proved' : 'silent');
      } else if (rule && !isOpen(state)) {
        const isOver = state !== 'acknowledged' || sentAt + rule.withinS * 1000 <= now();
        if (isOver) await steps.decideEffect(queue, record, 'not-seen');
      }
    }
  };

  return {
    answered: (queue, reply) => persistently(() => answer(queue, reply)),
    delivered: async (queue, reference) => {
      const record = queue.awaitingAnswer().find(each => each.reference === reference);
      if (record) await steps.take(queue, record, 'delivered');
    },
    reported,
    clock,
  };
}

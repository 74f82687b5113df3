import { ProblemError } from '@milepost/client';
import type { DutyInput, MyDuty } from '@milepost/contract';
import type { ClockAnchor } from '../../../phone/duty-clock.ts';
import type { DutyStore, Settled } from './duty-store.ts';
import { inputOf, type KeptEntry } from './entry.ts';

/** What the server says to a few inputs: `recordDuty` of the contract. */
export interface Answer {
  readonly outcomes: readonly {
    readonly id: string;
    readonly result: 'taken' | 'known' | 'refused';
    readonly refusal: string | null;
    readonly reason: string | null;
  }[];
  readonly duty: MyDuty;
}

export interface Sending {
  readonly store: DutyStore;
  readonly owner: string;
  readonly send: (inputs: DutyInput[]) => Promise<Answer>;
  /** The server's time, as well as it is known. */
  readonly serverMs: () => number | null;
  /** The server has just said what time it is. */
  readonly heard: (serverMs: number) => ClockAnchor;
}

/** So that an answer comes soon on a slow network, and what was taken is known when it breaks off. */
const AT_ONCE = 50;
/** Answers to a request that would be the same tomorrow. */
const HOPELESS = new Set(['invalid-input', 'payload-too-large', 'not-found', 'not-allowed']);

/**
 * Sends what waits, in order. An entry leaves the queue only with the server's answer about it; one that was sent
 * without an answer is sent again, and the server knows it by its ID. Only one tab may do this at a time: see `alone`.
 */
export async function sendWaiting(sending: Sending): Promise<void> {
  for (;;) {
    const waiting = await sending.store.entries(sending.owner, 'waiting');
    if (waiting.length === 0) return;
    await sendFew(sending, waiting.slice(0, AT_ONCE));
  }
}

async function sendFew(sending: Sending, entries: readonly KeptEntry[]): Promise<void> {
  const { heard, owner, serverMs, send, store } = sending;
  try {
    const now = serverMs();
    const { duty, outcomes } = await send(entries.map(entry => inputOf(entry, now)));
    const settled: Settled[] = outcomes.map(({ id, reason, refusal, result }) =>
      result === 'refused' ? { id, refusal: refusal ?? 'refused', reason } : { id, refusal: null, reason: null },
    );
    await store.settle(owner, settled, { owner, duty, clock: heard(Date.parse(duty.now)) });
    // An answer that leaves one out would be asked for again without end.
    const answered = new Set(settled.map(({ id }) => id));
    if (!entries.some(({ id }) => answered.has(id))) throw new Error('The server said nothing about these entries.');
  } catch (error) {
    if (!(error instanceof ProblemError) || !HOPELESS.has(error.code)) throw error;
    // One of them can't be read. The others must not wait behind it.
    const [only, ...more] = entries;
    if (only && more.length === 0) await refuse(sending, only, error);
    else for (const entry of entries) await sendFew(sending, [entry]);
  }
}

async function refuse({ owner, store }: Sending, { id }: KeptEntry, { code, message }: ProblemError): Promise<void> {
  await store.refuse(owner, { id, refusal: code, reason: message });
}

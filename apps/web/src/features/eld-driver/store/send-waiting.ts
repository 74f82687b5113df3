import { ProblemError } from '@milepost/client';
import type { DutyInput, MyDuty } from '@milepost/contract';
import { signed } from '../../../phone/device-key.ts';
import type { ClockAnchor } from '../../../phone/duty-clock.ts';
import type { DutyStore, Settled } from './duty-store.ts';
import { inputOf, type KeptEntry } from './entry.ts';

/** The server's answer to a few entries: `recordDuty` in the contract. */
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
  /** The server's time as far as it is known. */
  readonly serverMs: () => number | null;
  /** Called when the server has sent its time. */
  readonly heard: (serverMs: number) => ClockAnchor;
}

/** Few enough to get an answer soon on a slow network, so that little has to be sent again if it breaks off. */
const AT_ONCE = 50;
/** Errors that sending again would not change. */
const HOPELESS = new Set(['invalid-input', 'payload-too-large', 'not-found', 'not-allowed']);

/**
 * Sends waiting entries in order. An entry leaves the queue only when the server has answered it. An entry sent without
 * an answer is sent again; the server recognizes its ID. Only one tab may do this at a time: see `alone`.
 */
export async function sendWaiting(sending: Sending): Promise<void> {
  for (;;) {
    const ready = await signedEntries(sending);
    if (ready.length === 0) return;
    await sendFew(sending, ready.slice(0, AT_ONCE));
  }
}

/** What waits up to the first that is not signed yet; one whose key can't sign any more is sent without. */
async function signedEntries({ owner, store }: Sending): Promise<KeptEntry[]> {
  for (let tries = 1; ; tries++) {
    await store.signWaiting(owner, signed).catch(() => {});
    const waiting = await store.entries(owner, 'waiting');
    const unsigned = waiting.findIndex(({ phoneId, signature }) => phoneId !== undefined && signature === undefined);
    if (unsigned > 0) return waiting.slice(0, unsigned);
    // Written down between the two lines above.
    if (unsigned < 0 || tries > 3) return waiting;
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
    // Otherwise an answer without these entries would cause endless requests.
    const answered = new Set(settled.map(({ id }) => id));
    if (!entries.some(({ id }) => answered.has(id))) throw new Error('The server said nothing about these entries.');
  } catch (error) {
    if (!(error instanceof ProblemError) || !HOPELESS.has(error.code)) throw error;
    // The server can't read one of them, which must not hold up the others.
    const [only, ...more] = entries;
    if (only && more.length === 0) await refuse(sending, only, error);
    else for (const entry of entries) await sendFew(sending, [entry]);
  }
}

async function refuse({ owner, store }: Sending, { id }: KeptEntry, { code, message }: ProblemError): Promise<void> {
  await store.refuse(owner, { id, refusal: code, reason: message });
}

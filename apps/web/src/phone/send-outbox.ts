import { ProblemError } from '@milepost/client';
import type { Outbox } from './outbox.ts';
import type { Sendable } from './sendable.ts';

/** Status codes after which it makes sense to send again: no session, too slow, too often. */
const ASK_AGAIN = new Set([401, 408, 425, 429]);

const isHopeless = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && error.status >= 400 && error.status < 500 && !ASK_AGAIN.has(error.status);

/** The phone reports on its own that a task was seen: if that is refused, there is nothing to tell the driver. */
const isOwnReport = (what: Sendable): boolean => what.kind === 'task-step' && what.step === 'seen';

/**
 * Sends waiting items one after the other. An item leaves the outbox only when the server has answered it. An item sent
 * without an answer is sent again; the server recognizes its ID. Only one tab may do this at a time: see `alone`.
 * Throws the error that stopped it.
 */
export async function sendOutbox(
  outbox: Pick<Outbox, 'items' | 'remove' | 'refuse'>,
  owner: string,
  send: (what: Sendable) => Promise<void>,
): Promise<void> {
  for (const item of await outbox.items(owner, 'waiting')) {
    try {
      await send(item.what);
    } catch (error) {
      if (!isHopeless(error)) throw error;
      if (!isOwnReport(item.what)) {
        await outbox.refuse(item, error.code, error.message);
        continue;
      }
    }
    await outbox.remove(item.nth);
  }
}

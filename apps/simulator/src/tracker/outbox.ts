import { setTimeout as sleep } from 'node:timers/promises';
import type { PositionMessage } from '@milepost/decoders';
import type { Link, OpenLink } from './link.ts';
import type { Order } from './order.ts';

/** A tracker's memory: positions that the server has not yet acknowledged. The newest go first. */
export interface Outbox {
  /** New positions: sent as soon as possible. */
  add(positions: readonly PositionMessage[]): void;
  /** Stored positions: sent when there are no new ones, oldest first, and read only as needed. */
  addHistory(positions: Iterator<PositionMessage>): void;
  /** Positions acknowledged so far. */
  readonly acknowledged: number;
  /** Everything has been acknowledged. */
  readonly empty: boolean;
  /** All stored positions have been acknowledged; there may be new ones. */
  readonly pastDelivered: boolean;
  /** If there is nothing to send, disconnects until there is. */
  rest(): void;
  close(): void;
}

/** Like a real tracker's: beyond this many, the oldest are dropped. */
const MEMORY = 20_000;
const BATCH = 60;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;

export function createOutbox(
  open: OpenLink,
  say: (text: string) => void = () => {},
  onOrder: (order: Order) => void = () => {},
): Outbox {
  const news: PositionMessage[] = [];
  const histories: Iterator<PositionMessage>[] = [];
  let batch: readonly PositionMessage[] = [];
  let batchIsPast = false;
  let link: Link | null = null;
  let running = false;
  let closed = false;
  let acknowledged = 0;

  const next = (): readonly PositionMessage[] => {
    batchIsPast = news.length === 0;
    if (news.length > 0) return news.splice(0, BATCH);
    const old: PositionMessage[] = [];
    while (histories[0] && old.length < BATCH) {
      const one = histories[0].next();
      if (one.done) histories.shift();
      else old.push(one.value);
    }
    return old;
  };

  /** Sends until nothing is left; a batch is kept until it is acknowledged, over as many connections as needed. */
  const run = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS;
    for (;;) {
      if (batch.length === 0) batch = next();
      if (batch.length === 0 || closed) return;
      try {
        link ??= await open(onOrder);
        await link.send(batch);
        acknowledged += batch.length;
        batch = [];
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        link?.close();
        link = null;
        if (closed) return;
        say(error instanceof Error ? error.message : String(error));
        await sleep(retryMs * (0.75 + Math.random() / 2), undefined, { ref: false });
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
  };
  const wake = () => {
    if (running || closed) return;
    running = true;
    void run().finally(() => {
      running = false;
      // New positions may have come in since the last check.
      if (news.length > 0 || histories.length > 0) wake();
    });
  };

  return {
    add: positions => {
      news.push(...positions);
      if (news.length > MEMORY) news.splice(0, news.length - MEMORY);
      wake();
    },
    addHistory: positions => {
      histories.push(positions);
      wake();
    },
    get acknowledged() {
      return acknowledged;
    },
    get empty() {
      return news.length === 0 && batch.length === 0 && histories.length === 0;
    },
    get pastDelivered() {
      return histories.length === 0 && (batch.length === 0 || !batchIsPast);
    },
    rest: () => {
      if (running) return;
      link?.close();
      link = null;
    },
    close: () => {
      closed = true;
      link?.close();
    },
  };
}

import type { PositionMessage } from '@milepost/decoders';
import type { Order } from './order.ts';

/**
 * A tracker's connection to the server, in one protocol. `send` resolves once the server has acknowledged every
 * position, and rejects if that can no longer happen on this connection; the caller then opens another.
 */
export interface Link {
  send(positions: readonly PositionMessage[]): Promise<void>;
  close(): void;
}

/** Opens a connection and signs in; rejects on failure. Commands arrive while it is open. */
export type OpenLink = (onOrder?: (order: Order) => void) => Promise<Link>;

/** How long a tracker waits for an answer before it tries again, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 20_000;

/** Rejects if the work takes longer than a tracker waits. */
export function withinTimeout<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took longer than ${ANSWER_TIMEOUT_MS / 1000} s`)),
      ANSWER_TIMEOUT_MS,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** At most so many at a time: thousands of vehicles must not stand in each other's way, nor in anybody else's. */
const AT_ONCE = 4;

export interface SendAllOptions<T> {
  readonly items: readonly T[];
  /** Sends to one; what it throws is that one's own failure. */
  readonly send: (item: T) => Promise<void>;
  /** Said for one, true for all: the rest is not tried. */
  readonly concernsAll: (error: unknown) => boolean;
  readonly onFailure: (item: T, error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * The first alone, so that a wrong password is said once and costs one try; then the others, a few at a time. Throws
 * what concerns all of them; resolves to those that were never asked, because it was stopped or because of that.
 */
export async function sendAll<T>({ items, send, concernsAll, onFailure, signal }: SendAllOptions<T>): Promise<T[]> {
  const waiting = [...items];
  let refusal: { readonly error: unknown } | null = null;
  const one = async (item: T): Promise<void> => {
    try {
      await send(item);
    } catch (error) {
      if (concernsAll(error)) refusal ??= { error };
      else onFailure(item, error);
    }
  };
  const run = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await one(item);
      if (refusal || signal.aborted) return;
    }
  };
  const first = waiting.shift();
  if (first === undefined) return [];
  await one(first);
  if (!refusal && !signal.aborted) await Promise.all(Array.from({ length: AT_ONCE }, run));
  if (refusal) throw (refusal as { readonly error: unknown }).error;
  return waiting;
}

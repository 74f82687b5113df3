import type { PositionStore } from './position-store.ts';

const TICK_MS = 1000;
/** The fleet is looked at in parts, one a tick: a status is at most this many ticks late, and no tick is long. */
const PARTS = 5;

/**
 * Statuses change as time passes: who falls silent becomes outdated, then offline. Returns what ends the watch.
 * A hidden tab is not watched; it is looked at as a whole when it comes back.
 */
export function watchStatuses(store: PositionStore): () => void {
  let part = 0;
  const tick = (): void => {
    if (document.hidden) return;
    store.reconsider(everyNth(store.entries.keys(), part, PARTS));
    part = (part + 1) % PARTS;
  };
  const onVisible = (): void => {
    if (!document.hidden) store.reconsider([...store.entries.keys()]);
  };
  const timer = setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

function* everyNth(keys: Iterable<string>, first: number, step: number): Iterable<string> {
  let index = 0;
  for (const key of keys) if (index++ % step === first) yield key;
}

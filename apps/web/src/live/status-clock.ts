import type { PositionStore } from './position-store.ts';

const TICK_MS = 1000;
/**
 * Each tick checks one of this many parts of the fleet. So a status is at most this many ticks late, and each tick is
 * short.
 */
const PARTS = 5;

/**
 * Updates statuses as time passes: silent vehicles become outdated, then offline. Returns a function that stops it.
 * While the tab is hidden nothing is checked; when it is shown again, everything is.
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

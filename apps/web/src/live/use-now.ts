import { useSyncExternalStore } from 'react';
import { serverClock } from './live.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = serverClock.now();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = serverClock.now();
    timer = setInterval(tick, 1000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  nowMs = serverClock.now();
  for (const listener of listeners) listener();
}

/** The server's clock in steps of a second: all ages on the screen change together, from one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** Only what is derived from the clock: the component is drawn again when the result changes, not each second. */
export function useFromNow<T extends string | number | boolean>(derive: (nowMs: number) => T): T {
  return useSyncExternalStore(subscribe, () => derive(nowMs));
}

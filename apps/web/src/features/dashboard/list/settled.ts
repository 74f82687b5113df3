/**
 * Limits a value that changes often to one change per `everyMs`. The first change after a pause comes through at once,
 * and the last one always does.
 */
export function createSettled<T>(
  subscribe: (listener: () => void) => () => void,
  read: () => T,
  everyMs: number,
): { readonly subscribe: (listener: () => void) => () => void; readonly value: () => T } {
  const listeners = new Set<() => void>();
  let settled = read();
  let end: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function settle(): void {
    timer = undefined;
    const value = read();
    if (Object.is(value, settled)) return;
    settled = value;
    // Changes during the pause are announced at its end.
    timer = setTimeout(settle, everyMs);
    for (const listener of listeners) listener();
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!end) {
        settled = read();
        end = subscribe(() => {
          if (timer === undefined) settle();
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        end?.();
        end = null;
        clearTimeout(timer);
        timer = undefined;
      };
    },
    value: () => settled,
  };
}

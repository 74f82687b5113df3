import type { Logger } from 'pino';

/** What to stop when the server stops, in reverse order of starting. */
export interface Stops {
  add(name: string, stop: () => void | Promise<void>): void;
  /** Stops each part once; a part that fails or hangs does not keep the others from stopping. */
  run(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

export function createStops(log: Logger, timeoutMs = TIMEOUT_MS): Stops {
  const parts: { name: string; stop: () => void | Promise<void> }[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (const { name, stop } of parts.splice(0).reverse()) {
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(resolve, timeoutMs, 'late');
      try {
        const end = await Promise.race([Promise.resolve().then(stop), late]);
        if (end === 'late') log.error({ part: name }, 'A component did not stop in time');
      } catch (error) {
        log.error({ err: error, part: name }, 'A component did not stop cleanly');
      } finally {
        clearTimeout(timer);
      }
    }
  };

  return {
    add: (name, stop) => parts.push({ name, stop }),
    run: () => {
      running ??= run();
      return running;
    },
  };
}

import type { Logger } from 'pino';

/** What must be ended when the server ends, in reverse of the order in which it began. */
export interface Stops {
  add(name: string, stop: () => void | Promise<void>): void;
  /** Runs each once; a part that fails or hangs doesn't keep the others from ending. */
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

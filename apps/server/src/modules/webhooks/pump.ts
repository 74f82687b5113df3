import type { Logger } from 'pino';

/** Work that waits in the database and is done soon after it came. */
export interface PumpParts<C extends { readonly id: string }> {
  /** In the log: "Could not check for …". */
  readonly what: string;
  /** Takes what is due, beside what is under way; from then on nobody else takes it for a while. */
  readonly claim: (now: Date, underWay: readonly C[]) => Promise<readonly C[]>;
  /** If it throws, what was claimed comes due again by itself. */
  readonly attempt: (claimed: C, clock: () => Date, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
}

export interface Pump {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** Does what is due at this moment, until nothing more is; for tests. */
  look(at?: Date): Promise<void>;
  /** Breaks off what is under way, and waits for it. */
  stop(): Promise<void>;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 5000;

export function createPump<C extends { readonly id: string }>({ what, claim, attempt, log }: PumpParts<C>): Pump {
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Map<string, { readonly claimed: C; readonly done: Promise<void> }>();
  let isStarted = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isLookDue = false;

  const begin = (claimed: C, clock: () => Date): void => {
    const done = attempt(claimed, clock, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, `Could not finish ${what}; retrying`);
      })
      .finally(() => {
        underWay.delete(claimed.id);
        wake();
      });
    underWay.set(claimed.id, { claimed, done });
  };

  const round = async (clock: () => Date): Promise<number> => {
    if (signal.aborted) return 0;
    const busy = [...underWay.values()].map(({ claimed }) => claimed);
    const claimed = await claim(clock(), busy);
    for (const each of claimed) begin(each, clock);
    return claimed.length;
  };

  /** One look at a time; what wakes it meanwhile makes it look once more. */
  function wake(): void {
    if (signal.aborted || !isStarted || isLookDue) return;
    isLookDue = true;
    looking = looking.then(async () => {
      isLookDue = false;
      await round(() => new Date()).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, `Could not check for ${what}`);
      });
    });
  }

  return {
    signal,
    wake,
    start: () => {
      isStarted = true;
      timer = setInterval(wake, LOOK_EVERY_MS).unref();
      wake();
    },
    look: async (at = new Date()) => {
      for (;;) {
        const begun = await round(() => at);
        if (begun === 0 && underWay.size === 0) return;
        await Promise.race([...underWay.values()].map(({ done }) => done));
      }
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}

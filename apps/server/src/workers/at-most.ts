/** Runs at most so many works at a time; others wait, in order. */
export function atMost(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    // Whoever ends hands its place on, so that nobody who comes later is faster.
    if (running === limit) await new Promise<void>(resolve => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

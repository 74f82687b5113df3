/** Runs the work for each key one at a time, in order; other keys do not wait. */
export function oneByOne<Key>() {
  const last = new Map<Key, Promise<unknown>>();
  return async <Result>(key: Key, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(key);
    const done = (before ?? Promise.resolve()).then(work);
    const ended = done.catch(() => {});
    last.set(key, ended);
    try {
      return await done;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}

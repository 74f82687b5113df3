/** Work of one key is done one after the other, in the order in which it came; other keys do not wait for it. */
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

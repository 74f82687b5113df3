/** Recent tiles, shared by users who see the same vehicles. */
export interface TileCache {
  of(accountId: number, key: string, make: () => Promise<Buffer>): Promise<Buffer>;
  forget(accountId: number): void;
}

const KEPT_MS = 5 * 60_000;
const MOST_TILES = 2000;

export function createTileCache(now = () => performance.now()): TileCache {
  const known = new Map<
    string,
    { readonly madeAt: number; readonly accountId: number; readonly tile: Promise<Buffer> }
  >();
  /** One tile at a time: a map requests twenty at once, and other work needs the same thread. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    of: (accountId, key, make) => {
      const id = `${accountId} ${key}`;
      const entry = known.get(id);
      if (entry && now() - entry.madeAt < KEPT_MS) return entry.tile;
      const tile = last.then(make, make);
      last = tile.catch(() => {});
      known.delete(id);
      known.set(id, { madeAt: now(), accountId, tile });
      tile.catch(() => known.delete(id));
      const [oldest] = known.keys();
      if (known.size > MOST_TILES && oldest !== undefined) known.delete(oldest);
      return tile;
    },
    forget: accountId => {
      for (const [id, entry] of known) if (entry.accountId === accountId) known.delete(id);
    },
  };
}

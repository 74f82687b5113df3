import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible';

export interface CounterOptions {
  readonly points: number;
  /** In seconds. */
  readonly duration: number;
}

export type Counter = Pick<RateLimiterAbstract, 'block' | 'consume' | 'delete' | 'get' | 'penalty' | 'reward'>;

/** What limits count: in memory on a single node, in the database where several nodes count together. */
export interface Counters {
  /** No two counters have the same `name`. */
  counter(name: string, options: CounterOptions): Counter;
  /** For what is counted often: with several nodes, each takes a twentieth of the points at a time. */
  often(name: string, options: CounterOptions): Pick<Counter, 'consume'>;
}

export const IN_MEMORY: Counters = {
  counter: (_, options) => new RateLimiterMemory({ ...options }),
  often: (_, options) => new RateLimiterMemory({ ...options }),
};

const TABLE = 'try_count';
const DRAWN = 1 / 20;

export function sharedCounters(pool: Pool): Counters {
  const counter = (name: string, options: CounterOptions): Counter =>
    new HashedPostgres({
      ...options,
      ...{ storeClient: pool, storeType: 'pool', tableName: TABLE, tableCreated: true, keyPrefix: name },
      clearExpiredByTimeout: false,
    });
  return { counter, often: (name, options) => new Drawn(counter(name, options), Math.ceil(options.points * DRAWN)) };
}

/** Deletes counts whose time is over. */
export async function forgetOldCounts(pool: Pool): Promise<void> {
  await pool.query(`delete from ${TABLE} where expire < $1`, [Date.now()]);
}

/** Hashes its keys, so that names and addresses stay out of the database. */
class HashedPostgres extends RateLimiterPostgres {
  override getKey(key: string | number): string {
    return super.getKey(createHash('sha256').update(String(key)).digest('base64url'));
  }
}

interface Draw {
  left: number;
  /** By this node's clock. */
  readonly until: number;
}

const KEYS_AT_MOST = 10_000;

/** Takes several points at a time from a limit that all nodes share, so that most calls cost no query. */
class Drawn implements Pick<Counter, 'consume'> {
  readonly #shared: Counter;
  readonly #points: number;
  readonly #drawn = new Map<string, Draw>();
  readonly #drawing = new Map<string, Promise<Draw>>();

  constructor(shared: Counter, points: number) {
    this.#shared = shared;
    this.#points = points;
  }

  async consume(key: string): Promise<RateLimiterRes> {
    for (;;) {
      const draw = this.#drawn.get(key);
      if (draw && draw.left > 0 && draw.until > Date.now()) {
        draw.left--;
        return { msBeforeNext: draw.until - Date.now(), remainingPoints: draw.left } as RateLimiterRes;
      }
      const drawing = this.#drawing.get(key) ?? this.#draw(key);
      this.#drawing.set(key, drawing);
      // Throws when all nodes together have used up the points.
      await drawing;
    }
  }

  async #draw(key: string): Promise<Draw> {
    try {
      const { msBeforeNext } = await this.#shared.consume(key, this.#points);
      const draw = { left: this.#points, until: Date.now() + msBeforeNext };
      if (this.#drawn.size >= KEYS_AT_MOST) this.#drawn.clear();
      this.#drawn.set(key, draw);
      return draw;
    } finally {
      this.#drawing.delete(key);
    }
  }
}

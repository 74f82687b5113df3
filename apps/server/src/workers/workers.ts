import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Gauge, type Registry } from 'prom-client';
import { tooMany } from '../http/app-error.ts';
import type * as tasks from './tasks.ts';

type Tasks = typeof tasks;
type TaskName = keyof Tasks;

export const WORKER_LIMITS = {
  /** Tasks of one account that run at the same time, */
  running: 2,
  /** and that wait for that; one more is refused. */
  waiting: 50,
  /** A task that takes longer is ended, and its worker with it. */
  withinMs: 30_000,
  /** A worker that has had nothing to do for so long ends. */
  idleMs: 30_000,
} as const;

const RETRY_AFTER_MS = 1000;

/**
 * Heavy pure work, off the thread that takes positions: tasks run in worker threads, one fewer than there are
 * processors, and what one account asks for can't keep the others waiting for long.
 */
export interface Workers {
  run<K extends TaskName>(
    accountId: number,
    name: K,
    input: Parameters<Tasks[K]>[0],
  ): Promise<Awaited<ReturnType<Tasks[K]>>>;
  stop(): Promise<void>;
}

export function createWorkers(metrics: Registry, limits: typeof WORKER_LIMITS = WORKER_LIMITS): Workers {
  const pool = new Piscina({
    filename: new URL('./tasks.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    idleTimeout: limits.idleMs,
  });
  const byAccount = new Map<number, Line>();
  new Gauge({
    name: 'milepost_worker_tasks',
    help: 'Tasks of heavy work that wait for a worker',
    registers: [metrics],
    collect() {
      this.set(pool.queueSize);
    },
  });

  return {
    run: async (accountId, name, input) => {
      const line = byAccount.get(accountId) ?? new Line(limits);
      byAccount.set(accountId, line);
      await line.enter();
      try {
        return await pool.run(input, { name, signal: AbortSignal.timeout(limits.withinMs) });
      } finally {
        if (line.leave()) byAccount.delete(accountId);
      }
    },
    stop: () => pool.destroy(),
  };
}

/** The tasks of one account: a few run, others wait for their turn. */
class Line {
  readonly #limits: typeof WORKER_LIMITS;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: typeof WORKER_LIMITS) {
    this.#limits = limits;
  }

  async enter(): Promise<void> {
    if (this.#running < this.#limits.running) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.#limits.waiting) throw tooMany('too-many-requests', RETRY_AFTER_MS);
    // A finished task passes its slot on.
    await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  /** True when nobody is left. */
  leave(): boolean {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
    return this.#running === 0;
  }
}
